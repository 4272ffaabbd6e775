-- A request whose person was erased while it was under way deletes what it put into quarantine; the role that erases persons could
-- do that alone, so that the request failed and what it had kept of the person stayed.

GRANT DELETE ON held TO ctxgate_gateway;

-- Traces of requests, for operations; the ledger is the record.

CREATE TABLE traces (
    tenant text COLLATE "C" NOT NULL, trace_id text COLLATE "C" NOT NULL, at text COLLATE "C" NOT NULL, body text NOT NULL,
    PRIMARY KEY (tenant, trace_id, at)
);
CREATE INDEX traces_at ON traces (at);
GRANT SELECT, INSERT, DELETE ON traces TO ctxgate_gateway, ctxgate_eraser;

-- Exceptions that officers ask for and approve while a bundle decides; what they say and who said it is sealed.
CREATE TABLE waivers (
    tenant text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL, expires text COLLATE "C" NOT NULL, used bigint NOT NULL, last_used text COLLATE "C",
    body bytea NOT NULL, PRIMARY KEY (tenant, id)
);
CREATE INDEX waivers_in_force ON waivers (tenant, state, expires);
GRANT SELECT, INSERT, UPDATE ON waivers TO ctxgate_gateway, ctxgate_eraser;
GRANT DELETE ON waivers TO ctxgate_eraser;

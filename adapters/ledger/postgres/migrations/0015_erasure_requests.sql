-- Erasures that one officer asked for, until another approves them; who is to be forgotten, and why, is sealed.
CREATE TABLE erasure_requests (
    tenant text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, person text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL, expires text COLLATE "C" NOT NULL, body bytea NOT NULL, PRIMARY KEY (tenant, id)
);
GRANT SELECT, INSERT, DELETE ON erasure_requests TO ctxgate_gateway, ctxgate_eraser;

-- Sessions, turn by turn, each state sealed under a key that is not here: see adapters/sessions.py.

CREATE TABLE turns (
    tenant text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, turn bigint NOT NULL, at text COLLATE "C" NOT NULL,
    state bytea NOT NULL, PRIMARY KEY (tenant, name, turn)
);
CREATE INDEX turns_at ON turns (at);
GRANT SELECT, INSERT, UPDATE, DELETE ON turns TO ctxgate_gateway, ctxgate_eraser;

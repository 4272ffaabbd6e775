-- What is kept aside and can be erased, each value sealed under a key that is not here: see adapters/sealed_store.py.

CREATE TABLE held (
    tenant text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, digest text COLLATE "C" NOT NULL, scope text NOT NULL,
    item_id text NOT NULL, decision_id text COLLATE "C" NOT NULL, findings text NOT NULL, at text COLLATE "C" NOT NULL,
    seen bigint NOT NULL, content bytea NOT NULL, proposed text, verdict text, PRIMARY KEY (tenant, id)
);
CREATE INDEX held_digest ON held (tenant, digest);
CREATE TABLE tokens (
    tenant text COLLATE "C" NOT NULL, token text COLLATE "C" NOT NULL, entity text NOT NULL, purpose text NOT NULL,
    value bytea NOT NULL, PRIMARY KEY (tenant, token)
);
CREATE TABLE answers (
    tenant text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, digest text NOT NULL, at text COLLATE "C" NOT NULL,
    trace_id text, body bytea, PRIMARY KEY (tenant, name)
);
CREATE INDEX answers_at ON answers (at);
GRANT SELECT, INSERT, UPDATE ON held, tokens TO ctxgate_gateway, ctxgate_eraser;
GRANT SELECT, INSERT, UPDATE, DELETE ON answers TO ctxgate_gateway, ctxgate_eraser;
GRANT DELETE ON held, tokens TO ctxgate_eraser;

-- The ledger.  Nobody but the owner may change a record; the roles below are granted to login roles by the administrator.

CREATE TABLE lanes (
    lane text COLLATE "C" NOT NULL, epoch bigint NOT NULL, opened timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (lane, epoch)
);

-- One row for each transaction of a writer.  A run starts where the one before ends, so that no two processes can
-- extend one lane, and none has gaps.
CREATE TABLE runs (
    lane text COLLATE "C" NOT NULL, epoch bigint NOT NULL, first bigint NOT NULL, next bigint NOT NULL,
    after bigint GENERATED ALWAYS AS (nullif(first, 0)) STORED,
    PRIMARY KEY (lane, epoch, first), UNIQUE (lane, epoch, next), CHECK (next > first AND first >= 0),
    FOREIGN KEY (lane, epoch) REFERENCES lanes,
    FOREIGN KEY (lane, epoch, after) REFERENCES runs (lane, epoch, next)
);

-- Partitioned by time: a decision id is a UUIDv7, which begins with its milliseconds.
CREATE TABLE records (
    lane text COLLATE "C" NOT NULL, epoch bigint NOT NULL, seq bigint NOT NULL,
    decision_id uuid NOT NULL PRIMARY KEY, body bytea NOT NULL
) PARTITION BY RANGE (decision_id);
CREATE TABLE records_other PARTITION OF records DEFAULT;
CREATE INDEX records_lane ON records (lane, epoch, seq);

CREATE TABLE subjects (
    tenant text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL, token text COLLATE "C" NOT NULL UNIQUE,
    key bytea NOT NULL, PRIMARY KEY (tenant, subject)
);
CREATE TABLE asides (
    decision_id uuid PRIMARY KEY, token text COLLATE "C" NOT NULL REFERENCES subjects (token), body bytea NOT NULL
);
CREATE INDEX asides_token ON asides (token);

CREATE TABLE head (
    one smallint PRIMARY KEY CHECK (one = 1), size bigint NOT NULL, root bytea NOT NULL, edge bytea NOT NULL
);
INSERT INTO head VALUES (1, 0, sha256(''), '');

-- The log: the place of every record in the one order, and the columns that questions are answered with.
CREATE TABLE entries (
    idx bigint NOT NULL PRIMARY KEY,
    lane text COLLATE "C" NOT NULL, epoch bigint NOT NULL, seq bigint NOT NULL,
    kind text COLLATE "C", decision_id text COLLATE "C", trace_id text COLLATE "C", request_id text COLLATE "C",
    tenant text COLLATE "C", subject text COLLATE "C", agent text COLLATE "C", purpose text COLLATE "C",
    item_id text COLLATE "C", source_id text COLLATE "C", outcome text COLLATE "C",
    policy_revision text COLLATE "C", pack_id text COLLATE "C", at text COLLATE "C"
) PARTITION BY RANGE (idx);
CREATE TABLE entries_other PARTITION OF entries DEFAULT;
CREATE INDEX entries_kind ON entries (tenant, kind, idx);
CREATE INDEX entries_decision_id ON entries (tenant, decision_id, idx);
CREATE INDEX entries_trace_id ON entries (tenant, trace_id, idx);
CREATE INDEX entries_request_id ON entries (tenant, request_id, idx);
CREATE INDEX entries_subject ON entries (tenant, subject, idx) WHERE subject IS NOT NULL;
CREATE INDEX entries_agent ON entries (tenant, agent, idx) WHERE agent IS NOT NULL;
CREATE INDEX entries_item_id ON entries (tenant, item_id, idx) WHERE item_id IS NOT NULL;
CREATE INDEX entries_source_id ON entries (tenant, source_id, idx) WHERE source_id IS NOT NULL;
CREATE INDEX entries_outcome ON entries (tenant, outcome, idx) WHERE outcome IS NOT NULL;
CREATE INDEX entries_policy_revision ON entries (tenant, policy_revision, idx) WHERE policy_revision IS NOT NULL;
CREATE INDEX entries_pack_id ON entries (tenant, pack_id, idx) WHERE pack_id IS NOT NULL;
CREATE INDEX entries_at ON entries (tenant, at, idx);
CREATE TABLE codes (code text COLLATE "C" NOT NULL, idx bigint NOT NULL, PRIMARY KEY (code, idx));
CREATE INDEX codes_idx ON codes (idx);

CREATE TABLE ranges (
    lane text COLLATE "C" NOT NULL, epoch bigint NOT NULL, first bigint NOT NULL, next bigint NOT NULL,
    start bigint NOT NULL, PRIMARY KEY (lane, epoch, first), UNIQUE (lane, epoch, next)
);
CREATE TABLE tiles (
    level smallint NOT NULL, number bigint NOT NULL, hashes bytea NOT NULL CHECK (length(hashes) = 8192),
    PRIMARY KEY (level, number)
);
CREATE TABLE checkpoints (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, size bigint NOT NULL, at text COLLATE "C" NOT NULL,
    note text NOT NULL
);
CREATE INDEX checkpoints_size ON checkpoints (size, place);

-- Roles.  The gateway inserts and reads; of updates it has the one row that says how far the log has come.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ctxgate_gateway') THEN CREATE ROLE ctxgate_gateway NOLOGIN; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ctxgate_eraser') THEN CREATE ROLE ctxgate_eraser NOLOGIN; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ctxgate_auditor') THEN CREATE ROLE ctxgate_auditor NOLOGIN; END IF;
END $$;
GRANT SELECT, INSERT ON lanes, runs, records, subjects, asides, entries, codes, ranges, tiles, checkpoints
    TO ctxgate_gateway, ctxgate_eraser;
GRANT SELECT ON head, ctxgate_migrations TO ctxgate_gateway, ctxgate_eraser, ctxgate_auditor;
GRANT UPDATE (size, root, edge) ON head TO ctxgate_gateway, ctxgate_eraser;
GRANT DELETE ON subjects, asides TO ctxgate_eraser;
GRANT SELECT ON lanes, runs, records, entries, codes, ranges, tiles, checkpoints TO ctxgate_auditor;

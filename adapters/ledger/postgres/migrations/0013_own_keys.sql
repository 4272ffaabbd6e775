-- Keys of persons for what is kept of them beside the ledger: without the key, no copy of it opens.
CREATE TABLE own_keys (
    tenant text COLLATE "C" NOT NULL, person text COLLATE "C" NOT NULL, wrapped bytea NOT NULL, PRIMARY KEY (tenant, person)
);
GRANT SELECT, INSERT, DELETE ON own_keys TO ctxgate_gateway;
GRANT SELECT, INSERT, DELETE ON own_keys TO ctxgate_eraser;

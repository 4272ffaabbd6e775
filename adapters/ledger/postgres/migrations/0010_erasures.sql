-- Erasures that are not complete yet, and the certificates of those that are; neither names a person.
CREATE TABLE erasing (
    tenant text COLLATE "C" NOT NULL, token text COLLATE "C" NOT NULL, person text COLLATE "C" NOT NULL, key text NOT NULL,
    outside text NOT NULL, PRIMARY KEY (tenant, token)
);
CREATE TABLE certificates (
    tenant text COLLATE "C" NOT NULL, token text COLLATE "C" NOT NULL, at text COLLATE "C" NOT NULL, note text NOT NULL,
    PRIMARY KEY (tenant, token)
);
GRANT SELECT ON erasing, certificates TO ctxgate_gateway, ctxgate_auditor;
GRANT SELECT, INSERT, DELETE ON erasing TO ctxgate_eraser;
GRANT SELECT, INSERT ON certificates TO ctxgate_eraser;

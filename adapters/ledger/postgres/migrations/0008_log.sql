-- A database holds one log, whose name the first writer says; records of another are refused.
CREATE TABLE log (one smallint PRIMARY KEY CHECK (one = 1), origin text COLLATE "C" NOT NULL);
GRANT SELECT, INSERT ON log TO ctxgate_gateway, ctxgate_eraser;

-- An auditor verifies who stands behind a token, and that sealed sides are there; the keys and the sealed sides stay out of reach.
GRANT SELECT ON log TO ctxgate_auditor;
GRANT SELECT (tenant, subject, token, salt) ON subjects TO ctxgate_auditor;
GRANT SELECT (decision_id, token) ON asides TO ctxgate_auditor;

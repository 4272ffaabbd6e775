-- Bearer tokens that are believed once (CTXGATE_JWT_ONCE), by a hash of issuer and jti, until they have expired.

CREATE TABLE used_tokens (name text COLLATE "C" PRIMARY KEY, until text COLLATE "C" NOT NULL);
CREATE INDEX used_tokens_until ON used_tokens (until);
GRANT SELECT, INSERT, DELETE ON used_tokens TO ctxgate_gateway;

-- Records commit to the person behind a token, under a salt that is erased with the person.
ALTER TABLE subjects ADD COLUMN salt bytea NOT NULL
    DEFAULT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));

-- Who holds a key that was replaced writes no records either: the key may have been stolen, which is why it was replaced.
CREATE OR REPLACE FUNCTION ctxgate_require(proof bytea, ordering boolean) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM log_writers WHERE digest = sha256(proof) AND replaced IS NULL) THEN
        RAISE insufficient_privilege USING MESSAGE = 'whoever writes the log proves that they hold its key';
    END IF;
END $$;

-- Of checkpoints, which a log signs up to twice a second, the table `checkpoints` keeps for good what ledger/checkpoints/kept.py says.
-- Here stands the newest with each number of cosignatures, until a newer one takes its place.

CREATE TABLE newest (
    cosigned smallint PRIMARY KEY CHECK (cosigned BETWEEN 0 AND 100), size bigint NOT NULL CHECK (size > 0),
    place bigint NOT NULL, at text COLLATE "C" NOT NULL, note text NOT NULL
);

-- A size that the log does not have would be taken for a checkpoint that was published and is gone, for ever.
CREATE FUNCTION newest_within_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.size > (SELECT size FROM head) OR (TG_OP = 'UPDATE' AND NEW.size < OLD.size) THEN
        RAISE EXCEPTION 'a checkpoint is of a tree that there is, and not of a smaller one than before';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER newest_within_log BEFORE INSERT OR UPDATE ON newest FOR EACH ROW EXECUTE FUNCTION newest_within_log();
GRANT SELECT, INSERT, UPDATE (size, place, at, note) ON newest TO ctxgate_gateway, ctxgate_eraser;
GRANT SELECT ON newest TO ctxgate_auditor;

-- Lanes sign what they write, and the tables of the log are written by the functions below alone, which take nothing that does not
-- follow from what is there.  Each asks its caller for a proof of the log's key, so that who has a login of the gateway alone writes
-- nothing at all; the proof is derived from that key (`Ed25519Signer.proof`), and its SHA-256 is kept.

ALTER TABLE runs ADD COLUMN signature bytea;
ALTER TABLE runs ADD CONSTRAINT runs_signed CHECK (signature IS NOT NULL AND length(signature) = 68) NOT VALID;
CREATE INDEX runs_unsigned ON runs (lane, epoch, first) WHERE signature IS NULL;
CREATE INDEX ranges_start ON ranges (start);
CREATE TABLE refused (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lane text COLLATE "C" NOT NULL, epoch bigint NOT NULL,
    first bigint NOT NULL, next bigint NOT NULL, code text COLLATE "C" NOT NULL, decision_id text COLLATE "C" NOT NULL,
    signature bytea NOT NULL CHECK (length(signature) = 68)
);
CREATE TABLE log_writers (digest bytea PRIMARY KEY, since timestamptz NOT NULL DEFAULT now(), replaced timestamptz);

-- The first that comes is believed, and later ones by a proof of the key before theirs, which then orders and signs no more; one
-- that was replaced lets nobody in, since it may be stolen.
CREATE FUNCTION ctxgate_admit(proof bytea, earlier bytea[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT FROM log_writers WHERE digest = sha256(proof)) THEN RETURN true; END IF;
    LOCK TABLE log_writers IN SHARE ROW EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM log_writers)
        AND NOT EXISTS (SELECT FROM log_writers w, unnest(earlier) e WHERE w.digest = sha256(e) AND w.replaced IS NULL) THEN
        RETURN EXISTS (SELECT FROM log_writers WHERE digest = sha256(proof));
    END IF;
    UPDATE log_writers SET replaced = now() WHERE replaced IS NULL;
    INSERT INTO log_writers (digest) VALUES (sha256(proof)) ON CONFLICT DO NOTHING;
    RETURN true;
END $$;

CREATE FUNCTION ctxgate_require(proof bytea, ordering boolean) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM log_writers WHERE digest = sha256(proof) AND (replaced IS NULL OR NOT ordering)) THEN
        RAISE insufficient_privilege USING MESSAGE = 'whoever writes the log proves that they hold its key';
    END IF;
END $$;

CREATE FUNCTION ctxgate_that(holds boolean, what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF holds IS NOT TRUE THEN RAISE check_violation USING MESSAGE = 'it cannot stand in the log: ' || what; END IF;
END $$;

CREATE FUNCTION ctxgate_open_lane(proof bytea, replica text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE taken bigint;
BEGIN
    PERFORM ctxgate_require(proof, false);
    INSERT INTO lanes SELECT replica, coalesce(max(l.epoch), 0) + 1 FROM lanes l WHERE l.lane = replica
        RETURNING lanes.epoch INTO taken;
    RETURN taken;
END $$;

CREATE FUNCTION ctxgate_append(
    proof bytea, of_lane text, of_epoch bigint, from_seq bigint, signed bytea, ids uuid[], bodies bytea[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE count integer := cardinality(ids);
BEGIN
    PERFORM ctxgate_require(proof, false);
    PERFORM ctxgate_that(count BETWEEN 1 AND 16384 AND cardinality(bodies) = count, 'a run of no records, or of too many');
    PERFORM ctxgate_that((SELECT max(length(b)) FROM unnest(bodies) b) <= 60000, 'a record that is too long');
    INSERT INTO runs (lane, epoch, first, next, signature) VALUES (of_lane, of_epoch, from_seq, from_seq + count, signed);
    INSERT INTO records SELECT of_lane, of_epoch, from_seq + u.n - 1, u.id, u.body
        FROM unnest(ids, bodies) WITH ORDINALITY AS u (id, body, n);
END $$;

CREATE FUNCTION ctxgate_accept(proof bytea, of_lane text, of_epoch bigint, from_seq bigint, signed bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM ctxgate_require(proof, true);
    UPDATE runs SET signature = signed WHERE lane = of_lane AND epoch = of_epoch AND first = from_seq AND signature IS NULL;
END $$;

-- How many hashes the edge of a tree has: the digits of its size in base 256.
CREATE FUNCTION ctxgate_edge(size bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT sum((size >> (8 * level)) & 255) FROM generate_series(0, 7) level
$$;

-- False: the head has moved on.  Null: something stands where the entries would.
CREATE FUNCTION ctxgate_extend(
    proof bytea, old_size bigint, old_root bytea, new_size bigint, new_root bytea, new_edge bytea,
    new_ranges jsonb, new_entries jsonb, new_codes jsonb, levels smallint[], numbers bigint[], leaves bytea[]
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    one record;
    ends bigint := old_size;
BEGIN
    PERFORM ctxgate_require(proof, true);
    PERFORM 1 FROM head WHERE size = old_size AND root = old_root FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    IF EXISTS (SELECT FROM ranges WHERE start >= old_size) OR EXISTS (SELECT FROM entries WHERE idx >= old_size)
        OR EXISTS (SELECT FROM codes WHERE idx >= old_size)
        OR EXISTS (SELECT FROM generate_series(0, 6) l JOIN tiles t ON t.level = l AND t.number >= old_size >> (8 * l + 8)) THEN
        RETURN NULL;
    END IF;
    FOR one IN SELECT r->>0 AS lane, (r->>1)::bigint AS epoch, (r->>2)::bigint AS first, (r->>3)::bigint AS next,
        (r->>4)::bigint AS start FROM jsonb_array_elements(new_ranges) WITH ORDINALITY AS u (r, n) ORDER BY n
    LOOP
        PERFORM ctxgate_that(one.start = ends AND one.next > one.first AND one.first = coalesce(
            (SELECT max(g.next) FROM ranges g WHERE g.lane = one.lane AND g.epoch = one.epoch), 0), 'a range');
        PERFORM ctxgate_that(EXISTS (
            SELECT FROM runs r WHERE r.lane = one.lane AND r.epoch = one.epoch AND r.next = one.next), 'a range of no run');
        INSERT INTO ranges (lane, epoch, first, next, start) VALUES (one.lane, one.epoch, one.first, one.next, ends);
        ends := ends + one.next - one.first;
    END LOOP;
    PERFORM ctxgate_that(ends = new_size AND new_size > old_size, 'its ranges');
    PERFORM ctxgate_that(length(new_root) = 32 AND length(new_edge) = 32 * ctxgate_edge(new_size), 'its head');
    INSERT INTO entries (
        lane, epoch, seq, kind, decision_id, trace_id, request_id, tenant, subject, agent, purpose, item_id, source_id,
        outcome, policy_revision, pack_id, at, idx
    ) SELECT e->>0, (e->>1)::bigint, (e->>2)::bigint, e->>3, e->>4, e->>5, e->>6, e->>7, e->>8, e->>9, e->>10, e->>11, e->>12,
        e->>13, e->>14, e->>15, e->>16, old_size + n - 1
    FROM jsonb_array_elements(new_entries) WITH ORDINALITY AS u (e, n);
    PERFORM ctxgate_that(jsonb_array_length(new_entries) = new_size - old_size, 'its entries');
    INSERT INTO codes (code, idx) SELECT c->>0, (c->>1)::bigint FROM jsonb_array_elements(new_codes) c;
    PERFORM ctxgate_that(NOT EXISTS (
        SELECT FROM jsonb_array_elements(new_codes) c WHERE (c->>1)::bigint NOT BETWEEN old_size AND new_size - 1), 'its codes');
    INSERT INTO tiles (level, number, hashes) SELECT * FROM unnest(levels, numbers, leaves);
    PERFORM ctxgate_that(NOT EXISTS (
        SELECT FROM unnest(levels, numbers) AS t (level, number)
        WHERE level NOT BETWEEN 0 AND 6 OR number < old_size >> (8 * level + 8) OR number >= new_size >> (8 * level + 8)), 'its tiles');
    UPDATE head SET size = new_size, root = new_root, edge = new_edge;
    RETURN true;
END $$;

-- Down to what is under a checkpoint, and no further.
CREATE FUNCTION ctxgate_rewind(
    proof bytea, found_size bigint, found_root bytea, found_edge bytea, new_size bigint, new_root bytea, new_edge bytea
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM ctxgate_require(proof, true);
    PERFORM 1 FROM head WHERE size = found_size AND root = found_root AND edge = found_edge FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM ctxgate_that(new_size >= coalesce((SELECT max(c.size) FROM (SELECT size FROM checkpoints UNION SELECT size FROM newest) c), 0), 'less than was signed');
    PERFORM ctxgate_that(length(new_root) = 32 AND length(new_edge) = 32 * ctxgate_edge(new_size), 'its head');
    DELETE FROM entries WHERE idx >= new_size OR idx < 0;
    DELETE FROM codes WHERE idx >= new_size OR idx < 0;
    DELETE FROM ranges WHERE start >= new_size OR start < 0;
    DELETE FROM tiles WHERE level NOT BETWEEN 0 AND 6 OR number < 0 OR number >= new_size >> (8 * level + 8);
    UPDATE head SET size = new_size, root = new_root, edge = new_edge;
    RETURN true;
END $$;

-- Witnesses may answer late: of a smaller tree than the newest a checkpoint is kept too.  False: one of a larger tree is there.
CREATE FUNCTION ctxgate_publish(proof bytea, of_size bigint, signed_at text, signed text, witnesses integer, for_good boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE there head;
BEGIN
    PERFORM ctxgate_require(proof, true);
    SELECT * INTO there FROM head;
    PERFORM ctxgate_that(of_size BETWEEN 1 AND there.size AND split_part(signed, E'\n', 2) = of_size::text, 'its size');
    PERFORM ctxgate_that(of_size < there.size OR split_part(signed, E'\n', 3) = encode(there.root, 'base64'), 'its root');
    IF for_good THEN
        INSERT INTO checkpoints (size, at, note) VALUES (of_size, signed_at, signed);
    END IF;
    INSERT INTO newest (cosigned, size, at, note, place)
        SELECT witnesses, of_size, signed_at, signed, coalesce(max(place), 0) + 1 FROM newest
        ON CONFLICT (cosigned) DO UPDATE SET size = excluded.size, at = excluded.at, note = excluded.note, place = excluded.place
        WHERE newest.size <= excluded.size;
    RETURN for_good OR FOUND;
END $$;

CREATE FUNCTION ctxgate_discard(proof bytea, of_size bigint, signed text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM ctxgate_require(proof, true);
    DELETE FROM checkpoints WHERE size = of_size AND note = signed;
    DELETE FROM newest WHERE size = of_size AND note = signed;
END $$;

CREATE FUNCTION ctxgate_refuse(
    proof bytea, lanes text[], epochs bigint[], firsts bigint[], nexts bigint[], codes text[], ids text[], signed bytea[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM ctxgate_require(proof, true);
    INSERT INTO refused (lane, epoch, first, next, code, decision_id, signature)
        SELECT * FROM unnest(lanes, epochs, firsts, nexts, codes, ids, signed);
END $$;

REVOKE INSERT ON lanes, runs, records, entries, codes, ranges, tiles, checkpoints, newest FROM ctxgate_gateway, ctxgate_eraser;
REVOKE UPDATE (size, root, edge) ON head FROM ctxgate_gateway, ctxgate_eraser;
REVOKE UPDATE (size, place, at, note) ON newest FROM ctxgate_gateway, ctxgate_eraser;
GRANT SELECT ON refused TO ctxgate_gateway, ctxgate_eraser, ctxgate_auditor;
REVOKE EXECUTE ON FUNCTION ctxgate_admit, ctxgate_require, ctxgate_that, ctxgate_open_lane, ctxgate_append, ctxgate_accept,
    ctxgate_edge, ctxgate_extend, ctxgate_rewind, ctxgate_publish, ctxgate_discard, ctxgate_refuse FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ctxgate_admit, ctxgate_open_lane, ctxgate_append, ctxgate_accept, ctxgate_extend, ctxgate_rewind,
    ctxgate_publish, ctxgate_discard, ctxgate_refuse TO ctxgate_gateway, ctxgate_eraser;

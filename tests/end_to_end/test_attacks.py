"""
What somebody could do to a ledger or to an export of it, and who finds it out.

Each row of the tables is one attack, with what `ctxgate ledger verify` says of the store that was attacked (with an auditor's own
trust policy, and the pin) and what `verify_ledger.py --policy POLICY --fresh 10m` says of its export.  `NOT_SEEN` stands where
neither can; `docs/auditors.md` lists these, and `test_what_only_others_can_show` has who shows them.
Not here: names that were swapped, evidence that was deleted and reviews that were forged, which stand beside the log.
"""

import re
import shutil
import sqlite3

from pathlib import Path

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer
from ledger.errors import LedgerError
from ledger.log import LogReader
from ledger.pin import HeadPin
from ledger.sqlite.store import SqliteStore
from ledger.tlog.checkpoint import Checkpoint, Proof
from ledger.tlog.note import sign
from tests.support.attacked import by_itself, export, fill, from_storage, made, same
from tests.support.strategies import ORIGIN, signer, uid
from tests.support.tampering import tamper

NOT_SEEN = "$"
"""Nothing is said."""

STRANGER = Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The ledger that nobody touched yet."""
    return made(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def place(whole, tmp_path):
    return whole.copied(tmp_path)


@pytest.fixture
def exported(whole, tmp_path):
    """An export of it, to be spoiled."""
    shutil.copytree(whole.state.parent / "export", tmp_path / "out")
    return tmp_path / "out"


def test_what_nobody_touched_verifies(whole):
    """
    Held against the policy, the pin, a kept checkpoint and a witness's last head, the ledger and its export verify.
    """
    assert from_storage(whole, fresh=True) == ""
    outside = whole.outside
    more = ("--older", outside / "kept", "--witness", outside / "head", "--apart", "30h")
    assert by_itself(whole.state.parent / "export", "--policy", whole.policy, "--fresh", "10m", *more) == ""


# ── what is done to the store ──


def sql(*statements):
    return lambda place: tamper(place.store, *((one,) if isinstance(one, str) else one for one in statements))


def in_record(old, new, index=21):
    """A record changed in its bytes, of the same length."""
    where = f"(SELECT decision_id FROM entries WHERE idx = {index})"
    return sql(
        f"UPDATE records SET body = CAST(replace(CAST(body AS TEXT), '{old}', '{new}') AS BLOB) WHERE decision_id = {where}"
    )


def of_notes(act, where="1"):
    """Every checkpoint of both tables rewritten by a function."""

    def attack(place):
        with sqlite3.connect(place.store) as connection:
            connection.create_function("act", 1, act)
        connection.close()
        with sqlite3.connect(place.store) as connection:
            connection.create_function("act", 1, act)
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            for table in ("checkpoints", "newest"):
                connection.execute(f"UPDATE {table} SET note = act(note) WHERE {where}")
        connection.close()

    return attack


def flipped(note, line):
    """A note with one character of a signature below it changed."""
    lines = note.split("\n")
    signatures = [n for n, one in enumerate(lines) if one.startswith("\u2014")]
    which = signatures[min(line, len(signatures) - 1)]
    at = len(lines[which]) - 20
    lines[which] = lines[which][:at] + ("A" if lines[which][at] != "A" else "B") + lines[which][at + 1 :]
    return "\n".join(lines)


def uncosigned(note):
    return "".join(line for line in note.splitlines(keepends=True) if not line.startswith("\u2014 w"))


def cosigned_by_another(note):
    return re.sub(r"\u2014 (w\d)\.test (\S{8})", lambda m: f"\u2014 {m[1]}.other {m[2]}", note)


def cut(place, *, pin=True, size=None):
    """The log put back to what it was three hours ago, when it was cosigned: rows, lanes, tiles, head and checkpoints."""
    store = SqliteStore(place.store)
    seen = next(one for one in store.checkpoints() if one.size < store.head().size)
    cut_at = size or seen.size
    reader = LogReader(store)
    edges = b"".join(
        reader.hashes(level, cut_at // 256 ** (level + 1), cut_at) for level in range(2) if cut_at // 256**level % 256
    )
    root = reader.root(cut_at)
    store.close()
    rows = "(SELECT decision_id FROM entries WHERE idx < ?)"
    tamper(
        place.store,
        (f"DELETE FROM records WHERE decision_id NOT IN {rows}", cut_at),
        ("DELETE FROM entries WHERE idx >= ?", cut_at),
        ("DELETE FROM codes WHERE idx >= ?", cut_at),
        ("DELETE FROM ranges WHERE start >= ?", cut_at),
        (
            """
            DELETE FROM runs WHERE NOT EXISTS
            (SELECT 1 FROM records r WHERE r.lane = runs.lane AND r.epoch = runs.epoch AND r.seq = runs.first)
            """,
        ),
        ("DELETE FROM tiles WHERE level > 0 OR (number + 1) * 256 > ?", cut_at),
        ("DELETE FROM checkpoints WHERE size > ?", cut_at),
        ("DELETE FROM newest WHERE size > ?", cut_at),
        ("UPDATE head SET size = ?, root = ?, edge = ?", cut_at, root, edges),
    )
    if not pin:
        place.settings.pin.unlink()
    return seen


def re_signed(place, **how):
    """The same, with a checkpoint of now signed by the log's key over what is left."""
    seen = cut(place, **how)
    store = SqliteStore(place.store)
    store.publish(Checkpoint(ORIGIN, seen.size, store.head().root), seen.at, _signed(store))
    store.close()


def _signed(store, key=None):
    head = store.head()
    return sign(str(Checkpoint(ORIGIN, head.size, head.root)), [key or signer()])


def pinned_anew(place):
    store = SqliteStore(place.store)
    newest = store.published()
    store.close()
    place.settings.pin.unlink(missing_ok=True)
    HeadPin(place.settings.pin).write(newest.note, None)


def rewritten(change, *, key=True, pin=False, witnessed=False):
    """The whole ledger made anew, changed on the way."""

    def attack(place):
        kept = place.settings.pin.read_bytes()
        for path in place.state.glob("ledger.sqlite*"):
            path.unlink()
        fill(place, change, witnessed=witnessed)
        if not key:
            store = SqliteStore(place.store)
            lie = _signed(store, STRANGER)
            size = store.head().size
            store.close()
            tamper(
                place.store,
                ("UPDATE checkpoints SET note = ? WHERE size = ?", lie, size),
                ("UPDATE newest SET note = ?", lie),
            )
        if not pin:
            place.settings.pin.write_bytes(kept)

    return attack


def consenting(draft):
    return draft.model_copy(update={"outcome": "released", "codes": ()})


def backdated(days):
    """Records dated days before, in a ledger that goes on and is cosigned."""

    def change(draft):
        moment = draft.at[:4]
        return draft.model_copy(update={"at": f"{int(moment) - max(1, days // 365)}{draft.at[4:]}"})

    return change


def earlier_day(place):
    """The whole state folder as it was at its first hour, cosigned then; the log went on since."""
    for path in place.state.glob("ledger.sqlite*"):
        path.unlink()
    place.settings.pin.unlink()
    fill(place, hours=1)


def without(file):
    return lambda place: file(place).unlink()


def keys_of(place):
    return place.settings.verifier_keys


def stranger_signs(keys):
    """All checkpoints signed by another key, and what becomes of the file of the log's keys."""

    def attack(place):
        of_notes(lambda note: sign(note.partition("\n\n")[0] + "\n", [STRANGER]))(place)
        pinned_anew(place)
        keys(keys_of(place))

    return attack


def all_of(*acts):
    def attack(place):
        for act in acts:
            act(place)

    return attack


def bundle_of(place):
    [path] = place.settings.bundles_dir.glob("*.bundle")
    return path


STORE = {
    # name: (attack, what `ledger verify` says, what the standalone verifier says of an export made afterwards)
    "a byte of a record": (in_record("denied", "Denied"), r"entry 21\b", r"entry 21 .*tile 0/0"),
    "a blank in a record": (in_record('"agent":', '"agent": '), r"entry 21\b", r"entry 21\b"),
    "the time of a record": (in_record('"at":"2', '"at":"1'), r"entry 21: .*column at", r"entry 21 .*tile 0/0"),
    "index column: outcome": (
        sql("UPDATE entries SET outcome = 'denied' WHERE idx = 2"),
        "outcome",
        "index .*entry 2 ",
    ),
    "index column: subject": (sql("UPDATE entries SET subject = 'other' WHERE idx = 2"), "subject", "index .*entry 2 "),
    "index column: time": (sql("UPDATE entries SET at = '2020' WHERE idx = 2"), "at does not", "index .*entry 2 "),
    "a code hidden": (sql("DELETE FROM codes WHERE idx = 1"), "codes", "index .*entry 1 "),
    "a tile": (sql("UPDATE tiles SET hashes = zeroblob(8192) WHERE level = 0"), "tile 0/0", "entry 0 .*tile 0/0"),
    "the head's edge": (
        sql("UPDATE head SET edge = zeroblob(length(edge))"),
        "head|log",
        "tile|proof .* does not hold",
    ),
    "the newest signature": (
        of_notes(lambda n: flipped(n, 0), "size = (SELECT size FROM head)"),
        "does not hold",
        "does not hold",
    ),
    "an older signature": (
        of_notes(lambda n: flipped(n, 0), "size = (SELECT min(size) FROM checkpoints)"),
        "does not hold",
        "does not hold",
    ),
    "a cosignature flipped": (of_notes(lambda n: flipped(n, 1)), "does not hold", "does not hold"),
    "cosignatures removed": (of_notes(uncosigned), "as many witnesses", "not enough witnesses"),
    "cosignatures by others": (
        of_notes(cosigned_by_another),
        "as many witnesses|does not hold",
        "not enough witnesses|does not hold",
    ),
    "the newest cosignatures removed": (
        all_of(
            sql("DELETE FROM newest WHERE cosigned > 0"),
            of_notes(uncosigned, "size > (SELECT size FROM checkpoints ORDER BY size LIMIT 1)"),
        ),
        "quorum of witnesses is .* old",
        "not enough witnesses",
    ),
    "cut to what was signed": (cut, "seen before", r"quorum is \d+ h old"),
    "the same, pin deleted": (lambda place: cut(place, pin=False), "witnesses is .* old", r"quorum is \d+ h old"),
    "cut and signed again": (re_signed, "seen before", "not enough witnesses|quorum is"),
    "cut, signed and pinned again": (
        all_of(re_signed, pinned_anew),
        "witnesses is .* old",
        "not enough witnesses|quorum is",
    ),
    "the whole state of an earlier day": (earlier_day, "witnesses is .* old", r"quorum is \d+ h old"),
    "another view under the same key": (rewritten(same, pin=True), "as many witnesses", "not enough witnesses"),
    "the last records deleted, checkpoints kept": (
        sql("DELETE FROM records WHERE rowid > 100", "DELETE FROM entries WHERE idx >= 100"),
        r"seen before|entry 100\b",
        None,
    ),
    "a record deleted": (
        sql("DELETE FROM records WHERE decision_id = (SELECT decision_id FROM entries WHERE idx = 9)"),
        "entry 9: it is gone",
        r"entry 9 .*tile 0/0",
    ),
    "two records in each other's place": (
        sql(
            "UPDATE entries SET idx = 9999 WHERE idx = 5",
            "UPDATE entries SET idx = 5 WHERE idx = 6",
            "UPDATE entries SET idx = 6 WHERE idx = 9999",
        ),
        "entry 5",
        "entry 5 .*tile 0/0",
    ),
    "a row outside the log": (
        sql(
            (
                """
                INSERT INTO records (lane, epoch, seq, decision_id, body)
                SELECT lane, epoch, 90000, ?, body FROM records WHERE rowid = 1
                """,
                uid(),
            )
        ),
        "are stored",
        NOT_SEEN,
    ),
    "signed by another key": (stranger_signs(lambda path: None), "sign|hold", "not signed by the log's key"),
    "the same, the file of keys replaced": (
        stranger_signs(lambda path: path.write_text(f"{STRANGER.key}\n")),
        "sign|hold",
        "not signed by the log's key",
    ),
    "the same, the file of keys emptied": (
        stranger_signs(lambda path: path.write_text("")),
        "sign",
        "not signed by the log's key",
    ),
    "the same, the file of keys deleted": (stranger_signs(Path.unlink), "sign", "not signed by the log's key"),
    "decisions forged without the key": (
        rewritten(consenting, key=False),
        "seen before|sign",
        "not signed by the log's key",
    ),
    "decisions forged with the key": (rewritten(consenting), "seen before", "not enough witnesses"),
    "decisions forged with key and pin": (rewritten(consenting, pin=True), "as many witnesses", "not enough witnesses"),
    "all backdated with key and pin": (
        rewritten(backdated(365), pin=True),
        "as many witnesses",
        "not enough witnesses",
    ),
    "backdated as it was written": (
        rewritten(backdated(365), pin=True, witnessed=True),
        r"entry 0: it is dated \d{4}-.*bears that out",
        r"entry 0 is dated \d{4}-.* 36[56] d before it was cosigned",
    ),
    "dated after it was cosigned": (
        rewritten(lambda draft: draft.model_copy(update={"at": "2099" + draft.at[4:]}), pin=True, witnessed=True),
        r"dated 2099-.*after it was cosigned",
        r"entry \d+ is dated 2099",
    ),
    "a ruling dropped, key and pin": (
        rewritten(lambda draft: None if draft.item and draft.item.id == "item-1" else draft, pin=True),
        "as many witnesses",
        "not enough witnesses",
    ),
    "kind, outcome and time that there are not": (
        rewritten(
            lambda draft: draft.model_copy(update={"kind": "anything.at.all", "outcome": "nobody", "at": "yesterday"}),
            pin=True,
            witnessed=True,
        ),
        "kind|outcome|format",
        "not a record",
    ),
    "the checkpoints between deleted": (sql("DELETE FROM checkpoints"), "none of 0 to 65535 entries is kept", NOT_SEEN),
    "the pin deleted": (without(lambda place: place.settings.pin), "there is not: pin", NOT_SEEN),
    "a bundle replaced": (
        lambda place: bundle_of(place).write_text("nothing"),
        NOT_SEEN,
        "does not have the hash that is its name",
    ),
    "a bundle deleted": (without(bundle_of), NOT_SEEN, "the bundle sha256:.* decided entry 0 and is not in bundles"),
}


@pytest.mark.parametrize("name", STORE)
def test_the_store_is_attacked(name, place, tmp_path):
    """
    `ctxgate ledger verify` with an auditor's own policy names what was done; so does the standalone verifier of an export.
    """
    attack, storage, alone = STORE[name]
    attack(place)
    fresh = "old" in storage
    found = from_storage(place, fresh=fresh)
    assert re.search(storage, found) if storage != NOT_SEEN else found == "", found
    if alone is None:
        return
    try:
        export(place, tmp_path / "out")
    except LedgerError as error:
        assert re.search(alone + "|gone|there", str(error)), error
        return
    said = by_itself(tmp_path / "out", "--policy", place.policy, "--fresh", "10m")
    assert re.search(alone, said) if alone != NOT_SEEN else said == "", said


# ── what is done to an export ──


def fork_under(folder):
    """A proof under a signed checkpoint of a log that this one does not contain."""
    path = next((folder / "receipts").iterdir())
    proof = Proof.parse(path.read_text())
    lie = sign(str(Checkpoint(ORIGIN, 9999, bytes(32))), [signer()])
    path.write_text(str(Proof(proof.index, proof.hashes, lie)))


def stray(folder):
    path = min((folder / "receipts").iterdir())
    shutil.copy(path, folder / "receipts/pack_that-never-was.tlog-proof")


def cut_by_hand(folder):
    """Without any key: an earlier cosigned checkpoint in the place of the newest, and only what it covers."""
    notes = (folder / "checkpoints").read_text().split("\n\n")
    (folder / "checkpoint").write_text(f"{notes[0]}\n\n{notes[1]}\n")


def shorter_list(folder):
    notes = (folder / "checkpoints").read_text().split("\n\n")
    (folder / "checkpoints").write_text("\n\n".join([*notes[:2], *notes[4:]]))


EXPORT = {
    "the index removed": (lambda out: (out / "index.jsonl").unlink(), "has no index"),
    "the checkpoints removed": (lambda out: (out / "checkpoints").unlink(), "has no checkpoints"),
    "the receipts removed": (lambda out: shutil.rmtree(out / "receipts"), "has no receipts"),
    "the bundles removed": (lambda out: shutil.rmtree(out / "bundles"), "has no bundles"),
    "the manifest removed": (lambda out: (out / "manifest").unlink(), "has no manifest"),
    "one receipt removed": (lambda out: next((out / "receipts").iterdir()).unlink(), "tlog-proof cannot be read"),
    "one receipt too many": (stray, "pack_that-never-was.tlog-proof is of no pack"),
    "one checkpoint of the list removed": (shorter_list, "checkpoints is not what the export was signed with"),
    "a bundle that is text": (
        lambda out: next((out / "bundles").iterdir()).write_text("nothing"),
        "does not have the hash that is its name",
    ),
    "a bundle too many": (lambda out: (out / "bundles/x.bundle").write_text("x"), "does not have the hash"),
    "a proof of a fork": (fork_under, r"signed checkpoint of 9999 entries, and here are \d+"),
    "policy.tlog asks for nobody": (
        lambda out: (out / "policy.tlog").write_text(f"log {signer().key}\nquorum none\n"),
        "policy.tlog is not what the export was signed with",
    ),
    "another key among the log's": (
        lambda out: (out / "log.vkey").write_text(f"{signer().key}\n{STRANGER.key}\n"),
        "log.vkey is not what the export was signed with",
    ),
    "cut without any key": (cut_by_hand, r"the export was made of \d+ entries, and its checkpoint has \d+"),
}


@pytest.mark.parametrize("name", EXPORT)
def test_an_export_is_attacked(name, whole, exported):
    """
    What is taken out of an export, put into it or replaced in it is named, also where the folder is all that the attacker has.
    """
    attack, said = EXPORT[name]
    attack(exported)
    for more in (("--policy", whole.policy, "--fresh", "10m"), ("--vkey", signer().key)):
        answer = by_itself(exported, *more)
        assert re.search(said, answer), answer


# ── what only others can show ──


def test_what_only_others_can_show(whole, place, exported, tmp_path):
    """
    A cut of less than what freshness asks for passes alone; a kept checkpoint shows it, and so does a witness's last head.
    """
    cut(place)
    place.settings.pin.unlink()
    export(place, tmp_path / "cut")
    trusted = ("--policy", place.policy, "--fresh", "5h")
    assert by_itself(tmp_path / "cut", *trusted) == ""
    assert "the log was cut" in by_itself(tmp_path / "cut", *trusted, "--older", place.outside / "kept")
    assert re.search(
        r"a witness saw \d+ entries, and here are \d+: the log was cut",
        by_itself(tmp_path / "cut", *trusted, "--witness", place.outside / "head"),
    )


def test_parts_may_be_waived(whole, exported):
    """
    An auditor who asks for less gets it, and the verdict says what was not asked for.
    """
    for part in ("index.jsonl", "manifest"):
        (exported / part).unlink()
    trusted = ("--policy", whole.policy, "--fresh", "10m")
    assert "has no index, manifest" in by_itself(exported, *trusted)
    assert by_itself(exported, *trusted, "--waive", "index", "--waive", "manifest") == ""
    assert "has no index" in by_itself(exported, *trusted, "--require", "index")
    assert by_itself(exported, *trusted, "--require", "receipts") == ""


def test_times_that_nobody_bounds(whole, exported):
    """
    Where checkpoints are too far apart for what an auditor wants to know, the entries whose time is not bound are named.
    """
    trusted = ("--policy", whole.policy, "--fresh", "10m")
    assert re.search(r"times of entries \d+ to \d+ are bound to", by_itself(exported, *trusted, "--apart", "1h"))
    assert by_itself(exported, *trusted, "--apart", f"{24 + 2}h") == ""

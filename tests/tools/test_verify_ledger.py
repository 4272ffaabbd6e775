"""The standalone verifier against good, spoiled and hostile exports."""

import contextlib
import hashlib
import json
import random
import shutil
import subprocess
import sys
import tracemalloc

from typing import get_args

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from gateway.audit.evidence import Evidence
from gateway.audit.export import export_ledger
from gateway.audit.open_ledger import OpenLedger
from gateway.settings import HOME, Settings
from ledger.checkpoints.kept import SPAN
from ledger.checks.rotation import rotation_codes
from ledger.errors import RecordInvalidError
from ledger.lane import LaneWriter
from ledger.pin import HeadPin
from ledger.query import project
from ledger.record import SCHEMA, GatewayPart, ItemPart, Kind, Record, RecordOutcome, parse_record
from ledger.sequencer import Sequencer
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.note import sign
from tests.support.attacked import Believing, by_itself, verifier
from tests.support.records import GATEWAY, LANE, drafts
from tests.support.strategies import (
    AT,
    ORIGIN,
    keys,
    new_lane,
    ruling,
    sealing,
    sequencer,
    signer,
    uid,
    write,
    write_request,
)
from tools import verify_ledger
from tools.verify_ledger import ed25519, index_row, read_entry

VERIFIER = HOME / "tools/verify_ledger.py"


@pytest.fixture(scope="module")
def export(tmp_path_factory):
    """An export of 600 entries, and a checkpoint that was seen before."""
    folder = tmp_path_factory.mktemp("export")
    store, lane = new_lane(folder / "ledger.sqlite")
    write_request(lane, ["released", "denied", "released"])
    older = sequencer(store).run()
    for _ in range(119):
        write_request(lane, ["released", "denied", "released", "denied"])
    published = sequencer(store).run()
    evidence = Evidence(store, AesSealer(FileKeyWrap(bytes(32))))
    parts = OpenLedger(store, HeadPin(folder / "pin"), evidence, signer(), keys(), None)
    export_ledger(parts, store, published, folder / "out", Settings(state_dir=folder, origin=ORIGIN))
    (folder / "older").write_text(older.note)
    yield folder / "out", folder / "older"
    store.close()


def verify(folder, *more):
    """In this process, where nothing has to be seen of another."""
    return verifier(folder, *more)


def as_command(folder, *more):
    """As an auditor runs it."""
    command = [sys.executable, "-I", str(VERIFIER), str(folder), "--seconds", "60", *map(str, more)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


@pytest.fixture
def copy(export, tmp_path):
    shutil.copytree(export[0], tmp_path / "copy")
    return tmp_path / "copy"


def test_it_accepts_what_is_whole(export):
    """
    An untouched export verifies with a key from elsewhere and from an older checkpoint.
    """
    folder, older = export
    done = as_command(folder, "--vkey", signer().key, "--older", older)
    assert done.returncode == 0, done.stdout
    assert not done.stderr
    assert "599 entries" in done.stdout
    assert "120 packs, 120 proofs" in done.stdout


def test_it_needs_nothing_of_ours():
    """
    It imports the standard library alone.
    """
    code = VERIFIER.read_text()
    imports = {line.split()[1].partition(".")[0] for line in code.splitlines() if line.startswith(("import ", "from "))}
    assert imports <= sys.stdlib_module_names


def test_it_knows_the_kinds_and_outcomes_of_the_format():
    """
    What it takes for a kind, an outcome and a schema is what records may say.
    """
    assert set(verify_ledger.KINDS) == set(get_args(Kind))
    assert set(verify_ledger.OUTCOMES) == set(get_args(RecordOutcome))
    assert verify_ledger.SCHEMAS[0] == SCHEMA
    assert verify_ledger.SPAN == SPAN


FILES = [
    "checkpoint",
    "index.jsonl",
    "tile/entries/000",
    "tile/entries/002.p/87",
    "tile/0/001",
    "tile/0/002.p/87",
    "tile/1/000.p/2",
]


@pytest.mark.parametrize("name", FILES)
def test_any_flipped_byte_is_found(copy, name):
    """
    A changed byte anywhere ends with a status that is not 0, and with a sentence.
    """
    whole = (copy / name).read_bytes()
    for place in random.Random(name).sample(range(len(whole)), 4):
        body = bytearray(whole)
        body[place] ^= 1
        (copy / name).write_bytes(body)
        done = verify(copy, "--vkey", signer().key)
        assert done.returncode in {1, 2}, (name, place, done.stdout)
        assert done.stdout.startswith(("DOES NOT VERIFY", "UNUSABLE"))
        assert not done.stderr


def test_an_earlier_root_that_was_changed(copy):
    """
    The list of earlier checkpoints is held against the entries.
    """
    listed = (copy / "checkpoints").read_text()
    root = listed.split("\n")[2]
    (copy / "checkpoints").write_text(listed.replace(root, root[::-1].lstrip("=") + "="))
    assert verify(copy).returncode in {1, 2}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", ["missing", "empty", "cut", "huge", "folder"])
def test_hostile_files(copy, name, how):
    """
    Missing, empty, cut and huge files, and folders in their place, end soon and not with 0.
    """
    path = copy / name
    body = path.read_bytes()
    path.unlink()
    if how == "empty":
        path.write_bytes(b"")
    elif how == "cut":
        path.write_bytes(body[:-7])
    elif how == "huge":
        with path.open("wb") as file:
            file.truncate(10**11)
    elif how == "folder":
        path.mkdir()
    done = verify(copy)
    assert done.returncode in {1, 2}, done.stdout
    assert not done.stderr


def test_hostile_checkpoints(copy):
    """
    Sizes that no log has, and trees that its tiles are not of, end soon and not with 0.
    """
    for size in (0, 1, 598, 600, 10**15):
        (copy / "checkpoint").write_text(sign(str(Checkpoint(ORIGIN, size, bytes(32))), [signer()]))
        assert verify(copy, "--vkey", signer().key).returncode in {1, 2}


def test_a_row_hidden_from_the_index(copy):
    """
    A store whose index leaves out a record, or changes what it is found by, is found out by its own export.
    """
    lines = [json.loads(line) for line in (copy / "index.jsonl").read_text().splitlines()]
    changed = [[*row[:10], "OTHER", *row[11:]] for row in lines[0]]
    for spoiled in (
        [[*lines[0][:7], *lines[0][8:]], *lines[1:]],
        lines[:-1],
        [*lines, lines[0]],
        [changed, *lines[1:]],
        [lines[1], lines[0], *lines[2:]],
    ):
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in spoiled)
        (copy / "index.jsonl").write_text(text)
        done = verify(copy)
        assert done.returncode in {1, 2}
        assert "index" in done.stdout


def test_a_shorter_or_other_log(export, copy, tmp_path):
    """
    A log that is shorter than one seen before, or that forked from it, does not verify from the older checkpoint.
    """
    _, older = export
    newer = tmp_path / "newer"
    newer.write_text(sign(str(Checkpoint(ORIGIN, 700, bytes(32))), [signer()]))
    fork = tmp_path / "fork"
    fork.write_text(sign(str(Checkpoint(ORIGIN, 4, bytes(32))), [signer()]))
    assert verify(copy, "--older", older).returncode == 0
    for seen in (newer, fork):
        done = verify(copy, "--older", seen)
        assert done.returncode == 1, done.stdout


def test_a_quorum_that_is_not_met(copy):
    """
    An auditor's own policy asks for witnesses that did not cosign.
    """
    from adapters.ledger.ed25519 import make_signing_key
    from ledger.tlog.note import COSIGNATURE

    witness = make_signing_key("w.test", copy / "w.skey", COSIGNATURE).key
    (copy / "mine").write_text(f"log {signer().key}\nwitness w {witness}\nquorum w\n")
    done = verify(copy, "--policy", copy / "mine")
    assert done.returncode == 1
    assert "witnesses" in done.stdout


def test_it_gives_up_in_time(copy):
    """
    An export on a file that never answers ends when it should, with a status of its own.
    """
    import os

    (copy / "tile/entries/001").unlink()
    os.mkfifo(copy / "tile/entries/001")
    done = as_command(copy, "--seconds", "2")
    assert done.returncode in {2, 3}


NAMED = f'"{ORIGIN}"'


class TestReading:
    """The verifier reads records by their one form, without a JSON parser; ours does with one."""

    @given(drafts)
    def test_what_it_reads(self, draft):
        """
        Of whatever a record says it reads what is there, and its row of the index is that of the store.
        """
        record = draft.placed(origin=ORIGIN, lane=LANE, gateway=GATEWAY)
        try:
            body = record.encode()
        except RecordInvalidError:
            return
        members, fields = parse_record(body), read_entry(body, NAMED)
        said = {
            "decision": members["decision_id"],
            "item": members["item"]["id"],
            "prev": LANE.prev,
            "at": members["at"],
        }
        assert {name: json.loads(fields[name]) for name in said} == said
        row = json.loads(index_row(7, fields, members["pack"]))
        place = [7, LANE.id, LANE.epoch, LANE.seq]
        assert row == [*place, *project(members).values(), sorted(set(members["codes"]))]
        assert read_entry(body, '"another"') is None

    @given(draft=drafts, data=st.data())
    def test_it_reads_nothing_else(self, draft, data):
        """
        Of a record that was changed anywhere it takes nothing that is not in the one form of a record, and all that still is.
        """
        draft = draft.model_copy(update={"detectors": {"presidio": "2", "injection": "1"}})
        body = bytearray(draft.placed(origin=ORIGIN, lane=LANE, gateway=GATEWAY).encode())
        at = data.draw(st.integers(0, len(body)))
        other = data.draw(
            st.sampled_from([b"", b" ", b'"', b"\\", b",", b"0", b"-", b"x", b"\\u0041", b"\xff", b"\n", b"{}"])
        )
        body[at : at + data.draw(st.integers(0, 3))] = other
        taken = read_entry(bytes(body), NAMED) is not None
        if taken:
            Record.decode(bytes(body))
        with contextlib.suppress(RecordInvalidError):
            taken = taken or Record.decode(bytes(body)).origin != ORIGIN
            assert taken

    @pytest.mark.parametrize(
        ("old", "new", "taken"),
        [
            ('"tenant":"gfm"', f'"tenant":"{"x" * 300}"', True),
            ('"tenant":"gfm"', f'"tenant":"{"x" * 301}"', False),
            ('"tenant":"gfm"', f'"tenant":"{"é" * 300}"', True),
            ('"tenant":"gfm"', '"tenant":"\\u0000"', False),
            ('"bytes":1', f'"bytes":{2**53 - 1}', True),
            ('"bytes":1', f'"bytes":{2**53}', False),
            ("09:15:00", "24:15:00", False),
            ('"kind":"item.ruled"', '"kind":"item.rulet"', False),
            ('"outcome":"released"', '"outcome":"approved"', False),
            ('"released_commitment":null', '"released_commitment":"00"', False),
        ],
    )
    def test_bounds(self, old, new, taken):
        """
        Texts of 300 characters and numbers below 2^53 are taken and larger ones are not, nor what is none of the listed values.
        """
        body = ruling(uid()).placed(origin=ORIGIN, lane=LANE, gateway=GATEWAY).encode().decode()
        assert body.count(old) == 1
        changed = body.replace(old, new).encode()
        assert (read_entry(changed, NAMED) is not None) == taken
        with contextlib.nullcontext() if taken else pytest.raises(RecordInvalidError):
            Record.decode(changed)

    @pytest.mark.parametrize("text", ["\\\\", '"', '","', "\\u0000", '":"', "["])
    def test_hostile_entries(self, text):
        """
        An entry of the largest size that is no record is refused, and soon.
        """
        for head in (
            '{"agent":"',
            '{"agent":null,"at":"","codes":["',
            '{"agent":null,"at":"","codes":[],"decision_id":"","detectors":{"',
        ):
            assert read_entry((head + text * 60_000)[:65_535].encode(), NAMED) is None


class TestSignatures:
    @given(message=st.binary(max_size=40), change=st.integers(0, 64 * 8 - 1))
    def test_they_hold_where_openssl_says_so(self, message, change):
        """
        A signature holds; with any bit of it changed it does not, as for OpenSSL.
        """
        public, signature = signer().key.public, signer().sign(message)
        assert ed25519(public, signature, message)
        other = bytearray(signature)
        other[change // 8] ^= 1 << change % 8
        assert not ed25519(public, bytes(other), message)
        assert not ed25519(public, signature, message + b"x")

    def test_points_of_small_order_sign_nothing(self):
        """
        Keys and points that every message would be signed by, and scalars beyond the group's order, are refused as OpenSSL does.
        """
        message, order = b"x", 2**252 + 27742317777372353535851937790883648493
        signature = signer().sign(message)
        beyond = signature[:32] + (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
        assert not ed25519(signer().key.public, beyond, message)
        assert not ed25519(b"\xff" * 32, signature, message)
        assert not ed25519(signer().key.public, signature[:63], message)


class TestGrowth:
    """What grows with a log is read in parts, and what has to be sorted lies in files."""

    @pytest.fixture
    def small_parts(self, monkeypatch):
        monkeypatch.setattr(verify_ledger, "EACH", 40)
        monkeypatch.setattr(verify_ledger, "HELD", 2000)

    def test_in_many_parts_it_finds_the_same(self, export, small_parts):
        """
        A log in partitions that are written out verifies as one in memory does.
        """
        assert by_itself(export[0], "--vkey", signer().key, "--older", export[1]) == ""

    def test_in_many_parts_it_finds_a_hidden_ruling(self, tmp_path, small_parts):
        """
        A pack that hides a ruling that stands far from it is named.
        """
        store, lane = new_lane(tmp_path / "ledger.sqlite")
        for _ in range(30):
            write_request(lane, ["released", "denied"])
        write(lane, ruling(parse_record(store.waiting(1)[0].bodies[0])["request_id"], "item-9", "denied"))
        published = Believing(store, ORIGIN, [signer()], keys).run()
        parts = OpenLedger(store, None, None, signer(), keys(), None)
        export_ledger(parts, store, published, tmp_path / "out", Settings(state_dir=tmp_path, origin=ORIGIN))
        store.close()
        assert "entry 2 seals a pack over other rulings" in by_itself(tmp_path / "out", "--vkey", signer().key)

    def test_in_many_parts_it_finds_a_decision_twice(self, export, small_parts, monkeypatch):
        """
        A decision that stands twice, far apart, is named.
        """
        store_ids = [json.loads(line)[3][5] for line in (export[0] / "index.jsonl").read_text().splitlines()[1:]]
        first, second = (bytes.fromhex(one.replace("-", "")) for one in store_ids)
        real = verify_ledger.packed
        monkeypatch.setattr(verify_ledger, "packed", lambda text: first if real(text) == second else real(text))
        assert "entry 515 repeats a decision" in by_itself(export[0], "--vkey", signer().key)

    def test_a_long_list_of_checkpoints_is_read_one_at_a_time(self, export, tmp_path):
        """
        However long the list is, no more than one note of it is in memory.
        """
        note = (export[0] / "checkpoint").read_text()
        path = tmp_path / "checkpoints"
        path.write_text("\n".join([note] * 30_000))
        tracemalloc.start()
        count = sum(1 for _ in verify_ledger.notes(path, hashlib.sha256()))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert count == 30_000
        assert peak < 500_000 < path.stat().st_size

    @pytest.mark.soak
    def test_ten_years_of_checkpoints(self, export, tmp_path):
        """
        A list of ten years, one each hour, verifies.
        """
        shutil.copytree(export[0], tmp_path / "out")
        note = (tmp_path / "out/checkpoint").read_text()
        (tmp_path / "out/checkpoints").write_text("\n".join([note] * 87_660))
        (tmp_path / "out/manifest").unlink()
        assert by_itself(tmp_path / "out", "--vkey", signer().key, "--waive", "manifest") == ""


class TestRotation:
    """The log says itself which key signs which of its trees, and nothing by a key that was replaced verifies after that."""

    @pytest.fixture
    def export_with(self, tmp_path):
        """An export of a log whose key was replaced at entry 3, with its newest checkpoint signed by a key."""
        old, new = (Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate()) for _ in range(2))
        both = tuple(Ed25519Verifier(one.key) for one in (new, old))

        def export(signed_by):
            store, lane = new_lane(tmp_path / f"{signed_by}.sqlite")
            write_request(lane, ["released", "denied"])
            Sequencer(store, ORIGIN, [old], lambda: (*both, *keys())).run()
            write(
                lane, ruling(uid(), kind="key.rotated", item=None, outcome=None, codes=rotation_codes(old.key, new.key))
            )
            Sequencer(store, ORIGIN, [new], lambda: (*both, *keys())).run()
            head = store.head()
            note = Checkpoint(ORIGIN, head.size, head.root)
            store.publish(note, AT, sign(str(note), [{"old": old, "new": new}[signed_by]]))
            evidence = Evidence(store, AesSealer(FileKeyWrap(bytes(32))))
            parts = OpenLedger(store, HeadPin(tmp_path / "pin"), evidence, new, both, None)
            folder = tmp_path / f"out-{signed_by}"
            export_ledger(parts, store, store.published(), folder, Settings(state_dir=tmp_path, origin=ORIGIN))
            store.close()
            return folder

        return export

    def test_each_key_in_its_turn(self, export_with):
        """
        Trees from before under the old key, and the newest under the new one, verify.
        """
        assert verify(export_with("new")).returncode == 0

    def test_a_stolen_key(self, export_with):
        """
        The newest tree under the old key, which is still among the log's keys, does not.
        """
        done = verify(export_with("old"))
        assert (done.returncode, "4 entries is signed by a key that had been replaced" in done.stdout) == (1, True), (
            done.stdout
        )


class TestRequests:
    """What several records say of one request or of one lane."""

    @pytest.fixture
    def forged(self, tmp_path):
        """What the verifier says of a log that somebody with its key made of what a function writes."""

        def say(fill):
            store, lane = new_lane(tmp_path / "ledger.sqlite")
            fill(lane)
            published = Believing(store, ORIGIN, [signer()], keys).run()
            parts = OpenLedger(store, None, None, signer(), keys(), None)
            folder = tmp_path / uid()
            export_ledger(parts, store, published, folder, Settings(state_dir=tmp_path, origin=ORIGIN))
            store.close()
            return by_itself(folder, "--vkey", signer().key)

        return say

    def test_a_decision_follows_one_other(self, forged):
        """
        Records of one request that follow different decisions are named.
        """
        request, before = uid(), uid()
        same = [ruling(request, "one", repeats=before), ruling(request, "two", repeats=before)]
        assert forged(lambda lane: write(lane, *same)) == ""
        said = forged(lambda lane: write(lane, ruling(request, "three")))
        assert "entry 2 names another decision before it than its request does" in said

    def test_a_decision_does_not_follow_itself(self, forged):
        """
        Nor may a decision name itself.
        """
        request = uid()
        said = forged(lambda lane: write(lane, ruling(request, "one", repeats=request)))
        assert "entry 0 names another decision" in said

    def test_nothing_is_ruled_after_the_pack(self, forged):
        """
        A pack that counts a ruling which stands after it was not sealed over what it says.
        """
        request = uid()
        last = GatewayPart(replica="ffffffff-ffff-4fff-8fff-ffffffffffff", build="test")

        def fill(lane):
            other = LaneWriter(lane.store, ORIGIN, last, signer())
            written = [*write(lane, ruling(request, "one")), *write(other, ruling(request, "late"))]
            write(lane, sealing(request, written))

        assert "entry 1 seals a pack, and its request is ruled on after it" in forged(fill)

    @pytest.mark.parametrize(("first", "said"), [(7, ""), (0, "entry 1 says that a lane was set aside")])
    def test_what_was_set_aside_is_not_in_the_log(self, forged, first, said):
        """
        A record says that a lane was set aside from a place on, and the log has more of it.
        """

        def fill(lane):
            write(lane, ruling(uid(), "one"))
            place = "/".join(map(str, (*lane.position[:2], f"{first}-9")))
            item = ItemPart(id=place, commitment="0" * 64, bytes=1, media_type="text/plain")
            refused = ruling(uid(), kind="record.refused", subject=None, outcome=None, item=item, codes=("RUN-CHAIN",))
            write(lane, refused)

        told = forged(fill)
        assert (told == "") == (said == "")
        assert said in told


def test_a_reader_who_stops_early(export):
    """
    Where nobody reads on, it ends without a trace of Python's, and not as if the ledger verified.
    """
    command = f"{sys.executable} -I {VERIFIER} {export[0]} --vkey '{signer().key}' | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=100)
    assert (done.returncode, done.stderr) == (2, "")

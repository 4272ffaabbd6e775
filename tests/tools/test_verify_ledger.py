"""The standalone verifier against good, spoiled and hostile exports."""

import contextlib
import json
import random
import shutil
import subprocess
import sys

import pytest

from hypothesis import given
from hypothesis import strategies as st

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from gateway.audit.evidence import Evidence
from gateway.audit.export import export_ledger
from gateway.audit.open_ledger import OpenLedger
from gateway.settings import HOME, Settings
from ledger.errors import RecordInvalidError
from ledger.pin import HeadPin
from ledger.query import project
from ledger.record import Record, parse_record
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.note import sign
from tests.support.records import GATEWAY, LANE, drafts
from tests.support.strategies import ORIGIN, keys, new_lane, sequencer, signer, write_request
from tools.verify_ledger import index_row, read_entry

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
    export_ledger(parts, published, folder / "out", Settings(state_dir=folder, origin=ORIGIN))
    (folder / "older").write_text(older.note)
    yield folder / "out", folder / "older"
    store.close()


def verify(folder, *more):
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
    done = verify(folder, "--vkey", signer().key, "--older", older)
    assert done.returncode == 0, done.stdout
    assert "599 entries" in done.stdout
    assert "120 packs, 120 proofs" in done.stdout


def test_it_needs_nothing_of_ours():
    """
    It imports the standard library alone.
    """
    code = VERIFIER.read_text()
    imports = {line.split()[1].partition(".")[0] for line in code.splitlines() if line.startswith(("import ", "from "))}
    assert imports <= sys.stdlib_module_names


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
    if name == "index.jsonl" and how == "missing":
        assert verify(copy).returncode == 0
        return
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
    done = verify(copy, "--seconds", "2")
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
            parse_record(bytes(body))
        with contextlib.suppress(RecordInvalidError):
            taken = taken or Record.decode(bytes(body)).origin != ORIGIN
            assert taken

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

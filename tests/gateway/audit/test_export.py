"""A whole ledger as a folder."""

import errno
import hashlib
import json
import os
import shutil
import threading
import time

import pytest

from pydantic import SecretStr

from gateway.audit.export import export_ledger
from gateway.audit.open_ledger import OpenLedger
from gateway.bootstrap.ledger import open_store
from gateway.errors import ExportFailedError
from gateway.policy.store import BundleStore
from gateway.settings import Settings
from ledger.lane import LaneWriter
from ledger.pin import HeadPin
from ledger.query import Filter
from ledger.tlog.checkpoint import Proof, verify_proof
from ledger.tlog.merkle import leaf_hash
from ledger.tlog.note import open_note
from tests.support.attacked import by_itself
from tests.support.bundles import SHIPPED
from tests.support.commands import verify_export
from tests.support.strategies import ORIGIN, REPLICA, keys, new_lane, sequencer, signer, write_request


@pytest.fixture
def exported(tmp_path):
    """A ledger of two packs and its export."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released", "denied"])
    write_request(lane, ["denied"])
    published = sequencer(store).run()
    settings = Settings(state_dir=tmp_path, origin=ORIGIN)
    BundleStore(settings.bundles_dir).keep(SHIPPED)
    parts = OpenLedger(store, HeadPin(settings.pin), None, signer(), keys(), None)
    export_ledger(parts, store, published, tmp_path / "out", settings)
    yield tmp_path / "out", store, published
    store.close()


def test_it_verifies_alone(exported):
    """
    The verifier of one file finds nothing wrong with the export, and finds a byte that was changed.
    """
    folder, _, _ = exported
    done = verify_export(folder)
    assert done.returncode == 0, done.stdout
    index = folder / "index.jsonl"
    index.write_text(index.read_text().replace("denied", "released", 1))
    assert verify_export(folder).returncode == 1


def test_each_pack_has_its_proof(exported):
    """
    For every sealed pack there is the proof that its record is in the log, under the keys that are in the folder.
    """
    folder, store, _ = exported
    packs = {json.loads(body)["pack"]["id"]: body for body in store.query(Filter(kind="pack.sealed")).records}
    assert {path.stem for path in (folder / "receipts").iterdir()} == set(packs)
    for name, body in packs.items():
        proof = Proof.parse((folder / f"receipts/{name}.tlog-proof").read_text())
        verify_proof(proof, leaf_hash(body), keys())


def test_what_decided_is_in_it(exported):
    """
    The bundles that decided are in the folder, under their hashes, and who is to be believed.
    """
    folder, _, published = exported
    assert [path.name for path in (folder / "bundles").iterdir()] == [f"{SHIPPED.revision[7:]}.bundle"]
    assert (folder / "policy.tlog").read_text() == f"log {keys()[0].key}\nquorum none\n"
    assert (folder / "checkpoint").read_text() == published.note


def test_nothing_is_written_over(exported):
    """
    A folder that is there already is left as it is.
    """
    folder, store, published = exported
    parts = OpenLedger(store, None, None, signer(), keys(), None)
    before = (folder / "checkpoint").read_text()
    with pytest.raises(ExportFailedError):
        export_ledger(parts, store, published, folder, Settings())
    assert (folder / "checkpoint").read_text() == before
    shutil.rmtree(folder)


def test_a_full_disk_leaves_nothing_behind(exported, tmp_path, monkeypatch):
    """
    An export that cannot be written whole is an error with a code, and no folder is left that looks like one.
    """
    _, store, published = exported
    parts = OpenLedger(store, None, None, signer(), keys(), None)

    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("gateway.audit.export.write_log", full)
    with pytest.raises(ExportFailedError, match="No space left"):
        export_ledger(parts, store, published, tmp_path / "other", Settings(state_dir=tmp_path, origin=ORIGIN))
    assert not [path for path in tmp_path.iterdir() if "other" in path.name]


@pytest.fixture(params=["sqlite", "postgres"])
def busy(request, tmp_path):
    """A ledger that is written to, sequenced and signed all the time, and what opens a snapshot of it."""
    settings = Settings(state_dir=tmp_path, origin=ORIGIN)
    if request.param == "postgres":
        server = request.getfixturevalue("postgres")
        settings = settings.model_copy(update={"ledger_url": SecretStr(server.url(server.new_ledger(), "gateway"))})
    store, stop = open_store(settings), threading.Event()
    lane, keeper = LaneWriter(store, ORIGIN, REPLICA, signer()), sequencer(store)
    write_request(lane, ["released", "denied"])
    keeper.run()

    def write():
        # So slow that fifty exports, each of the whole log, stay small, and so quick that each falls between two writes.
        while not stop.wait(0.03):
            write_request(lane, ["released", "denied", "denied"])
            keeper.run()

    thread = threading.Thread(target=write)
    thread.start()
    yield settings, store
    stop.set()
    thread.join()
    store.close()


def exports_verify(busy, folder, count):
    """So many exports of a busy ledger, and that each of them verifies; how many entries the last one has more than the first."""
    settings, store = busy
    parts = OpenLedger(store, None, None, signer(), keys(), None)
    sizes = []
    for n in range(count):
        published = store.published()
        # What others write between the checkpoint and the snapshot is what an export must leave out.
        while store.published().size == published.size:
            time.sleep(0.001)
        snapshot = open_store(settings, frozen=True)
        export_ledger(parts, snapshot, published, folder / str(n), settings)
        snapshot.close()
        assert by_itself(folder / str(n), "--vkey", signer().key) == ""
        sizes.append(published.size)
    return sizes[-1] - sizes[0]


def test_a_busy_ledger_is_exported_as_it_was_at_one_moment(busy, tmp_path):
    """
    However busy a ledger is, its exports verify.
    """
    assert exports_verify(busy, tmp_path, 3) > 0


@pytest.mark.soak
def test_fifty_exports_of_a_busy_ledger(busy, tmp_path):
    """
    Fifty of fifty.
    """
    assert exports_verify(busy, tmp_path, 50) > 0


def test_a_bundle_and_a_list_are_bound_by_the_manifest(exported):
    """
    The manifest is a note of the log's key over the hashes of what is beside the log.
    """
    folder, _, published = exported
    opened = open_note((folder / "manifest").read_text(), keys())
    assert [key.id for key in opened.signed] == [signer().key.id]
    lines = dict(line.split(" ", 1) for line in opened.text.splitlines()[1:])
    assert (lines["origin"], lines["size"]) == (ORIGIN, str(published.size))
    assert lines["index.jsonl"] == hashlib.sha256((folder / "index.jsonl").read_bytes()).hexdigest()
    assert lines["receipts"].startswith("2 ")
    assert lines["bundles"].startswith("1 ")

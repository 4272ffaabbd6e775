"""A whole ledger as a folder."""

import json
import shutil

import pytest

from gateway.audit.export import export_ledger
from gateway.audit.open_ledger import OpenLedger
from gateway.policy.store import BundleStore
from gateway.settings import Settings
from ledger.pin import HeadPin
from ledger.query import Filter
from ledger.tlog.checkpoint import Proof, verify_proof
from ledger.tlog.merkle import leaf_hash
from tests.support.bundles import SHIPPED
from tests.support.commands import verify_export
from tests.support.strategies import ORIGIN, keys, new_lane, sequencer, signer, write_request


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
    export_ledger(parts, published, tmp_path / "out", settings)
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
    assert json.loads((folder / "export.json").read_text()) == {"format": "ctxgate-export/1", "origin": ORIGIN}
    assert (folder / "checkpoint").read_text() == published.note


def test_nothing_is_written_over(exported):
    """
    A folder that is there already is left as it is.
    """
    folder, store, published = exported
    parts = OpenLedger(store, None, None, signer(), keys(), None)
    before = (folder / "checkpoint").read_text()
    with pytest.raises(FileExistsError):
        export_ledger(parts, published, folder, Settings())
    assert (folder / "checkpoint").read_text() == before
    shutil.rmtree(folder)

"""Certificates of erasure: signed notes that the log commits to."""

import subprocess
import sys

import pytest

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from gateway.audit.drafts import erasure_certified, person_erased
from gateway.audit.evidence import Evidence
from gateway.audit.export import export_ledger
from gateway.audit.open_ledger import OpenLedger
from gateway.audit.parts import act_alone
from gateway.privacy.certificate import (
    MEDIA_TYPE,
    Certificate,
    ErasedKey,
    Stays,
    issue_certificate,
    open_certificate,
    require_on_record,
    text_digest,
)
from gateway.settings import HOME, Settings
from ledger.errors import LedgerCorruptError
from ledger.lane import Submission
from ledger.pin import HeadPin
from ledger.tlog.note import sign
from tests.support.clock import NOW
from tests.support.strategies import ORIGIN, keys, new_lane, sequencer, signer

TOKEN = "4252d35b-28aa-4f0e-9d1b-000000000001"
KEY = "5f" * 32


@pytest.fixture
def certified(tmp_path):
    """A log with an erasure and its certificate: the store, the certificate and its note."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    erasure, _ = person_erased(act_alone(NOW, "gfm"), TOKEN, "asked to", KEY, outside=False)
    lane.commit([Submission([erasure])])
    made = Certificate(
        origin=ORIGIN,
        tenant="gfm",
        token=TOKEN,
        erasure=erasure.decision_id,
        erased_at=erasure.at,
        certified_at=erasure.at,
        keys=(ErasedKey(sha256=KEY, outside=False),),
        cleared=("ledger.sqlite",),
        stays=(Stays(what="backups", why="until they expire"),),
    )
    text = made.text()
    draft = erasure_certified(act_alone(NOW, "gfm"), TOKEN, text_digest(text), len(text), MEDIA_TYPE)
    lane.commit([Submission([draft])])
    published = sequencer(store).run()
    parts = OpenLedger(store, HeadPin(tmp_path / "pin"), evidence_of(store), signer(), keys(), None)
    export_ledger(parts, parts.store, published, tmp_path / "out", Settings(state_dir=tmp_path, origin=ORIGIN))
    yield store, made, issue_certificate(made, signer())
    store.close()


def evidence_of(store):
    return Evidence(store, AesSealer(FileKeyWrap(bytes(32))))


def test_a_certificate_holds(certified):
    """
    What the log signed is read as it was made, and is on record.
    """
    store, made, note = certified
    assert open_certificate(note, keys()) == made
    assert require_on_record(made, store).item.id == TOKEN


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda note: note.replace(TOKEN, TOKEN[:-1] + "2"),
        lambda note: note.replace("ctxgate-erasure/1\n", "ctxgate-erasure/2\n", 1),
        lambda note: note.rpartition("\n\n")[0] + "\n\n",
        lambda _: "nothing",
        lambda _: sign(f"{ORIGIN}\n1\nAAAA\n", [signer()]),
        lambda _: sign("ctxgate-erasure/1\nother\n{}\n", [signer()]),
    ],
)
def test_what_the_log_did_not_sign_as_one_is_none(certified, spoiled):
    """
    A changed certificate, one without signature, and another note of the log are refused.
    """
    with pytest.raises(LedgerCorruptError):
        open_certificate(spoiled(certified[2]), keys())


def test_nobody_elses_key(certified):
    """
    Without a key that is believed it is not the log's.
    """
    with pytest.raises(LedgerCorruptError):
        open_certificate(certified[2], ())


@pytest.mark.parametrize("changes", [{"token": "another"}, {"cleared": ()}, {"tenant": "rbc"}])
def test_what_the_log_does_not_commit_to(certified, changes):
    """
    A certificate that the log's key signed and that no record commits to is not believed.
    """
    store, made, _ = certified
    with pytest.raises(LedgerCorruptError):
        require_on_record(made.model_copy(update=changes), store)


def test_somebody_stands_behind_the_token(certified):
    """
    Where a person is behind the token after all, whatever was certified is false.
    """
    store, made, _ = certified
    with store._transaction() as connection:
        connection.execute("INSERT INTO subjects VALUES ('gfm', 'zelda', ?, x'00', x'00')", (TOKEN,))
    with pytest.raises(LedgerCorruptError, match="somebody"):
        require_on_record(made, store)


def test_an_auditor_checks_it_alone(certified, tmp_path):
    """
    The standalone verifier checks it against an export, and refuses one that was changed or that the log does not commit to.
    """
    _, made, note = certified
    other = issue_certificate(made.model_copy(update={"cleared": ()}), signer())
    found = {}
    for name, text in (("good", note), ("changed", note.replace("until", "after")), ("unknown", other), ("none", "x")):
        (tmp_path / name).write_text(text)
        command = [
            sys.executable,
            "-I",
            HOME / "tools/verify_ledger.py",
            tmp_path / "out",
            "--certificate",
            tmp_path / name,
        ]
        found[name] = subprocess.run(command, capture_output=True, text=True, check=False).returncode
    assert found == {"good": 0, "changed": 1, "unknown": 1, "none": 2}

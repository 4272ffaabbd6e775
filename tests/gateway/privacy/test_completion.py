"""An erasure is complete once no file holds what was deleted, and says so until then."""

import asyncio
import contextlib
import hashlib
import sqlite3

import pytest

from gateway.bootstrap.erasing import eraser_of
from gateway.bootstrap.gateway import running
from gateway.bootstrap.ledger import writing
from gateway.bootstrap.stores import open_stores
from gateway.errors import ErasureIncompleteError, NotFoundError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.privacy.certificate import open_certificate, require_on_record
from gateway.privacy.resuming import Resuming
from tests.support.clock import NOW
from tests.support.conversation import knowledge
from tests.support.erasing import forget
from tests.support.oracle import check_ledger, records
from tests.support.requests import asked

TEXT = "XYLOPHONE77 settles trades of desk nine at noon. "
DATABASES = ("ledger.sqlite", "aside.sqlite", "traces.sqlite")


@pytest.fixture
def keeping(settings):
    """A gateway that keeps contents, and waits for nobody when it erases."""
    return settings.model_copy(update={"keep_content": True, "artifact_bytes": 1024, "erase_seconds": 0})


@pytest.fixture
async def seen(keeping, small, story, subject):
    """A running gateway, and what it stores of a person whom it served: name, key, salts, and what is sealed of texts."""
    attack = next(item for item in story("npa-risk", "request")["items"] if item["id"] == "email-injected")
    items = [*small["items"], attack, knowledge("note", TEXT), knowledge("log", TEXT * 60)]
    person = Subject.model_validate({**subject, "sub": "zelda.quaxleigh"})
    async with running(keeping, clock=lambda: NOW) as gateway:
        body = {**small, "turn": 1, "items": items}
        await gateway.pipeline.assemble(Asked(PackRequest.model_validate(body), person, NOW))
        await gateway.traces.settle()
        known = gateway.store.known_person("gfm", person.sub)
        evidence = gateway.ledger.parts.evidence
        rulings = [one.decision_id for one in records(gateway, kind="item.ruled")]
        salts = [aside.item_salt for aside in evidence.erasables(rulings).values()]
        held = gateway.stores.tables.rows.read("SELECT content FROM held UNION SELECT state FROM turns")
        kept = [path.read_bytes() for path in (keeping.state_dir / "artifacts").rglob("*") if path.is_file()]
        assert held
        assert kept
        traces = sqlite3.connect(keeping.state_dir / "traces.sqlite").execute("SELECT body FROM traces").fetchall()
        assert known.token in traces[0][0]
        # Of what is sealed under a key that stays, any part can be read by whoever has that key.
        sealed = [one[:32] for one in (*(row[0] for row in held), *kept)]
        telling = [b"zelda.quaxleigh", b"XYLOPHONE77", known.key, known.salt, *salts, *sealed]
        yield gateway, person, known.token, telling


def told(folder, telling):
    """Files of the state folder that hold any of it, and which."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    found = {path.name: {one[:20] for one in telling if one in path.read_bytes()} for path in files}
    return {name: some for name, some in found.items() if some}


@contextlib.contextmanager
def reading(folder, *names):
    """Somebody reads the databases, each in a transaction that stays open."""
    with contextlib.ExitStack() as stack:
        for name in names:
            connection = stack.enter_context(contextlib.closing(sqlite3.connect(folder / name, isolation_level=None)))
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        yield


async def test_no_file_holds_anything_of_who_is_erased(seen):
    """
    With nobody reading, name, key, salts, texts and what is sealed of them are in no file once the erasure returns.  Its certificate
    names the key by its digest, when it went, what was looked after and what stays; the log signed it, and has its hash.
    """
    gateway, person, token, telling = seen
    assert {"ledger.sqlite-wal", "aside.sqlite-wal"} & told(gateway.settings.state_dir, telling).keys()
    done = await forget("gfm", person.sub, gateway.stores, gateway.ledger, gateway.settings)
    assert (done.token, done.held, done.turns, done.artifacts, done.traces) == (token, 1, 1, 1, 1)
    assert told(gateway.settings.state_dir, telling) == {}
    held = sqlite3.connect(gateway.settings.state_dir / "traces.sqlite").execute("SELECT body FROM traces").fetchall()
    assert not [body for (body,) in held if token in body]
    certificate = open_certificate(done.certificate, gateway.ledger.parts.keys)
    [erasure] = records(gateway, kind="erasure")
    assert (certificate.token, certificate.erasure, certificate.erased_at) == (token, erasure.decision_id, erasure.at)
    assert [(one.sha256, one.outside) for one in certificate.keys] == [(hashlib.sha256(telling[2]).hexdigest(), False)]
    assert {place.partition(":")[0] for place in certificate.cleared} == set(DATABASES)
    assert {one.what for one in certificate.stays} >= {"records", "backups of the database from before"}
    assert "zelda" not in done.certificate
    assert require_on_record(certificate, gateway.store).kind == "erasure.certified"
    check_ledger(gateway)


async def test_who_reads_keeps_an_erasure_from_being_complete(seen):
    """
    While somebody reads, the erasure fails and names the databases and no person; what is named is true; no certificate is issued,
    and the task of the gateway goes on in vain.  Once they left it completes it, and nothing is in any file.
    """
    gateway, person, token, telling = seen
    folder, resuming = gateway.settings.state_dir, Resuming(gateway.eraser, lambda: NOW, seconds=60)
    with reading(folder, *DATABASES):
        with pytest.raises(ErasureIncompleteError) as caught:
            await forget("gfm", person.sub, gateway.stores, gateway.ledger, gateway.settings)
        assert [place for place, _ in caught.value.fields] == [f"{name}: write-ahead log" for name in DATABASES]
        assert "zelda" not in f"{caught.value} {caught.value.fields}"
        assert b"zelda.quaxleigh" in told(folder, telling)["ledger.sqlite-wal"]
        assert records(gateway, kind="erasure")
        assert await gateway.stores.erasures.certificate("gfm", token) is None
        assert await resuming.round() == []
    with reading(folder, "traces.sqlite"), pytest.raises(ErasureIncompleteError) as caught:
        await gateway.eraser.resume("gfm", None, NOW)
    assert [place for place, _ in caught.value.fields] == ["traces.sqlite: write-ahead log"]
    [note] = await resuming.round()
    assert told(folder, telling) == {}
    assert await gateway.stores.erasures.certificate("gfm", token) == note
    assert await gateway.eraser.resume("gfm", None, NOW) == []
    [certified] = records(gateway, kind="erasure.certified")
    assert (certified.subject, certified.item.id) == (None, token)
    check_ledger(gateway)


async def test_an_erasure_waits_for_readers(seen):
    """
    Who leaves within the time is waited for, and requests are answered meanwhile.
    """
    gateway, person, token, telling = seen
    patient = gateway.settings.model_copy(update={"erase_seconds": 60})
    with contextlib.ExitStack() as stack:
        stack.enter_context(reading(gateway.settings.state_dir, *DATABASES))
        work = asyncio.create_task(forget("gfm", person.sub, gateway.stores, gateway.ledger, patient))
        while not records(gateway, kind="erasure"):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        assert not work.done()
        stack.close()
        done = await work
    assert done.token == token
    assert told(gateway.settings.state_dir, telling) == {}


async def test_a_repeated_erasure_goes_on(seen):
    """
    Asked for again by name, an erasure that was not complete is completed, and after that there is nobody of that name.
    """
    gateway, person, token, telling = seen
    with reading(gateway.settings.state_dir, "ledger.sqlite"), pytest.raises(ErasureIncompleteError):
        await forget("gfm", person.sub, gateway.stores, gateway.ledger, gateway.settings)
    done = await forget("gfm", person.sub, gateway.stores, gateway.ledger, gateway.settings)
    assert (done.token, done.records) == (token, len(records(gateway, subject=token)))
    assert told(gateway.settings.state_dir, telling) == {}
    with pytest.raises(NotFoundError):
        await forget("gfm", person.sub, gateway.stores, gateway.ledger, gateway.settings)


async def test_an_erasure_that_never_came_to_the_record_is_no_erasure(seen):
    """
    What had begun and was not recorded is dropped when it is resumed: the person stays, and nothing is certified.
    """
    gateway, person, token, _ = seen
    await gateway.stores.erasures.begin(gateway.eraser._pending(gateway.store.known_person("gfm", person.sub)))
    assert await gateway.eraser.resume(None, None, NOW) == []
    assert await gateway.stores.erasures.pending() == []
    assert gateway.store.known_person("gfm", person.sub).token == token


async def test_another_process_erases_beside_a_gateway(seen):
    """
    As the command does it, beside a running gateway whose connections are open and idle.
    """
    gateway, person, token, telling = seen
    aside = open_stores(gateway.settings)
    async with writing(gateway.settings, sequencing=False) as other:
        eraser = eraser_of(gateway.settings, other, aside)
        assert eraser.completion.origin == gateway.settings.origin
        done = await forget("gfm", person.sub, aside, other, gateway.settings)
    aside.close()
    assert done.token == token
    assert told(gateway.settings.state_dir, telling) == {}


async def test_an_officer_who_is_erased(seen, small, subject):
    """
    Of an officer who judged quarantined content neither name nor reason is left, and what two officers agreed on still holds.
    """
    from gateway.bootstrap.gateway import reviewing

    gateway, _, _, _ = seen
    folder = gateway.settings.state_dir
    officers = [
        Subject(sub=name, tenant="gfm", role="checker", department="RMG", jurisdictions=("SG",))
        for name in ("olga.petrova", "ben.oduya")
    ]
    async with reviewing(gateway.settings) as (reviews, review):
        [held] = await reviews.quarantined("gfm")
        for officer in officers:
            await review.act(held.id, "released", officer, reason="Kumquat clause is harmless", now=NOW)
    done = await forget("gfm", "ben.oduya", gateway.stores, gateway.ledger, gateway.settings)
    assert done.acts == 1
    assert told(folder, [b"ben.oduya", b"Kumquat"]) == {}
    [held] = await gateway.stores.reviews.quarantined("gfm")
    assert (held.verdict.verdict, held.verdict.officer) == ("released", done.token)
    assert await gateway.stores.reviews.known("gfm", [held.digest])
    await gateway.pipeline.assemble(asked(small, subject))

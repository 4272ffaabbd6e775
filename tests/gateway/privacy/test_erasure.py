"""A person who is forgotten, also while a request is under way."""

import pytest

import gateway.pipeline

from adapters.stores.sessions import SessionTable
from gateway.bootstrap.gateway import running
from gateway.bootstrap.ledger import writing
from gateway.bootstrap.stores import open_stores
from gateway.errors import NotFoundError, PersonErasedError, RecordError, StoreError
from gateway.model import PackRequest, Subject
from gateway.model.pseudonyms import keyed_name
from gateway.model.session import SessionState
from gateway.pipeline import Asked
from ledger.errors import LedgerUnavailableError
from tests.support.clock import NOW
from tests.support.conversation import SPEC, forms, knowledge
from tests.support.erasing import forget
from tests.support.oracle import check_ledger, records
from tests.support.requests import asked
from tests.support.tampering import tamper


async def test_erasure_empties_the_library(chat, gateway):
    """
    After a person is forgotten nothing of the session is left, and the next turn says why its prefix is another.
    """
    await chat.ask("one", knowledge("spec", SPEC))
    await chat.ask("two")
    done = await forget("gfm", chat.subject.sub, gateway.stores, gateway.ledger, gateway.settings)
    assert done.turns == 2
    for file in gateway.settings.state_dir.glob("aside.sqlite*"):
        assert b"settlement" not in file.read_bytes()
    pack = await chat.ask("three")
    assert forms(pack, "L2") == []
    assert (pack.envelope.prefix.change, pack.envelope.prefix.reasons) == ("broken", ("erasure",))


async def test_an_erasure_whose_record_was_set_aside(settings, small, subject, monkeypatch):
    """
    It is put on record once more, and certified then; the ledger does not miss a name without an erasure.
    """

    def spoiled(_recorder):
        last = "UPDATE runs SET signature = zeroblob(68) WHERE rowid = (SELECT max(rowid) FROM runs)"
        tamper(settings.ledger_file, (last,))

    async with running(settings.model_copy(update={"checkpoint_every_seconds": 3600}), clock=lambda: NOW) as gateway:
        await gateway.pipeline.assemble(asked(small, subject))
        await gateway.ledger.keeper.round()
        aside = open_stores(settings)
        async with writing(settings, sequencing=False) as other:
            monkeypatch.setattr("gateway.audit.recorder.Recorder.forget", spoiled)
            await forget("gfm", subject["sub"], aside, other, settings)
        aside.close()
        assert [one.codes[0] for one in records(gateway, kind="record.refused")] == ["RUN-SIGNATURE"]
        assert len(records(gateway, kind="erasure")) == 1
        check_ledger(gateway)


HEAVY = "\n".join(f"line {n}: settlement of trade {n * 31} done" for n in range(100))


async def erased_elsewhere(settings, person):
    """As `ctxgate ledger erase` does it, in another process."""
    aside = open_stores(settings)
    async with writing(settings, sequencing=False) as other:
        done = await forget(person.tenant, person.sub, aside, other, settings)
    aside.close()
    return done


def left(running_gateway):
    """Contents kept for review, turns of sessions that hold something, artifacts."""
    rows, folder = running_gateway.stores.tables.rows, running_gateway.settings.state_dir / "artifacts"
    held = rows.read("SELECT count(*) FROM held")[0][0]
    artifacts = sum(path.is_file() for path in folder.rglob("*"))
    return held, rows.read("SELECT count(*) FROM turns")[0][0], artifacts


@pytest.mark.parametrize("moment", ["quarantine", "record", "rank", "seal"])
async def test_nothing_is_kept_of_who_is_forgotten_meanwhile(settings, small, story, subject, monkeypatch, moment):
    """
    Wherever the request is when another process forgets the person, it is refused, no pack is sealed, and neither content for
    review nor a session nor an artifact is left; the next request is one of somebody new.
    """
    attack = next(item for item in story("npa-risk", "request")["items"] if item["id"] == "email-injected")
    items = [*small["items"], attack, knowledge("log", HEAVY)]
    body = {**small, "turn": 1, "items": items}
    person = Subject.model_validate(subject)
    chosen = settings.model_copy(update={"artifact_bytes": 1024})
    async with running(chosen, clock=lambda: NOW) as one:
        await one.pipeline.assemble(Asked(PackRequest.model_validate(small), person, NOW))
        token = records(one, kind="item.ruled")[0].subject
        with monkeypatch.context() as patched:
            real = getattr(gateway.pipeline, moment)

            async def stage(*args, **named):
                await erased_elsewhere(chosen, person)
                return await real(*args, **named)

            patched.setattr(gateway.pipeline, moment, stage)
            with pytest.raises(PersonErasedError):
                await one.pipeline.assemble(Asked(PackRequest.model_validate(body), person, NOW))
        held, _, artifacts = left(one)
        assert (held, artifacts) == (0, 0)
        for file in chosen.state_dir.glob("aside.sqlite*"):
            assert b"settlement" not in file.read_bytes()
        name = one.stores.tables.rows.read("SELECT tenant, name, turn FROM turns")
        states = [await one.pipeline.sessions.before(tenant, place, turn + 1) for tenant, place, turn in name]
        assert all(state.erased for state in states)
        assert len(records(one, kind="pack.sealed")) == 1
        await one.pipeline.assemble(Asked(PackRequest.model_validate({**body, "query": "again"}), person, NOW))
        assert left(one)[0] == 1
        assert records(one, kind="pack.sealed")[-1].subject != token
        check_ledger(one)


async def test_an_erasure_that_fails_half_way_is_finished(settings, small, subject, monkeypatch):
    """
    Where what is kept beside the ledger fails after the person's key is gone, the erasure says so; repeated, it deletes what was
    left, and after that there is nobody of that name.
    """
    person = Subject.model_validate(subject)
    async with running(settings, clock=lambda: NOW) as one:
        await one.pipeline.assemble(Asked(PackRequest.model_validate({**small, "turn": 1}), person, NOW))
        with monkeypatch.context() as broken:
            calls, real = [], SessionTable.forget

            async def fail_the_second(self, *asked):
                calls.append(asked)
                if len(calls) == 2:
                    raise StoreError("gone")
                return await real(self, *asked)

            broken.setattr(SessionTable, "forget", fail_the_second)
            with pytest.raises(StoreError):
                await erased_elsewhere(settings, person)
        assert len(calls) == 2
        assert len(records(one, kind="erasure")) == 1
        late = keyed_name(one.pipeline.secret, person.sub) + ":late"
        await one.pipeline.sessions.keep(person.tenant, late, SessionState(turn=3), NOW.isoformat())
        assert (await erased_elsewhere(settings, person)).turns == 1
        with pytest.raises(NotFoundError):
            await erased_elsewhere(settings, person)


async def test_a_ledger_that_does_not_answer(settings, small, subject, monkeypatch):
    """
    The officer hears that it was not done, with the code of a record that failed, and may repeat it.
    """
    person = Subject.model_validate(subject)

    def gone(*_asked):
        raise LedgerUnavailableError("the database is away")

    async with running(settings, clock=lambda: NOW) as one:
        await one.pipeline.assemble(Asked(PackRequest.model_validate(small), person, NOW))
        with monkeypatch.context() as broken:
            broken.setattr("ledger.sqlite.store.SqliteStore.known_person", gone)
            with pytest.raises(RecordError):
                await erased_elsewhere(settings, person)
        assert (await erased_elsewhere(settings, person)).token


async def test_a_token_that_was_erased_elsewhere(gateway, subject, small):
    """
    Another process erased the person: the request under way fails closed, and the next has a new token.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    token = records(gateway, kind="item.ruled")[0].subject
    async with running(gateway.settings, clock=lambda: NOW) as other:
        aside = open_stores(gateway.settings)
        done = await forget("gfm", subject["sub"], aside, other.ledger, gateway.settings)
        assert done.token == token
        with pytest.raises(NotFoundError):
            await forget("gfm", subject["sub"], aside, other.ledger, gateway.settings)
        aside.close()
    with pytest.raises(RecordError):
        await gateway.pipeline.assemble(asked({**small, "query": "again"}, subject))
    await gateway.pipeline.assemble(asked({**small, "query": "and again"}, subject))
    assert records(gateway, kind="item.ruled")[-1].subject != token
    check_ledger(gateway)

"""Heavy artifacts outside packs, behind handles."""

from datetime import timedelta

import pytest

from adapters.stores.artifacts import DirectoryArtifacts
from adapters.stores.sessions import SessionTable
from gateway.bootstrap.gateway import running
from gateway.errors import NotFoundError, StoreError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.clock import NOW
from tests.support.conversation import knowledge
from tests.support.erasing import forget
from tests.support.oracle import check_ledger, records


@pytest.fixture
async def heavy(settings, small, subject):
    """A gateway where small things are heavy, and a pack with one."""
    chosen = settings.model_copy(update={"artifact_bytes": 1024})
    log = "\n".join(f"2026-02-{n % 28 + 1:02} line {n}: settlement of trade {n * 31} done" for n in range(100))
    item = {**knowledge("log", log), "media_type": "text/plain"}
    request = {**small, "items": [*small["items"], item], "render": "openai"}
    async with running(chosen, clock=lambda: NOW) as gateway:
        person = Subject.model_validate(subject)
        pack = await gateway.pipeline.assemble(Asked(PackRequest.model_validate(request), person, NOW))
        [found] = [i for section in pack.sections for i in section.items if i.id == "log"]
        yield gateway, person, found, log


async def test_an_extract_and_a_handle(heavy):
    """
    A heavy item is an extract with a handle; the handle gives the whole, by a ruling of its own on record.
    """
    gateway, person, item, log = heavy
    assert item.form == "extract"
    assert item.artifact in item.content
    assert len(item.content) < len(log) / 2
    before = len(records(gateway, kind="item.ruled"))
    request = await gateway.stores.artifacts.open(item.artifact, person, NOW)
    ruling = await gateway.pipeline.fetch(Asked(request, person, NOW + timedelta(seconds=1)))
    assert ruling.content == log
    found = [(record.item.id, record.outcome) for record in records(gateway, kind="item.ruled")[before:]]
    assert found == [("log", "released"), ("npa-record", "released")], "the whole comes with its entity's record alone"
    check_ledger(gateway)


async def test_a_handle_is_for_one_person_and_a_short_time(heavy):
    """
    Another person's, an old or a changed handle opens nothing.
    """
    gateway, person, item, _ = heavy
    isolation = gateway.stores.artifacts
    late = NOW + timedelta(seconds=isolation.seconds)
    other = person.model_copy(update={"sub": "somebody.else"})
    changed = item.artifact[:-2] + ("AA" if not item.artifact.endswith("AA") else "BB")
    for handle, who, when in (
        (item.artifact, other, NOW),
        (item.artifact, person, late),
        (changed, person, NOW),
        ("x", person, NOW),
        ("a.b.c", person, NOW),
    ):
        with pytest.raises(NotFoundError):
            await isolation.open(handle, who, when)


async def test_artifacts_are_sealed_and_erased(heavy):
    """
    On disk an artifact is sealed, and it goes when its person is forgotten.
    """
    gateway, person, item, _ = heavy
    folder = gateway.settings.state_dir / "artifacts"
    [file] = [path for path in folder.rglob("*") if path.is_file()]
    assert b"settlement" not in file.read_bytes()
    done = await forget("gfm", person.sub, gateway.stores, gateway.ledger, gateway.settings)
    assert done.artifacts == 1
    with pytest.raises(NotFoundError):
        await gateway.stores.artifacts.open(item.artifact, person, NOW)


@pytest.mark.parametrize("call", ["before", "keep", "put"])
async def test_without_sessions_or_artifacts_nothing_is_released(settings, small, subject, monkeypatch, call):
    """
    Where a session cannot be read or kept, or an artifact cannot be kept, the request is refused, on record, and no pack is
    sealed; when the store is back the same request is served.
    """
    log = "\n".join(f"line {n}: settlement of trade {n * 31} done" for n in range(100))
    body = {**small, "turn": 1, "items": [*small["items"], knowledge("log", log)]}
    asked = Asked(PackRequest.model_validate(body), Subject.model_validate(subject), NOW)
    async with running(settings.model_copy(update={"artifact_bytes": 1024}), clock=lambda: NOW) as gateway:
        with monkeypatch.context() as broken:

            async def fail(*_):
                raise StoreError("gone")

            broken.setattr(DirectoryArtifacts if call == "put" else SessionTable, call, fail)
            with pytest.raises(StoreError):
                await gateway.pipeline.assemble(asked)
        assert records(gateway, kind="pack.sealed") == []
        assert [one for one in records(gateway, kind="request.opened") if "GW-402" in one.codes]
        assert await gateway.pipeline.assemble(asked)
        check_ledger(gateway)

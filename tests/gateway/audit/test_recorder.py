"""The gateway's side of the ledger."""

import asyncio
import threading

import pytest

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from gateway.audit.recorder import Recorder
from gateway.bootstrap.gateway import running
from gateway.errors import PersonErasedError, RecordBusyError, RecordError
from ledger.erasable import NOTHING, Erasable, commit_person, fresh_salt
from ledger.errors import LedgerBusyError, LedgerUnavailableError
from ledger.lane import LaneWriter
from ledger.query import Filter
from ledger.sqlite.store import SqliteStore
from ledger.store import Erasure
from ledger.writer import GroupCommitWriter
from tests.support.bundles import sealed_for
from tests.support.clock import NOW
from tests.support.requests import asked
from tests.support.strategies import ORIGIN, REPLICA, ruling, signer, uid


async def test_sequenced(settings, subject, small, tmp_path):
    """
    Where policy asks for it a pack is handed over only once its records are under a signed checkpoint.
    """
    async with running(sealed_for(settings, tmp_path, "sequenced"), clock=lambda: NOW) as gateway:
        pack = await gateway.pipeline.assemble(asked(small, subject))
        published = gateway.store.published()
        [sealed] = gateway.store.query(Filter(pack_id=pack.id)).indexes
        assert sealed < published.size


class Keeper:
    """Remembers what it was asked to wait for."""

    def __init__(self):
        self.asked = []

    async def settled(self, written, *, witnessed, seconds):
        self.asked.append((witnessed, seconds))


@pytest.fixture
async def recorder(tmp_path):
    """A recorder over a store of its own."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    writer = GroupCommitWriter(LaneWriter(store, ORIGIN, REPLICA, signer()), queue_length=10)
    made = Recorder(writer, store, signer(), AesSealer(FileKeyWrap(bytes(32))), Keeper(), settle_seconds=7)
    yield made, store
    await writer.close()
    store.close()


ASIDE = Erasable(input_salt=fresh_salt(), input=b"{}")


async def test_one_token_for_a_person(recorder):
    """
    A person has one token in a tenant, and another in another.
    """
    made, _ = recorder
    tokens = [
        await made.subject_token(*who) for who in (("gfm", "ann"), ("gfm", "ann"), ("asia", "ann"), ("gfm", "ben"))
    ]
    assert tokens[0] == tokens[1]
    assert len(set(tokens)) == 3


async def test_records_commit_to_the_person(recorder):
    """
    What a record says of the person holds for the name beside the log alone, and for no other put in its place.
    """
    made, store = recorder
    token = await made.subject_token("gfm", "ann")
    [written] = await made.append([ruling(uid(), subject=token)], [ASIDE])
    person = store.known_person("gfm", "ann")
    assert written.record.person == commit_person(person.salt, "gfm", "ann")
    assert written.record.person not in {
        commit_person(person.salt, "gfm", "ben"),
        commit_person(bytes(32), "gfm", "ann"),
    }


async def test_a_person_who_was_erased_meanwhile(recorder):
    """
    What is aside of a person who is gone cannot be recorded, so that the request fails; the next has another token.
    """
    made, _ = recorder
    token = await made.subject_token("gfm", "ann")
    await made.append([ruling(uid())], [NOTHING], [Erasure("gfm", "ann")])
    with pytest.raises(PersonErasedError):
        await made.append([ruling(uid(), subject=token)], [ASIDE])
    assert await made.subject_token("gfm", "ann") != token


async def test_nothing_is_sealed_for_whom_nobody_asked(recorder):
    """
    A record whose person's key was never looked up is refused, rather than written with its side in the clear.
    """
    made, store = recorder
    with pytest.raises(PersonErasedError):
        await made.append([ruling(uid(), subject="a token of nobody")], [ASIDE])
    assert store.waiting(10) == []


@pytest.mark.parametrize(
    ("error", "ours"), [(LedgerBusyError("x"), RecordBusyError), (LedgerUnavailableError("x"), RecordError)]
)
async def test_errors_of_the_ledger_are_ours(recorder, monkeypatch, error, ours):
    """
    A full queue may be tried again; a store that does not answer is an error of ours, in our words.
    """
    made, _ = recorder

    async def fail(_):
        raise error

    monkeypatch.setattr(made._writer, "append", fail)
    with pytest.raises(ours) as caught:
        await made.append([ruling(uid())])
    assert caught.value.retryable
    assert caught.value.__cause__ is error


async def test_as_sure_as_the_mode_asks(recorder):
    """
    Durable records wait for nothing more; others wait for the keeper, with or without witnesses, as long as is set.
    """
    made, _ = recorder
    written = await made.append([ruling(uid())])
    for mode in ("durable", "sequenced", "witnessed"):
        await made.settled(written, mode)
    assert made._keeper.asked == [(False, 7), (True, 7)]
    await asyncio.sleep(0)


class ElsewhereKept(FileKeyWrap):
    """Keys that are asked for outside, each time from some thread."""

    def __init__(self):
        super().__init__(bytes(32))
        self.threads = []

    def unwrap(self, wrapped):
        self.threads.append(threading.current_thread())
        return super().unwrap(wrapped)

    def outside(self, wrapped):
        return "outside"


async def test_a_key_outside_is_not_waited_for_on_the_loop(recorder):
    """
    However small a request is, what keeps keys outside is asked on another thread, and once for all its records.
    """
    made, store = recorder
    wrap = ElsewhereKept()
    made._sealer = AesSealer(wrap)
    token = await made.subject_token("gfm", "ann")
    await made.append([ruling(uid(), subject=token), ruling(uid(), subject=token)], [ASIDE, ASIDE])
    assert len(wrap.threads) == 1
    assert threading.main_thread() not in wrap.threads
    assert store.count() == 2

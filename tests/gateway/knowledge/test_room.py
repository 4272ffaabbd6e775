"""How acts on documents take turns."""

import asyncio

import pytest

from gateway.errors import CorpusUnknownError, DocumentUnreadableError
from gateway.knowledge.room import corpus_of
from tests.support.knowledge import CORPUS


async def test_one_at_a_time(room):
    """Two acts never have the store at once, and the second finds it rid of what the first left unfinished."""
    inside = []

    async def act(name):
        async with room.writing():
            inside.append(name)
            await asyncio.sleep(0.01)
            assert inside[-1] == name

    await asyncio.gather(*(act(name) for name in "abc"))
    assert sorted(inside) == ["a", "b", "c"]


def test_what_there_is_not(room):
    """A corpus that the registry lacks, and a media type that nothing reads, have errors of their own."""
    assert corpus_of(room.pinned().registry, CORPUS).id == CORPUS
    with pytest.raises(CorpusUnknownError):
        corpus_of(room.pinned().registry, "gossip")
    with pytest.raises(DocumentUnreadableError):
        room.reader("application/pdf")

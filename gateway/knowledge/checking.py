"""Whether what may be found and what an index holds are the same, and that being so made."""

import asyncio

from dataclasses import dataclass

from gateway.knowledge.room import KnowledgeRoom
from gateway.ports.knowledge import Indexed

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """What was found."""

    findable: int
    """Chunks that may be found."""

    missing: int
    """Of them those that the index does not hold."""

    stray: int
    """Chunks of the index that may not be found."""

    @property
    def whole(self) -> bool:
        """Whether store and index agree."""
        return not self.missing and not self.stray


async def check(room: KnowledgeRoom, *, mend: bool) -> IndexCheck:
    """
    Compare the index with the store; with *mend* it holds exactly what may be found afterwards.

    Raises:
        StoreError, IndexUnavailableError: it is not known.
    """
    async with room.writing():
        return await asyncio.to_thread(_compare, room, mend=mend)


def _compare(room: KnowledgeRoom, *, mend: bool) -> IndexCheck:
    stray = {int(one) for one in room.index.ids()}
    missing: list[Indexed] = []
    findable = lacking = 0
    for one in room.store.findable():
        findable += 1
        if one.id in stray:
            stray.remove(one.id)
            continue
        lacking += 1
        missing.append(one)
        if len(missing) == _AT_ONCE:
            missing = _added(room, missing, mend=mend)
    _added(room, missing, mend=mend)
    if mend and stray:
        room.index.replace(sorted(stray), ())
    return IndexCheck(findable, lacking, len(stray))


def _added(room: KnowledgeRoom, some: list[Indexed], *, mend: bool) -> list[Indexed]:
    if mend and some:
        room.index.replace((), some)
    return []

"""Whether store and index agree."""

from dataclasses import replace

from gateway.knowledge.checking import IndexCheck, check
from gateway.knowledge.taking_in import take_in
from gateway.ports.knowledge import Indexed
from tests.support.knowledge import OFFICER, offered
from tests.support.unindexed import Unindexed


async def test_an_index_is_mended(room):
    """What an index lacks and what it holds beyond is told, left as it is, and made good when that is asked for."""
    await take_in(room, offered(), OFFICER)
    other = replace(room, index=Unindexed())
    other.index.replace((), [Indexed(999, 1, "stray", "")])
    assert await check(other, mend=False) == IndexCheck(2, 2, 1)
    assert await check(other, mend=True) == IndexCheck(2, 2, 1)
    assert await check(other, mend=False) == IndexCheck(2, 0, 0)
    assert other.index.revision == room.index.revision

"""The gateway's side of the ledger."""

from gateway.bootstrap.gateway import running
from ledger.query import Filter
from tests.support.bundles import sealed_for
from tests.support.clock import NOW
from tests.support.requests import asked


async def test_sequenced(settings, subject, small, tmp_path):
    """
    Where policy asks for it a pack is handed over only once its records are under a signed checkpoint.
    """
    async with running(sealed_for(settings, tmp_path, "sequenced"), clock=lambda: NOW) as gateway:
        pack = await gateway.pipeline.assemble(asked(small, subject))
        published = gateway.store.published()
        [sealed] = gateway.store.query(Filter(pack_id=pack.id)).indexes
        assert sealed < published.size

"""The static side of the log over HTTP, as any verifier reads it."""

from gateway.bootstrap.keys import verifiers
from ledger.tlog.checkpoint import open_checkpoint
from ledger.tlog.merkle import leaf_hash
from tests.support.oracle import catch_up, records
from tests.support.web import gateway_of


async def test_checkpoint_and_tiles(client, get, pack):
    """
    Where it is open anybody reads the checkpoint and the hashes, else whoever reads the ledger; entries take a scope, and reading them is recorded.
    """
    catch_up(gateway_of(client))
    note = (await client.get("/checkpoint")).text
    checkpoint, _ = open_checkpoint(note, verifiers([gateway_of(client).vkey]))
    tile = await client.get(f"/tile/0/000.p/{checkpoint.size}")
    assert len(tile.content) == 32 * checkpoint.size
    assert "immutable" in tile.headers["cache-control"]
    bundle = await get(f"/tile/entries/000.p/{checkpoint.size}", scope="ledger:export")
    start = 0
    for index in range(checkpoint.size):
        length = int.from_bytes(bundle.content[start : start + 2])
        entry = bundle.content[start + 2 : start + 2 + length]
        assert leaf_hash(entry) == tile.content[32 * index : 32 * index + 32]
        start += 2 + length
    assert "FILTER-EXPORT" in records(gateway_of(client), kind="ledger.read")[-1].codes
    gateway_of(client).settings.__dict__["open_to_all"] = ()
    for path in ("/checkpoint", f"/tile/0/000.p/{checkpoint.size}"):
        assert (await client.get(path)).status_code == 401
        assert (await get(path, scope="packs:write")).status_code == 403
        closed = await get(path, scope="ledger:read")
        assert closed.status_code == 200
        assert "public" not in closed.headers["cache-control"]
    gateway_of(client).settings.__dict__["open_to_all"] = ("checkpoint",)
    for path in ("0/001", "9/000", "x", "0/000.p/255", "0/0", "00/000", "0/x000/000"):
        assert (await client.get(f"/tile/{path}")).status_code == 404

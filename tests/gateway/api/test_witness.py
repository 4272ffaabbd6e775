"""A witness as a service."""

import httpx

from gateway.api.witness import create_witness
from tests.support.witnessing import new_witness


async def test_bodies_that_are_not_submissions(tmp_path):
    """
    The service refuses what is too long or not text.
    """
    witness = new_witness(tmp_path)
    transport = httpx.ASGITransport(create_witness(witness))
    async with httpx.AsyncClient(transport=transport, base_url="http://w1") as client:
        assert (await client.post("/add-checkpoint", content=b"\xff")).status_code == 400
        assert (await client.post("/add-checkpoint", content=b"x" * 1_200_000)).status_code == 400
        assert (await client.get("/healthz")).json() == {"status": "alive"}
    witness.state.close()

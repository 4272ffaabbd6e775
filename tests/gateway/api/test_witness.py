"""A witness as a service."""

import httpx

from gateway.api.witness import create_witness


async def test_bodies_that_are_not_submissions(witnesses):
    """
    The service refuses what is too long or not text.
    """
    transport = httpx.ASGITransport(create_witness(witnesses["w1"]))
    async with httpx.AsyncClient(transport=transport, base_url="http://w1") as client:
        assert (await client.post("/add-checkpoint", content=b"\xff")).status_code == 400
        assert (await client.post("/add-checkpoint", content=b"x" * 1_200_000)).status_code == 400
        assert (await client.get("/healthz")).json() == {"status": "alive"}

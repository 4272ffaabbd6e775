"""Two tenants at one screening worker, one of them hostile, with the detectors that ship."""

import asyncio
import copy

import pytest

from tests.support.bench import Bench, served
from tests.support.oracle import records


def of_tenant(bench, tenant, content=None):
    """The same gateway for another tenant, whose mail has other content."""
    request = copy.deepcopy(bench.request)
    for item in request["items"]:
        if content is not None and item["id"] == "email-client":
            item["content"] = content
    return Bench(bench.app, bench.settings, request, {**bench.person, "tenant": tenant})


@pytest.mark.soak
async def test_content_that_is_dear_to_screen_is_its_own_tenants_matter(settings, story):
    """
    While one tenant has a minute of signs screened, and asks for more than is allowed, another's requests are all served,
    before it is done; no worker is replaced, and what was refused is on record.
    """
    async with served(settings.model_copy(update={"detector_workers": 1}), story) as bench:
        dense = [of_tenant(bench, "hostile", f"{number} " + "!?.,;:-+*/" * 9_000) for number in range(4)]
        too_dear = of_tenant(bench, "hostile", "!?.,;:-+*/" * 25_000)
        victim = of_tenant(bench, "victim")
        flood = [asyncio.ensure_future(one.ask()) for one in dense]
        while not bench.gateway.workers.waiting:
            await asyncio.sleep(0.01)
        refused = await too_dear.ask()
        answers = [await victim.ask() for _ in range(5)]
        assert not any(one.done() for one in flood)
        assert [answer.status_code for answer in answers] == [200] * 5
        assert (refused.status_code, refused.json()["code"]) == (413, "GW-303")
        place = next(place for place, item in enumerate(too_dear.request["items"]) if item["id"] == "email-client")
        assert [error["field"] for error in refused.json()["errors"]] == [f"items.{place}.content"]
        assert "retry-after" not in refused.headers
        assert {(await one).status_code for one in flood} <= {200, 504}
        assert bench.gateway.workers.replaced == 0
        assert [one for one in records(bench.gateway, kind="request.opened") if "GW-303" in one.codes]
        assert await bench.ready() == 200
        for one in (*dense, too_dear, victim):
            await one.http.aclose()

"""The API's own description: for whom it is, and what its page loads."""

import re

from tests.support.web import gateway_of, is_problem


async def test_the_description_loads_nothing_from_elsewhere(client, token):
    """
    The page and all that it loads come from here, under a policy without inline scripts; closed, there is no such page.
    """
    page = await client.get("/docs")
    for part in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        answer = await client.get(f"/{part}")
        assert answer.status_code == 200, part
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "//" not in page.text
    assert "<script>" not in page.text
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert (await client.get("/docs/other")).status_code == 404
    gateway_of(client).settings.__dict__["open_to_all"] = ()
    is_problem(await client.get("/docs"), 404, "GW-170")
    is_problem(await client.get("/openapi.json"), 401, "GW-102")
    assert "paths" in (await client.get("/openapi.json", headers={"authorization": f"Bearer {token()}"})).json()

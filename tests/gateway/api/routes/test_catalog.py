"""The catalog over HTTP."""


async def test_whoever_has_a_token_may_read_it(client, token):
    """
    A developer without any scope is told the words of the bundle that decides; nobody without a token is.
    """
    asked = await client.get("/v1/catalog", headers={"authorization": f"Bearer {token(scope='')}"})
    assert asked.status_code == 200, asked.text
    told = asked.json()
    assert told["policy"].startswith("sha256:")
    assert {"SG", "HK"} <= {*told["jurisdictions"]}
    assert [one["name"] for one in told["labels"]] == ["document_type", "approved_on"]
    assert {agent["id"] for agent in told["agents"]} >= {"RISK"}
    assert (await client.get("/v1/catalog")).status_code == 401

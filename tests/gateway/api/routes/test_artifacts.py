"""Heavy artifacts over HTTP."""

import hashlib

from tests.support.conversation import knowledge


async def test_an_artifact_over_http(client, post, token, small):
    """
    A handle from a pack gives the whole over HTTP, to its person alone.
    """
    log = "\n".join(f"line {n}: settlement of trade {n * 31} done, confirmed by desk {n % 7}" for n in range(2500))
    body = {**small, "items": [*small["items"], knowledge("log", log)]}
    answer = await post("/v1/packs", body)
    [item] = [i for s in answer.json()["sections"] for i in s["items"] if i["id"] == "log"]
    headers = {"authorization": f"Bearer {token()}"}
    got = await client.get(f"/v1/artifacts/{item['artifact']}", headers=headers)
    assert got.status_code == 200
    assert hashlib.sha256(got.json()["content"].encode()).digest() == hashlib.sha256(log.encode()).digest()
    other = await client.get(f"/v1/artifacts/{item['artifact']}", headers={"authorization": f"Bearer {token(sub='x')}"})
    assert other.status_code == 404

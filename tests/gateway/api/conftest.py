"""Fixtures of the HTTP API's tests."""

import json

import pytest


@pytest.fixture
def send(client, token):
    """Post a request with headers."""

    async def post(body, path="/v1/packs", claims=None, **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        bearer = {"authorization": f"Bearer {token(**(claims or {}))}"}
        return await client.post(path, content=content, headers={**bearer, **named})

    return post

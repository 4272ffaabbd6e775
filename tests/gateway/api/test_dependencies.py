"""Who asks, with what body: nobody is served without a token that is right in every respect."""

import json

from datetime import timedelta

import httpx
import pytest

from adapters.identity.development_tokens import UnsafeDevelopmentIssuer
from gateway.api.app import create_app
from tests.support.clock import NOW
from tests.support.oracle import records
from tests.support.web import gateway_of, is_problem


async def test_a_body_over_the_limit_is_not_read(post, client, settings):
    """
    Reading stops at the limit.
    """
    is_problem(await post("/v1/packs", b" " * (settings.max_request_bytes + 1)), 413, "GW-131")


class TestIdentity:
    @pytest.mark.parametrize(
        ("claims", "status", "code"),
        [
            ({"exp": int((NOW - timedelta(minutes=5)).timestamp())}, 401, "GW-103"),
            ({"exp": None}, 401, "GW-103"),
            ({"nbf": int((NOW + timedelta(minutes=5)).timestamp())}, 401, "GW-103"),
            ({"aud": "elsewhere"}, 401, "GW-104"),
            ({"aud": ["elsewhere"]}, 401, "GW-104"),
            ({"iss": "https://evil.example"}, 401, "GW-105"),
            ({"role": None}, 401, "GW-106"),
            ({"jurisdictions": "SG"}, 401, "GW-106"),
            ({"scope": "ledger:read"}, 403, "GW-107"),
        ],
    )
    async def test_bad_tokens(self, post, small, claims, status, code):
        """
        Each thing that can be wrong with a token has its own code.
        """
        is_problem(await post("/v1/packs", small, **claims), status, code)

    @pytest.mark.parametrize("header", [None, "", "Basic abc", "Bearer", "Bearer "])
    async def test_no_token(self, client, small, header):
        """
        Nobody is served without a token.
        """
        headers = {} if header is None else {"authorization": header}
        response = await client.post("/v1/packs", json=small, headers=headers)
        is_problem(response, 401, "GW-102")
        assert response.headers["www-authenticate"] == "Bearer"

    async def test_forged_tokens(self, client, token, small, tmp_path):
        """
        A token by another key, without a signature, or signed with the public key as a secret is refused.
        """
        import base64

        header, payload, _ = token().split(".")
        none = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
        hs = base64.urlsafe_b64encode(b'{"alg":"HS256"}').decode().rstrip("=")
        claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
        forged = [
            UnsafeDevelopmentIssuer(tmp_path / "other.jwk").token(claims),
            f"{none}.{payload}.",
            f"{hs}.{payload}.AAAA",
            f"{header}.{payload}.AAAA",
            "abc",
            "a.b.c",
        ]
        for one in forged:
            response = await client.post("/v1/packs", json=small, headers={"authorization": f"Bearer {one}"})
            is_problem(response, 401, "GW-105")


async def test_tokens_that_are_believed_once(settings, token, small):
    """
    Where tokens are believed once, a second request with the same one is refused before any work, also after a restart;
    where it cannot be told, nobody is let in.
    """
    chosen, before = settings.model_copy(update={"jwt_once": True}), 0
    headers = {"authorization": f"Bearer {token(jti='1')}"}
    for status in (200, 401):
        app = create_app(chosen, clock=lambda: NOW)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://ctxgate") as http:
                http.app = app
                answer = await http.post("/v1/packs", json=small, headers=headers)
                assert answer.status_code == status
                is_problem(await http.post("/v1/packs", json=small, headers=headers), 401, "GW-108")
                before = before or len(records(gateway_of(http), kind="item.ruled"))
                assert len(records(gateway_of(http), kind="item.ruled")) == before

    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://ctxgate")
    async with app.router.lifespan_context(app), client as http:
        app.state.gateway.stores.tables.rows.write("DROP TABLE used_tokens", [()])
        headers = {"authorization": f"Bearer {token(jti='2')}"}
        is_problem(await http.post("/v1/packs", json=small, headers=headers), 503, "GW-402")

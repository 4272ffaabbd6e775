import asyncio
import json

from datetime import timedelta

import httpx
import pytest

from adapters.identity.development_tokens import UnsafeDevelopmentIssuer
from gateway.api.admission import FairQueue
from gateway.api.app import create_app
from gateway.bootstrap.keys import verifiers
from gateway.errors import GatewayError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from ledger.errors import LedgerUnavailableError
from ledger.receipt import verify_receipt
from tests.conftest import NOW
from tests.support.oracle import check_ledger, records


def gateway_of(client):
    return client.app.state.gateway


def is_problem(response, status, code):
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert (status, code) == (response.status_code, document["code"])
    assert {"type", "title", "status", "code", "detail", "instance", "trace_id"} <= set(document)
    return document


class TestPacks:
    async def test_a_pack_with_its_receipt(self, post, client, small):
        """
        Candidates in, a governed pack out, and its receipt verifies against the published key.
        """
        response = await post("/v1/packs", small)
        assert response.status_code == 200
        verify_receipt(response.json(), verifiers([gateway_of(client).vkey]))
        check_ledger(gateway_of(client))

    async def test_is_the_pack_of_the_pipeline(self, post, client, small, subject):
        """
        HTTP and the command line run the same pipeline: the same request at the same time is the same pack.
        """
        response = await post("/v1/packs", small)
        asked = Asked(PackRequest.model_validate(small), Subject.model_validate(subject), NOW)
        pack = await gateway_of(client).pipeline.assemble(asked)
        assert json.loads(pack.model_dump_json()) == response.json()

    async def test_rulings(self, post, client, small):
        """
        Rulings come without sections, on the same records.
        """
        response = await post("/v1/rulings", small, scope="rulings:write")
        assert response.status_code == 200
        assert "sections" not in response.json()
        assert len(response.json()["rulings"]) == 4
        assert len(records(gateway_of(client), kind="item.ruled")) == 4

    async def test_the_callers_trace_is_kept(self, client, token, small):
        """
        A W3C traceparent names the trace in the pack and in every record.
        """
        trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        headers = {"authorization": f"Bearer {token()}", "traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
        response = await client.post("/v1/packs", json=small, headers=headers)
        assert trace == response.json()["request"]["trace_id"]
        assert len(records(gateway_of(client), kind="item.ruled", trace_id=trace)) == 4


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "status", "code"),
        [
            ({"agent_id": "NOBODY"}, 422, "GW-140"),
            ({"purpose": "fun"}, 422, "GW-141"),
            ({"model": "abacus"}, 422, "GW-142"),
            ({"token_budget": 10**6}, 422, "GW-120"),
            ({"purpose": "routing"}, 403, "GW-150"),
            ({"items": []}, 422, "GW-123"),
            ({"entity": {"type": "project", "id": "x"}, "items": []}, 422, "GW-123"),
            ({"token_budget": 50}, 422, "GW-160"),
            ({"tenant": "other"}, 422, "GW-121"),
        ],
    )
    async def test_bad_requests(self, post, client, small, change, status, code):
        """
        Each kind of bad request has its own code, gives no pack, and is on record since the caller is known.
        """
        response = await post("/v1/packs", {**small, **change})
        is_problem(response, status, code)
        [refusal] = records(gateway_of(client), kind="request.opened", outcome="denied")
        assert code in refusal.codes
        assert not records(gateway_of(client), kind="pack.sealed")

    async def test_bad_bytes_are_on_record(self, post, client):
        """
        Bytes that are no request are refused, and the refusal is on record.
        """
        document = is_problem(await post("/v1/packs", b'{"a": NaN}'), 422, "GW-113")
        assert "errors" not in document
        assert [record.codes[0] for record in records(gateway_of(client), kind="request.opened")] == ["GW-113"]

    async def test_a_body_over_the_limit_is_not_read(self, post, client, settings):
        """
        Reading stops at the limit.
        """
        is_problem(await post("/v1/packs", b" " * (settings.max_request_bytes + 1)), 413, "GW-131")

    async def test_fields_are_named(self, post, small):
        """
        A problem names every field at fault.
        """
        small["items"][0]["trust_class"] = "TRUSTED"
        document = is_problem(await post("/v1/packs", small), 422, "GW-121")
        assert document["errors"][0]["field"] == "items.0.trust_class"

    async def test_too_many_at_once(self, post, client, small):
        """
        Over the limit of requests under way the answer is 503 with Retry-After, and nothing is done.
        """
        client.app.state.server.queue = FairQueue(most=0, waiting=0)
        response = await post("/v1/packs", small)
        is_problem(response, 503, "GW-600")
        assert response.headers["retry-after"] == "1"

    async def test_a_ledger_that_is_down(self, post, client, small, monkeypatch):
        """
        Without the ledger the answer is 503, and no byte of a pack.
        """

        def fail(entries, erasures):
            raise LedgerUnavailableError("gone")

        monkeypatch.setattr(gateway_of(client).store, "append", fail)
        document = is_problem(await post("/v1/packs", small), 503, "GW-400")
        assert "sections" not in document

    async def test_a_bug_is_a_problem_without_details(self, post, client, small, monkeypatch):
        """
        Whatever breaks, the caller sees a code and nothing of the inside.
        """

        async def crash(*args):
            raise ZeroDivisionError("S8421753F")

        monkeypatch.setattr(type(gateway_of(client).pipeline), "assemble", crash)
        response = await post("/v1/packs", small)
        is_problem(response, 500, "GW-000")
        assert "S8421753F" not in response.text
        assert "Traceback" not in response.text


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


class TestLedgerRecords:
    async def test_an_auditor_reads_the_tenants_records(self, post, client, token, small):
        """
        Records come in pages, of the caller's tenant alone, and the reading is itself recorded.
        """
        await post("/v1/packs", small)
        await post("/v1/packs", small, tenant="other")
        headers = {"authorization": f"Bearer {token(scope='ledger:read')}"}
        seen, after = [], 0
        while after is not None:
            answer = (await client.get(f"/v1/ledger/records?limit=3&after={after}", headers=headers)).json()
            seen += answer["records"]
            after = answer["next"]
        assert {"gfm"} == {record["tenant"] for record in seen}
        assert {"request.opened", "item.ruled", "pack.sealed", "ledger.read"} == {record["kind"] for record in seen}
        one = await client.get("/v1/ledger/records?item_id=npa-record", headers=headers)
        assert len(one.json()["records"]) == 1

    @pytest.mark.parametrize(
        ("query", "scope", "status", "code"),
        [
            ("", "packs:write", 403, "GW-107"),
            ("?colour=red", "ledger:read", 422, "GW-121"),
            ("?limit=0", "ledger:read", 422, "GW-120"),
        ],
    )
    async def test_refused(self, client, token, query, scope, status, code):
        """
        Reading needs its own scope, and a misspelt filter is an error, not an empty filter.
        """
        headers = {"authorization": f"Bearer {token(scope=scope)}"}
        is_problem(await client.get(f"/v1/ledger/records{query}", headers=headers), status, code)

    async def test_a_filter_cannot_choose_the_tenant(self, post, client, token, small):
        """
        The tenant comes from the token, whatever the query says.
        """
        await post("/v1/packs", small, tenant="other")
        headers = {"authorization": f"Bearer {token(scope='ledger:read')}"}
        answer = await client.get("/v1/ledger/records?tenant=other&kind=item.ruled", headers=headers)
        assert answer.json()["records"] == []


async def test_alive_and_ready(client):
    """
    The probes answer without a token.
    """
    assert (await client.get("/healthz")).json() == {"status": "alive"}
    assert (await client.get("/readyz")).json()["status"] == "ready"


async def test_the_document_describes_the_calls(client):
    """
    The OpenAPI document has the calls with their bodies and answers.
    """
    document = (await client.get("/openapi.json")).json()
    assert {"/v1/packs", "/v1/rulings", "/v1/ledger/records"} <= set(document["paths"])
    body = document["paths"]["/v1/packs"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/PackRequest"}
    assert {"agent_id", "items", "token_budget"} <= set(document["components"]["schemas"]["PackRequest"]["properties"])


async def test_side_by_side(post, client, small):
    """
    Many callers at once each get their own pack.
    """
    answers = await asyncio.gather(*(post("/v1/packs", {**small, "query": f"q{n}"}) for n in range(12)))
    assert [answer.status_code for answer in answers] == [200] * 12
    assert len({answer.json()["id"] for answer in answers}) == 12
    check_ledger(gateway_of(client))


def test_every_error_has_a_code_of_its_own():
    """
    No two errors share a code.
    """

    def tree(kind):
        yield kind
        for child in kind.__subclasses__():
            yield from tree(child)

    codes = [kind.code for kind in tree(GatewayError)]
    assert len(codes) == len(set(codes))


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
        app.state.gateway.answers.rows.write("DROP TABLE used_tokens", [()])
        headers = {"authorization": f"Bearer {token(jti='2')}"}
        is_problem(await http.post("/v1/packs", json=small, headers=headers), 503, "GW-402")

"""Two replicas on one PostgreSQL database."""

import asyncio
import json

import httpx
import pytest

from gateway.audit.replay import MATCH, replay
from gateway.bootstrap.gateway import running
from gateway.bootstrap.replay import replaying
from ledger.query import Filter
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records
from tests.support.requests import asked
from tests.support.services import need


@pytest.fixture
def two(settings, postgres, tmp_path):
    """Settings of two replicas on one database, with one signing key and one key for what is kept aside."""
    import shutil

    from pydantic import SecretStr

    from gateway.bootstrap.ledger import open_ledger

    need(postgres is not None, "PostgreSQL")
    url = SecretStr(postgres.url(postgres.new_ledger(), "gateway"))
    first = settings.model_copy(update={"detector_workers": 1, "ledger_url": url, "state_dir": tmp_path / "one"})
    with open_ledger(first):
        pass
    second = first.model_copy(update={"state_dir": tmp_path / "two"})
    shutil.copytree(tmp_path / "one/keys", tmp_path / "two/keys")
    return first, second


async def test_two_replicas_write_one_log(two, subject, story):
    """
    Both serve packs at once, either sequences, and one log holds both, verified from storage.
    """
    request = story("npa-risk", "request")
    async with running(two[0], clock=lambda: NOW) as one, running(two[1], clock=lambda: NOW) as other:
        tries = [
            gateway.pipeline.assemble(asked({**request, "query": f"try {n}"}, {**subject, "sub": f"user {n % 3}"}))
            for n, gateway in enumerate([one, other] * 3)
        ]
        packs = await asyncio.gather(*tries)
        assert len({pack.id for pack in packs}) == 6
        verified = check_ledger(one)
        assert verified.packs == 6
        assert verified.lanes == 2
        with replaying(two[0], "embedded") as ask:
            counts = replay(one.ledger.parts.evidence, ask, Filter()).counts
        assert dict(counts) == {MATCH: 46 * 6}
        tokens = {record.subject for record in records(one, kind="pack.sealed")}
        assert len(tokens) == 3


async def test_the_gateway_role_cannot_erase(two, token, subject, small):
    """
    Over HTTP the gateway's own role may not erase, and says which way does.
    """
    from gateway.api.app import create_app

    app = create_app(two[0], clock=lambda: NOW)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://ctxgate") as http:
            from gateway.bootstrap.keys import development_issuer

            claims = {**subject, "iss": two[0].jwt_issuer, "aud": two[0].jwt_audience, "scope": "erasure:write"}
            bearer = development_issuer(two[0]).token({**claims, "exp": int(NOW.timestamp()) + 60})
            answer = await http.post(
                "/v1/ledger/erasures",
                content=json.dumps({"subject": "x", "basis": "x"}),
                headers={"authorization": f"Bearer {bearer}"},
            )
    assert "ctxgate ledger erase" in answer.text

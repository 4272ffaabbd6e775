"""Two replicas on one PostgreSQL database."""

import asyncio

import httpx
import pytest

from gateway.bootstrap.gateway import running
from gateway.bootstrap.replay import replaying
from gateway.replay.run import replay
from gateway.replay.verdicts import MATCH
from ledger.query import Filter
from tests.support.clock import NOW
from tests.support.fakes import fetching_from
from tests.support.oracle import check_ledger, records
from tests.support.repeating import FETCHED, ChangingSource
from tests.support.requests import asked
from tests.support.services import need


@pytest.fixture
def two(settings, postgres, tmp_path):
    """Settings of two replicas on one database, with the same keys, which ids are made with too."""
    import shutil

    from pydantic import SecretStr

    from gateway.bootstrap.key_files import make_keys

    need(postgres is not None, "PostgreSQL")
    url = SecretStr(postgres.url(postgres.new_ledger(), "gateway"))
    first = settings.model_copy(update={"detector_workers": 1, "ledger_url": url, "state_dir": tmp_path / "one"})
    make_keys(first)
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
        await _repeated_elsewhere(one, other, asked({**request, "query": "again"}, subject))


async def _repeated_elsewhere(one, other, call):
    """A repeat at another replica is the same decision, or one that names it where a source gives something else there."""
    changed = {**FETCHED, "content": "The limit is 9 million."}
    first = await fetching_from(one, ChangingSource(FETCHED)).assemble(call)
    assert await fetching_from(other, ChangingSource(FETCHED)).assemble(call) == first
    second = await fetching_from(other, ChangingSource(changed)).assemble(call)
    [sealed] = records(one, pack_id=second.id)
    assert sealed.repeats == first.request["request_id"]
    assert check_ledger(one).packs == 8


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
                "/v1/ledger/erasures/ERQ-0123456789abcdef/approve",
                content=b"{}",
                headers={"authorization": f"Bearer {bearer}"},
            )
    assert "ctxgate ledger erase" in answer.text

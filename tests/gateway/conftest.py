"""Fixtures of the gateway's tests: who asks, and what was sealed for them."""

import json
import shutil

import pytest

from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import HOME
from tests.support.clock import NOW
from tests.support.conversation import Chat
from tests.support.fakes import LaneLedger
from tests.support.packs import SCOPE
from tests.support.web import AUDITOR, PARENT


@pytest.fixture
async def sealed(post, story):
    """A sealed pack of the story, as it was handed over."""
    answer = await post("/v1/packs", story("npa-risk", "request"), scope=SCOPE)
    assert answer.status_code == 200
    return answer.json()


@pytest.fixture
def verify(post, sealed):
    async def ask(*claims, pack=None, **claims_of_token):
        given = [{"id": f"c{place}", **claim} for place, claim in enumerate(claims)]
        body = {"pack": pack or sealed, "claims": given}
        return await post("/v1/citations/verify", body, **{"scope": SCOPE, **claims_of_token})

    return ask


@pytest.fixture
def chat(gateway, story, subject):
    return Chat(gateway, story, subject)


@pytest.fixture
def get(client, token):
    async def ask(path, **claims):
        scope = {"scope": AUDITOR, **claims}
        return await client.get(path, headers={"authorization": f"Bearer {token(**scope)}"})

    return ask


@pytest.fixture
async def pack(client, token, small):
    headers = {"authorization": f"Bearer {token()}", "traceparent": PARENT}
    answer = await client.post("/v1/packs", content=json.dumps(small), headers=headers)
    assert answer.status_code == 200
    return answer.json()


@pytest.fixture
def ask(subject):
    def make(request, **claims):
        return Asked(PackRequest.model_validate(request), Subject.model_validate({**subject, **claims}), NOW)

    return make


@pytest.fixture
def call(client, token):
    """Ask for something; with a token without scopes, unless claims are given."""

    async def ask(method, path, body=None, headers=None, **claims):
        bearer = {"authorization": f"Bearer {token(**{'scope': 'none:at-all', **claims})}"}
        return await client.request(method, path, content=json.dumps(body or {}), headers={**bearer, **(headers or {})})

    return ask


@pytest.fixture
def policies(tmp_path):
    shutil.copytree(HOME / "policies", tmp_path / "policies")
    return tmp_path / "policies"


@pytest.fixture
def lane(tmp_path):
    """A ledger of one lane, for what needs no gateway."""
    ledger = LaneLedger(tmp_path / "lane.sqlite")
    yield ledger
    ledger.store.close()

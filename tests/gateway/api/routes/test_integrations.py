"""`/v1/integrations`: Dify asks in its words, and gets released items alone."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest

from gateway.errors import SourceUnavailableError
from gateway.model import Candidate
from gateway.policy.registries import Registries
from tests.support.oracle import check_ledger, records
from tests.support.web import gateway_of

PATH = "/v1/integrations/dify/retrieval"


@pytest.fixture
def asked(small):
    known = {
        "agent": small["agent_id"],
        "purpose": small["purpose"],
        "model": small["model"],
        "jurisdictions": ",".join(small["jurisdictions"]),
        "entity_type": small["entity"]["type"],
        "entity_id": small["entity"]["id"],
    }
    return {
        "knowledge_id": urlencode(known),
        "query": "Which steps does the procedure ask for?",
        "retrieval_setting": {"top_k": 5, "score_threshold": 0.0},
    }


class Found:
    """A source of the registry that gives items, as if it had searched for them."""

    def __init__(self, name, items):
        self.name = name
        self.items = [Candidate.model_validate(item) for item in items]
        self.sections = tuple({item["section"] for item in items})
        self.failing = False
        self.entry = None

    def of(self, registry):
        known = {"domains": ("NPA",), "sections": self.sections, "critical": True}
        self.entry = registry.sources[self.name].model_copy(update=known)
        return self

    async def fetch(self, filters, query):
        if self.failing:
            raise SourceUnavailableError("down")
        return self.items


@pytest.fixture
def found(small, monkeypatch):
    """The source of knowledge; beside it the system of record gives the record of the entity."""
    knowledge = Found("knowledge-base", [item for item in small["items"] if item["section"] != "entity"])
    record = Found("sor-npa", [item for item in small["items"] if item["section"] == "entity"])
    pinned = Registries.pinned

    def with_sources(self, engine):
        held = pinned(self, engine)
        return replace(held, sources=[source.of(held.registry) for source in (record, knowledge)])

    monkeypatch.setattr(Registries, "pinned", with_sources)
    return knowledge


class TestRetrieval:
    async def test_released_knowledge_comes_as_records(self, post, client, asked, found):
        """What policy releases of the section knowledge is answered, on record; the record, the mail and the turn are not."""
        response = await post(PATH, asked)
        assert response.status_code == 200, response.text
        [record] = response.json()["records"]
        assert set(record) == {"content", "score", "title", "metadata"}
        assert record["metadata"]["item_id"] == "sop-4.2.1"
        assert record["metadata"]["pack_id"]
        assert len(records(gateway_of(client), kind="pack.sealed")) == 1
        check_ledger(gateway_of(client))

    async def test_what_policy_refuses_is_not_told(self, post, asked, found):
        """A chunk whose labels policy refuses is in no record, and its name is nowhere in the answer."""
        refused = [
            item.model_copy(
                update={"id": "wall", "provenance": item.provenance.model_copy(update={"jurisdiction": "HK"})}
            )
            for item in found.items
            if item.id == "sop-4.2.1"
        ]
        found.items = [*found.items, *refused]
        response = await post(PATH, asked)
        assert "wall" not in response.text

    async def test_settings_narrow(self, post, asked, found):
        """A threshold, and conditions on metadata, leave out what does not meet them."""
        for change in (
            {"retrieval_setting": {"top_k": 5, "score_threshold": 1.0}},
            {"metadata_condition": {"conditions": [{"name": ["corpus"], "comparison_operator": "is", "value": "no"}]}},
        ):
            response = await post(PATH, {**asked, **change})
            assert response.json() == {"records": []}

    async def test_nothing_found_is_an_answer(self, post, client, asked, found):
        """Where the source of knowledge has nothing there are no records."""
        found.items = []
        response = await post(PATH, asked)
        assert (response.status_code, response.json()) == (200, {"records": []})

    async def test_no_candidate_at_all_is_an_answer(self, post, client, asked):
        """Without any source there are no records either, and the refusal of the empty request is on record."""
        response = await post(PATH, asked)
        assert (response.status_code, response.json()) == (200, {"records": []})
        assert len(records(gateway_of(client), kind="request.opened")) == 1


class TestErrors:
    async def test_errors_say_what_dify_reads(self, client, post, asked, found):
        """Its codes for a header, a key and a knowledge base stand beside ours, which stay."""
        missing = await client.post(PATH, json=asked)
        wrong = await client.post(PATH, json=asked, headers={"authorization": "Bearer x.y.z"})
        scope = await post(PATH, asked, scope="ledger:read")
        unknown = await post(PATH, {**asked, "knowledge_id": asked["knowledge_id"].replace("model=", "model=x")})
        odd = await post(PATH, {**asked, "knowledge_id": "support-manuals"})
        told = [(one.status_code // 100, one.json()["error_code"]) for one in (missing, wrong, scope, unknown, odd)]
        assert told == [(4, 1001), (4, 1002), (4, 1002), (4, 2001), (4, 2001)]
        assert all(one.json()["code"].startswith("GW-") for one in (missing, wrong, scope, unknown, odd))

    async def test_a_source_that_is_needed_and_down(self, post, asked, found):
        """Nothing is answered where a critical source does not: no records would say that there are none."""
        found.failing = True
        response = await post(PATH, asked)
        assert response.status_code == 503
        assert "records" not in response.json()

    @pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"knowledge_id": 1}', b'{"query": "x", "query": "y"}'])
    async def test_bodies_that_are_no_question(self, post, body):
        """What is no question is told so, in both words."""
        response = await post(PATH, body)
        assert response.status_code in {400, 422}
        assert "error_code" in response.json()

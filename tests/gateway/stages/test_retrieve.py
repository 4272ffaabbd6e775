"""What is found of the gateway's own documents, and what is not, by requests that go all the way."""

import asyncio

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from gateway.errors import (
    ContextStarvationError,
    IndexUnavailableError,
    NoCandidatesError,
    PolicyUnavailableError,
    ReachMismatchError,
    SourceUnavailableError,
)
from gateway.knowledge.reach import Reach
from gateway.knowledge.searching import KnowledgeLibrary, SearchTerms
from gateway.model import Registry
from gateway.model.base import utc_text
from gateway.model.request import Provenance
from gateway.ports.knowledge import SearchHit
from tests.support.clock import NOW
from tests.support.fakes import AnsweringPolicy
from tests.support.knowledge_fakes import ExactIndex, FakeDocuments
from tests.support.oracle import check_ledger, records

LABELS = Provenance(
    source_id="SOP-RISK",
    source_type="bank_sop",
    version="3.2",
    effective_date="2025-11-01",
    owner="Product Control",
    fetched_at=utc_text(NOW),
    ttl_seconds=86_400,
    data_classification="INTERNAL",
    jurisdiction="SG",
    domain="NPA",
    doc_section="4.2",
)
QUERY = "How is counterparty exposure of a swap measured?"


def ranked(question: str, hits: Sequence[SearchHit], texts: Mapping[int, str]) -> list[tuple[int, float]]:
    """The three best by words."""
    best = sorted(hits, key=lambda hit: (-hit.lexical, hit.id))[:3]
    return [(hit.id, 0.9) for hit in best if hit.lexical > 0]


def terms(registry: Registry) -> SearchTerms:
    """The same for every bundle."""
    return SearchTerms(10, {"fusion": "words alone"}, ranked)


class Shelf:
    """Documents in memory, and a pipeline that searches them."""

    def __init__(self, gateway) -> None:
        self.documents, self.index = FakeDocuments(), ExactIndex()
        library = KnowledgeLibrary(self.documents, self.index, Reach(self.documents), terms)
        self.pipeline = replace(gateway.pipeline, knowledge=library)

    def put(self, text: str, *, tenant: str = "gfm", **labels: object) -> int:
        """A document of one chunk."""
        number = self.documents.add(text, LABELS.model_copy(update=labels), tenant)
        self.index = self._indexed()
        return number

    def _indexed(self) -> ExactIndex:
        self.index.held.clear()
        self.index.replace([], [*self.documents.findable()])
        return self.index

    def with_(self, **parts: object) -> "Shelf":
        """With other parts of what is searched."""
        self.pipeline = replace(self.pipeline, knowledge=replace(self.pipeline.knowledge, **parts))
        return self


@pytest.fixture
def shelf(gateway):
    made = Shelf(gateway)
    made.put("Counterparty exposure of a swap is measured daily by Product Control.")
    return made


@pytest.fixture
def asking(small):
    return {**small, "query": QUERY}


def found_in(pack):
    """Ids of what came of documents."""
    return [item.id for section in pack.sections for item in section.items if item.id.startswith("kb:")]


async def test_a_document_is_found_labelled_and_on_record(shelf, ask, asking, gateway):
    """
    What answers the question and may be found stands in the pack, is ruled on like every other item, and the search is on record.
    """
    pack = await shelf.pipeline.assemble(ask(asking))
    assert len(found_in(pack)) == 1
    [sealed] = records(gateway, kind="pack.sealed")
    assert sealed.policy.input_commitment is not None
    assert any((one.item.id or "").startswith("kb:") for one in records(gateway, kind="item.ruled"))
    check_ledger(gateway)


@pytest.mark.parametrize(
    "labels",
    [
        {"jurisdiction": "HK"},
        {"domain": "ORM"},
        {"data_classification": "RESTRICTED", "domain": "DESK"},
        {"expiry_date": "2026-02-28"},
        {"effective_date": "2026-03-02"},
        {"ttl_seconds": 0, "fetched_at": "2026-03-01T09:00:00.000000Z"},
        {"source_type": "hearsay"},
        {"corpus": "no_such_corpus"},
    ],
    ids=str,
)
async def test_what_the_gate_refuses_is_never_looked_at(shelf, ask, asking, labels):
    """
    A chunk whose labels the gate would refuse is in no search, and nobody reads of it in the records.
    """
    hidden = shelf.put("Counterparty exposure of a swap: the secret way to measure it.", **labels)
    pack = await shelf.pipeline.assemble(ask(asking))
    assert len(found_in(pack)) == 1
    assert all(hidden not in asked for asked in shelf.index.asked)


async def test_forbidden_text_changes_nothing(shelf, ask, asking):
    """
    However many forbidden documents use the words of the question, what is found and how relevant it is stays the same.
    """
    before = await shelf.pipeline.assemble(ask(asking))
    for number in range(30):
        shelf.put(f"exposure swap counterparty {number}", jurisdiction="HK")
    after = await shelf.pipeline.assemble(ask(asking))
    scores = [[(i.id, i.score) for s in pack.sections for i in s.items] for pack in (before, after)]
    assert scores[0] == scores[1]


async def test_documents_of_another_tenant_are_not_there(shelf, ask, asking):
    """
    Another tenant's documents are in no search.
    """
    other = shelf.put("Counterparty exposure of a swap, elsewhere.", tenant="another")
    await shelf.pipeline.assemble(ask(asking))
    assert all(other not in asked for asked in shelf.index.asked)


async def test_an_index_is_never_asked_without_a_mask(shelf, ask, asking):
    """
    Where nothing may be found, the index is not asked at all.
    """
    shelf.documents.held.clear()
    shelf.documents.epoch += 1
    pack = await shelf.pipeline.assemble(ask(asking))
    assert found_in(pack) == []
    assert shelf.index.asked == []


async def test_without_a_question_nothing_is_searched(shelf, ask, asking):
    """
    A request that asks nothing searches nothing.
    """
    with pytest.raises(ContextStarvationError):
        await shelf.pipeline.assemble(ask({**asking, "query": None}))
    assert shelf.index.asked == []


async def test_rulings_alone_search_nothing(shelf, ask, asking):
    """
    Whoever asks for rulings alone brings the items.
    """
    await shelf.pipeline.rule(ask(asking))
    assert shelf.index.asked == []


async def test_a_request_may_bring_nothing_where_something_is_found(shelf, ask, asking):
    """
    Where documents are searched a request needs no items of its own; where nothing is found it is refused as before.
    """
    with pytest.raises(NoCandidatesError):
        await shelf.pipeline.assemble(ask({**asking, "items": [], "query": "zebra crossings"}))


async def test_what_the_request_has_already_is_not_found_again(shelf, ask, asking):
    """
    A chunk that says word for word what an item says is not found beside it, and an item that takes its name keeps nothing out.
    """
    brought = asking["items"][0]
    words = f"{brought['content']}" if isinstance(brought["content"], str) else "exposure"
    shelf.put(words)
    shelf.put("Another word on swap exposure.")
    pack = await shelf.pipeline.assemble(ask(asking))
    texts = [item.content for section in pack.sections for item in section.items]
    assert texts.count(words) <= 1
    name = found_in(pack)[0]
    renamed = {**asking, "items": [*asking["items"][1:], {**brought, "id": name}]}
    again = await shelf.pipeline.assemble(ask(renamed))
    assert f"{name}@knowledge" in {one.item_id for one in again.rulings}


class Failing(ExactIndex):
    """Cannot be searched."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def search(self, question, permitted, most):
        raise self._error


async def test_an_index_that_fails_is_left_out_unless_it_is_critical(shelf, ask, asking, gateway):
    """
    A pack says that documents were not searched; where they are critical there is none.
    """
    shelf.with_(index=Failing(IndexUnavailableError("gone")))
    pack = await shelf.pipeline.assemble(ask(asking))
    assert found_in(pack) == []
    critical(shelf)
    with pytest.raises(IndexUnavailableError):
        await shelf.pipeline.assemble(ask(asking))


def critical(shelf: Shelf) -> None:
    """Make the documents a source that requests cannot do without."""
    registries = shelf.pipeline.registries
    for revision, (bundle, registry, *rest) in registries._held.items():
        entry = registry.sources["knowledge"].model_copy(update={"critical": True, "timeout_seconds": 0.05})
        sources = {**registry.sources, "knowledge": entry}
        registries._held[revision] = (bundle, registry.model_copy(update={"sources": sources}), *rest)


async def test_a_search_that_takes_too_long(shelf, ask, asking):
    """
    Documents that are critical and are not searched in their time stop the request.
    """

    class Slow(Reach):
        async def mask(self, question):
            await asyncio.sleep(5)
            raise AssertionError

    shelf.with_(reach=Slow(shelf.documents))
    critical(shelf)
    with pytest.raises(SourceUnavailableError):
        await shelf.pipeline.assemble(ask(asking))


async def test_no_answer_of_policy_stops_the_request(shelf, ask, asking):
    """
    Where policy does not answer, nothing is searched and nothing released.
    """

    def down(answers):
        raise PolicyUnavailableError("down")

    broken = replace(shelf.pipeline, policy=AnsweringPolicy(shelf.pipeline.policy, "context/reach", down))
    with pytest.raises(PolicyUnavailableError):
        await broken.assemble(ask(asking))
    assert shelf.index.asked == []


async def test_a_mask_that_permits_too_much_is_noticed(shelf, ask, asking, gateway):
    """
    Where the search was allowed to find what the gate refuses, the whole request is refused, on record and counted.
    """
    shelf.put("Counterparty exposure of a swap in Hong Kong.", jurisdiction="HK")
    wide = AnsweringPolicy(shelf.pipeline.policy, "context/reach", lambda answers: [{"allow": True} for _ in answers])
    before = gateway.observer.registry.get_sample_value("ctxgate_reach_mismatches_total")
    with pytest.raises(ReachMismatchError):
        await replace(shelf.pipeline, policy=wide).assemble(ask(asking))
    assert gateway.observer.registry.get_sample_value("ctxgate_reach_mismatches_total") == before + 1
    [refusal] = records(gateway, kind="request.opened", outcome="denied")
    assert "GW-711" in refusal.codes


async def test_an_index_that_finds_what_it_was_not_asked_for(shelf, ask, asking):
    """
    An index that answers with a chunk outside of what may be found is not believed.
    """
    hidden = shelf.put("Counterparty exposure of a swap.", jurisdiction="HK")

    class Leaking(ExactIndex):
        def search(self, question, permitted, most):
            return [SearchHit(hidden, 9.0, 1.0)]

    shelf.with_(index=Leaking())
    with pytest.raises(ReachMismatchError):
        await shelf.pipeline.assemble(ask(asking))


async def test_the_same_request_has_the_same_bytes(shelf, ask, asking, gateway):
    """
    The same request of the same documents gives the same pack; other documents give another decision.
    """
    first, again = [await shelf.pipeline.assemble(ask(asking)) for _ in range(2)]
    assert first.model_dump_json() == again.model_dump_json()

"""The shipped example of documents, taken in by a running gateway, searched by people and measured by its golden set."""

from dataclasses import replace

import pytest

from gateway.bootstrap.finding import GatewayFindable, watching_quality
from gateway.bootstrap.gateway import running
from gateway.bootstrap.knowledge import tree_of
from gateway.knowledge.quality.evaluation import evaluate
from gateway.knowledge.quality.golden import read_golden
from gateway.knowledge.syncing import sync
from gateway.knowledge.taking_back import withdraw
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import HOME
from tests.support.bundles import SHIPPED
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records

EXAMPLE = HOME / "examples/knowledge"
OFFICER = Subject(
    sub="ada.lovelace", tenant="gfm", role="approver", department="LEGAL", jurisdictions=("SG", "HK", "IN"), scope="x"
)


@pytest.fixture(scope="module")
def golden():
    return read_golden(EXAMPLE / "golden.yaml", SHIPPED)


async def taken_in(gateway):
    for folder in sorted((EXAMPLE / "documents").iterdir()):
        synced = await sync(gateway.knowledge.room, tree_of(folder, None), folder.name, OFFICER)
        assert synced.accepted
        assert not (synced.not_taken or synced.set_aside), synced


async def test_documents_are_found_within_rights_and_no_further(settings, golden):
    """
    Of the shipped example most of what must be found is found, nothing that must not be, and nothing that the gate refuses; another
    embedder can be measured beside, and whoever may see nothing learns nothing.
    """
    async with running(settings) as gateway:
        await taken_in(gateway)
        findable = GatewayFindable(gateway, gateway.knowledge.library(gateway.observer))
        found = await evaluate(golden, findable.finder, 8)
        assert (found.figures["leaked"], found.figures["refused_by_gate"]) == (0, 0)
        assert found.figures["recall"] > 0.75
        assert set(findable.finder.documents("gfm")) > {"npa-approval-sop", "outsourcing-policy"}
        assert findable.finder.searchable.reranker is None
        asker = golden.askers["npa_sg"]
        passages = await findable.passages(asker)
        assert 0 < len(passages) < len(gateway.knowledge.index.ids())
        stranger = asker.model_copy(update={"subject": asker.subject.model_copy(update={"tenant": "other"})})
        assert await findable.passages(stranger) == []
        assert await findable.finder.find(stranger, "What lapses after 90 days?", reranked=True) == ()
        check_ledger(gateway)


async def pack(gateway, story, query, turn):
    """The story's question again, with its systems of record and none of its documents."""
    request = story("npa-risk", "request")
    records_ = [one for one in request["items"] if one["section"] in {"entity", "tool_result"}]
    asked = {**request, "items": records_, "query": query, "turn": turn}
    subject = Subject.model_validate(story("npa-risk", "subject"))
    return await gateway.pipeline.assemble(Asked(PackRequest.model_validate(asked), subject, NOW))


def documents_of(made):
    return {
        item.provenance.source_id for section in made.sections for item in section.items if item.id.startswith("kb:")
    }


async def test_a_question_finds_documents_until_they_are_taken_back(settings, story):
    """
    A question that brings no document is answered with those of the gateway, on record; a document that is withdrawn is neither
    found again nor carried over from the turn before.
    """
    async with running(settings, clock=lambda: NOW) as gateway:
        await taken_in(gateway)
        first = await pack(gateway, story, "How long is a sign-off valid before the launch?", 1)
        assert "npa-approval-sop" in documents_of(first)
        (version,) = [
            one.version
            for one in gateway.knowledge.store.versions("gfm")
            if one.version.labels.source_id == "npa-approval-sop"
        ]
        await withdraw(gateway.knowledge.room, version.corpus, version.document, OFFICER)
        second = await pack(gateway, story, "And which products need an approval at all?", 2)
        assert documents_of(second)
        assert "npa-approval-sop" not in documents_of(second)
        assert len(records(gateway, kind="pack.sealed")) == 2
        check_ledger(gateway)


async def test_golden_sets_are_asked_in_the_background(settings, tmp_path):
    """
    Where the settings name golden sets they are asked while the gateway serves; where they name none, nothing is.
    """
    async with running(settings) as gateway:
        async with watching_quality(gateway):
            pass
        chosen = settings.model_copy(update={"knowledge_golden": tmp_path})
        async with watching_quality(replace(gateway, settings=chosen)):
            pass

"""The pack: whole, with its reports, and with no more than its reader may know."""

import random

import pytest

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from gateway.errors import PackIncompleteError
from gateway.model import Loss, ScopeAnswer, Selection
from gateway.model.session import Session
from gateway.prompt.render import render
from gateway.stages.assemble import Ruled, assemble, check_complete
from gateway.stages.budget import budget
from gateway.stages.layer import layer
from gateway.stages.report import report
from tests.support.oracle import records
from tests.support.packing import (
    REGISTRY,
    SECTIONS,
    SOURCES,
    TOKENIZER,
    TOLD,
    case_of,
    encoding_of,
    generated,
    pieces,
    ruling,
)
from tests.support.packs import items_of


@given(
    st.lists(
        st.tuples(st.sampled_from(SECTIONS), st.text(max_size=80), st.booleans(), st.sampled_from(SOURCES)),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["gpt-4o", "gpt-4-turbo"]),
)
@hypothesis_settings(max_examples=300)
def test_tokens_are_those_of_the_messages(items, model):
    """
    Whatever stands in the items, the tokens of the report are those of the rendered messages, counted by tiktoken itself.
    """
    rulings = []
    for number, (section, text, fenced, source) in enumerate(items):
        rulings.append(ruling(f"i{number}", section, text, fenced=fenced, source_type=source, source_id=f"s{number}"))
    case = case_of(100_000, model=model)
    selection = layer(Selection(kept=tuple(pieces(*rulings)), told=TOLD), rulings, Session(), REGISTRY.budgets.library)
    selection = budget(selection, case, budgets=REGISTRY.budgets, tokenizer=TOKENIZER)
    scoped = ScopeAnswer(allow=True, denials=(), filters={}, release_mode="durable")
    ruled = Ruled(case, scoped, rulings, [], [], Session())
    verdict = report(rulings, case, lost=selection.lost)
    pack = assemble(selection, ruled, verdict, budgets=REGISTRY.budgets, tokenizer=TOKENIZER)
    encoding = encoding_of(case.model.encoding)
    counted = 3
    for message in render(pack, "openai")["messages"]:
        counted += 3 + sum(len(encoding.encode_ordinary(message[name])) for name in ("role", "content"))
    assert counted == pack.budget_report.allocated - pack.budget_report.response_headroom
    by_layer = sum(report.tokens for report in pack.envelope.layers)
    assert by_layer <= counted


def test_the_report_and_the_pack_are_what_was_allowed():
    """
    An allowed item that is in neither, one that is in both, and one that was never allowed, each block the pack.
    """
    rulings, selection, _ = generated(random.Random(5))
    check_complete(selection, rulings)
    loss = Loss(piece=selection.kept[0], reason="budget")
    for wrong in (
        selection.model_copy(update={"kept": selection.kept[1:]}),
        selection.model_copy(update={"lost": (loss,)}),
        selection.model_copy(update={"kept": (*selection.kept, *pieces(ruling("stranger")))}),
    ):
        with pytest.raises(PackIncompleteError):
            check_complete(wrong, rulings)


async def test_denied_items_are_only_counted(gateway, ask, story):
    """
    The subject learns how many items were denied and by which codes, never which; an auditor learns all.
    """
    request = story("npa-risk", "request")
    pack = await gateway.pipeline.assemble(ask(request))
    text = pack.model_dump_json()
    denied = [record.item.id for record in records(gateway, kind="item.ruled", outcome="denied")]
    assert "board-paper" in denied
    assert not [name for name in denied if f'"{name}"' in text]
    assert len(denied) == pack.withheld.count
    full = await gateway.pipeline.assemble(ask(request, scope="packs:write ledger:read"))
    assert set(denied) <= {ruling.item_id for ruling in full.rulings}


async def test_every_candidate_is_packed_dropped_or_withheld(gateway, ask, story):
    """
    Pack and drop report together are exactly the items that were released.
    """
    pack = await gateway.pipeline.assemble(ask(story("npa-risk", "request")))
    released = {r.item.id for r in records(gateway, kind="item.ruled") if r.outcome in {"released", "redacted"}}
    assert released == set(items_of(pack)) | {drop.item_id for drop in pack.drop_report}
    dropped = {record.item.id for record in records(gateway, kind="item.dropped")}
    assert {drop.item_id for drop in pack.drop_report} == dropped

"""What may be found is what the gate would let in: for every combination of labels, caller and moment."""

import asyncio
import random

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from adapters.attestation.json_schema import JsonSchemaChecker
from gateway.errors import IndexUnavailableError, PolicyUnavailableError
from gateway.knowledge.reach import Reach
from gateway.knowledge.reading.deciding import deciding
from gateway.policy.areas import ENTRY
from gateway.policy.bundle import Bundle
from gateway.policy.vouching import Verifiers
from gateway.ports.knowledge import LabelTuple
from tests.support.bundles import SHIPPED
from tests.support.clock import NOW
from tests.support.fakes import AnsweringPolicy
from tests.support.knowledge_fakes import FakeDocuments
from tests.support.reaching import (
    TENANT,
    Compared,
    Comparing,
    Nobody,
    aged,
    drawn_moments,
    drawn_shared,
    drawn_tuples,
)
from tests.support.seeded_mutants import seeded

VERIFIERS = Verifiers(Nobody(), Nobody(), JsonSchemaChecker())
FRESHNESS = "context/freshness/freshness.rego"


def changed(name: str, old: str, new: str) -> Bundle:
    """The shipped bundle with other words in one module."""
    assert old in SHIPPED.modules[name]
    modules = {**SHIPPED.modules, name: SHIPPED.modules[name].replace(old, new, 1)}
    return replace(SHIPPED, modules=modules, revision=f"{SHIPPED.revision}:{name}:{new}")


class Asked:
    """A bundle, its documents and one caller; gives back engines on the thread that made them."""

    def __init__(self, bundle: Bundle = SHIPPED, count: int = 40, seed: int = 5) -> None:
        drawn = random.Random(seed)
        tuples = [
            replace(one, labels=one.labels.model_copy(update={"version": "1"})) for one in drawn_tuples(drawn, count)
        ]
        self.documents = FakeDocuments(tuples)
        self.comparing = Comparing(bundle, self.documents, VERIFIERS)
        self.shared = drawn_shared(drawn) | {"records": [], "exceptions": []}

    def question(self, seconds: float = 0.0, **policy: Any):
        """What a mask is asked for so many seconds later."""
        now = NOW + timedelta(seconds=seconds)
        return replace(self.comparing.question(aged(self.shared, seconds, now), now), **policy)

    async def mask(self, seconds: float = 0.0):
        """What may be found then."""
        return await self.comparing.reach.mask(self.question(seconds))


@pytest.fixture
async def asked():
    """With the shipped rules."""
    made = Asked()
    yield made
    await made.comparing.close()


async def compared(bundle: Bundle, callers: int, moments: int, tuples: int, seed: int, said: Compared) -> None:
    """Hold masks against the gate."""
    drawn = random.Random(seed)
    comparing = Comparing(bundle, FakeDocuments(drawn_tuples(drawn, tuples)), VERIFIERS)
    try:
        for number in range(callers):
            await comparing.compare(drawn_shared(drawn), drawn_moments(drawn, moments), said, f"caller {number}")
    finally:
        await comparing.close()


async def test_what_may_be_found_is_what_the_gate_lets_in():
    """
    For drawn documents, callers, exceptions and moments, masks and gate never differ; a mask that is kept for ever would.
    """
    said = Compared()
    await compared(SHIPPED, 6, 4, 60, 1, said)
    assert said.different == []
    assert said.permitted > 0
    assert said.careless > 0


@pytest.mark.parametrize(
    "one", [one for one in seeded(60) if "/freshness/" in one.file or "/trust/" in one.file][:6], ids=str
)
async def test_what_may_be_found_under_changed_rules(one):
    """
    However the rules are changed, masks and gate never differ.
    """
    said = Compared()
    bundle = replace(SHIPPED, modules={**SHIPPED.modules, one.file: one.text}, revision=f"{SHIPPED.revision}:{one}")
    await compared(bundle, 2, 3, 25, 2, said)
    assert said.different == []


async def test_an_answer_is_used_again(asked):
    """
    The same callers at the same moment cost no question, and a moment at which no age passes anything costs none either.
    """
    first, again, later = await asked.mask(), await asked.mask(), await asked.mask(1)
    assert first.decided > 0
    assert again.decided == 0
    assert later.decided < first.decided
    assert first.digest == again.digest


async def test_the_clock_going_back_is_asked_anew(asked):
    """
    What was decided at a later moment says nothing of an earlier one.
    """
    await asked.mask(3_600)
    earlier = await asked.mask(0)
    assert earlier.decided > 0


async def test_requests_that_come_together_ask_once(asked):
    """
    Callers of one class that ask at the same time wait for one another's answer.
    """
    masks = await asyncio.gather(*(asked.mask() for _ in range(5)))
    assert sorted(mask.decided > 0 for mask in masks) == [False, False, False, False, True]
    assert len({mask.digest for mask in masks}) == 1


async def test_new_combinations_are_asked_about_alone(asked):
    """
    What is added is asked about, and nothing else again.
    """
    await asked.mask()
    labels = asked.documents.tuples(TENANT)[0].labels.model_copy(update={"owner": "somebody new"})
    asked.documents.change(LabelTuple(1_000, TENANT, labels))
    after = await asked.mask()
    assert after.decided == 1
    assert after.epoch == asked.documents.epoch


async def test_combinations_that_rules_cannot_tell_apart_are_asked_about_once(asked):
    """
    Labels that differ in nothing that is read share an answer.
    """
    one = asked.documents.tuples(TENANT)[0].labels
    asked.documents.held = {at: LabelTuple(at, TENANT, one) for at in range(1, 21)}
    asked.documents.epoch += 1
    assert (await asked.mask()).decided == 1


async def test_of_another_tenant_nothing_is_found(asked):
    """
    Only the asker's own tenant's labels are asked about.
    """
    mine = await asked.mask()
    asked.documents.change(*(LabelTuple(2_000 + one.id, "other", one.labels) for one in asked.documents.tuples(TENANT)))
    assert (await asked.mask()).permitted.tolist() == mine.permitted.tolist()


async def test_a_store_that_mixes_tenants_is_not_searched(asked):
    """
    A store that answers with another tenant's labels is not believed.
    """
    stranger = LabelTuple(9, "other", asked.documents.tuples(TENANT)[0].labels)
    asked.documents.tuples = lambda tenant: [stranger]
    with pytest.raises(IndexUnavailableError, match="another tenant"):
        await asked.mask()


async def test_no_answer_no_search(asked):
    """
    Where the engine does not answer, nothing may be found, and its error is what is heard.
    """

    class Down:
        version = asked.comparing.engine.version

        async def evaluate(self, entrypoint, inputs):
            raise PolicyUnavailableError("down")

    with pytest.raises(PolicyUnavailableError):
        await asked.comparing.reach.mask(asked.question(policy=Down()))
    assert (await asked.mask()).decided > 0


async def test_a_short_answer_is_no_mask(asked):
    """
    An engine that answers for fewer than it was asked about shifts nothing: its answer is refused.
    """
    short = AnsweringPolicy(asked.comparing.engine, "context/reach", lambda answers: answers[:-1])
    with pytest.raises(Exception, match="answered"):
        await asked.comparing.reach.mask(asked.question(policy=short))


@pytest.mark.parametrize(
    ("bundle", "says"),
    [
        (changed(FRESHNESS, "in_effect if input.item.effective_date == null", "in_effect if count(input.item.label_findings) == 0"), "label_findings"),
        (changed(FRESHNESS, "in_effect if input.item.effective_date == null", "in_effect if input.item.structured == false"), "structured"),
        (changed(FRESHNESS, "in_effect if input.item.effective_date == null", "in_effect if input.item[input.request.purpose]"), "structured"),
        (changed(ENTRY, "reach := ", "reached := "), "does not say"),
    ],
    ids=["findings in labels", "what the content is", "a computed name", "a bundle from before"],
)  # fmt: skip
async def test_rules_that_labels_do_not_settle(bundle, says):
    """
    Where a rule may read what is each chunk's own, or none says what may be found, nothing is searched.
    """
    documents = FakeDocuments(drawn_tuples(random.Random(1), 3))
    made = Asked()
    try:
        question = replace(made.question(), deciding=partial(deciding, bundle))
        with pytest.raises(IndexUnavailableError, match=says):
            await Reach(documents).mask(question)
    finally:
        await made.comparing.close()


async def test_rules_whose_time_is_not_foreseen_are_asked_each_time():
    """
    Under a bundle that does with time what cannot be foreseen, an answer is for one request.
    """
    old = "in_effect if input.item.effective_date == null"
    bundle = changed(FRESHNESS, old, f"{old}\n\nin_effect if input.item.age_seconds % 2 == 0")
    said = Compared()
    await compared(bundle, 2, 4, 20, 3, said)
    assert said.different == []
    made = Asked(bundle, 20)
    try:
        assert (await made.mask()).decided == (await made.mask()).decided > 0
    finally:
        await made.comparing.close()


async def test_few_classes_are_remembered():
    """
    However many classes of callers ask, only so many are remembered, and those that are forgotten are asked about again.
    """
    made = Asked(count=5)
    made.comparing.reach = Reach(made.documents, most_classes=2)
    try:
        for role in ("analyst", "checker", "coo", "analyst"):
            made.shared["subject"]["role"] = role
            assert (await made.mask()).decided > 0
    finally:
        await made.comparing.close()


@pytest.mark.soak
async def test_many_pairs():
    """
    100,000 pairs of a combination and a request never differ.
    """
    said = Compared()
    await compared(SHIPPED, 170, 6, 100, 20261123, said)
    assert said.different == []
    assert said.pairs > 100_000
    assert said.careless > 1_000

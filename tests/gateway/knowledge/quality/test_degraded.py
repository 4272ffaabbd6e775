"""
Degraded copies of what is searched: each trips the figure that is for it, and no other.

The finder is small and the policy is real: the shipped bundle, or one that somebody doctored, decides on every chunk.
"""

import shutil

from dataclasses import replace

import pytest

from gateway.knowledge.quality.baseline import baseline_of, movement
from gateway.knowledge.quality.evaluation import evaluate
from gateway.knowledge.quality.verdict import verdict
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.settings import HOME
from tests.support.bundles import edit
from tests.support.golden import SmallFinder, golden, sections

SHIPPED = load_bundle(HOME / "policies")
TABLE = registry_of(SHIPPED).quality


async def measured(finder):
    return await evaluate(golden(), finder, TABLE.depth)


async def against_the_healthy(finder):
    """A measurement, its verdict, and how it moved from the shipped state."""
    now = await measured(finder)
    moved = movement(baseline_of(await measured(SmallFinder(SHIPPED))), now, TABLE)
    return now, verdict(now, TABLE, moved), moved


def doctored(tmp_path, file, old, new):
    shutil.copytree(HOME / "policies", tmp_path / "policies")
    edit(tmp_path / "policies", file, old, new)
    return load_bundle(tmp_path / "policies")


async def test_the_healthy_state():
    """
    As shipped nothing leaks and nothing is refused by the gate, for whoever asks.
    """
    now, told, moved = await against_the_healthy(SmallFinder(SHIPPED))
    assert (now.figures["leaked"], now.figures["refused_by_gate"]) == (0, 0)
    assert (told.leaks, moved.drifted, moved.changed) == (False, (), ())


async def test_a_shuffled_index():
    """
    Texts that stand under other chunks than their own are a fall of every figure of finding, and no leak.
    """
    chunks = sections()
    texts = [one.text for one in chunks]
    shuffled = [replace(one, text=texts[(at * 31 + 7) % len(texts)]) for at, one in enumerate(chunks)]
    now, told, moved = await against_the_healthy(SmallFinder(SHIPPED, chunks=shuffled))
    assert {"recall", "ndcg", "mrr", "map", "hit_rate"} <= {*moved.drifted}
    assert (told.leaks, now.figures["leaked"]) == (False, 0)


async def test_a_policy_that_forbids_a_needed_corpus(tmp_path):
    """
    Without the bank's own procedures every question of that domain that needs one misses it, and nothing leaks.
    """
    bundle = doctored(tmp_path, "jurisdiction/data.yaml", "NPA: [bank_sops_and_policies, npa_class", "NPA: [npa_class")
    now, told, moved = await against_the_healthy(SmallFinder(bundle))
    assert {"recall", "hit_rate"} <= {*moved.drifted}
    assert (told.leaks, moved.changed) == (False, ("bundle",))
    closed = {one.document for one in sections() if one.labels["corpus"] == "bank_sops_and_policies"}
    needs = {
        one.id
        for one in golden().questions
        if one.asker.startswith(("npa", "admin", "governance"))
        and closed & {target.document for target in one.must_find}
    }
    missed = {one.id for one in now.questions if one.missed}
    assert len(needs) > 10
    assert needs <= missed


async def test_a_doctored_bundle_that_permits_what_it_must_not(tmp_path):
    """
    A role that was cleared for more finds what it must not: a leak, and no fall of what is found.
    """
    bundle = doctored(tmp_path, "entitlement/data.yaml", "admin: INTERNAL", "admin: CONFIDENTIAL")
    now, told, moved = await against_the_healthy(SmallFinder(bundle))
    assert told.leaks
    leaks = {one.id for one in now.questions if one.leaked}
    assert leaks
    assert all(one.startswith("admin-") for one in leaks)
    assert (moved.drifted, now.figures["refused_by_gate"]) == ((), 0)


async def test_a_mask_that_is_wider_than_the_gate(tmp_path):
    """
    Where only the search runs under the doctored bundle, the gate refuses what it finds, and that is counted apart.
    """
    bundle = doctored(tmp_path, "entitlement/data.yaml", "admin: INTERNAL", "admin: CONFIDENTIAL")
    now, told, _ = await against_the_healthy(SmallFinder(bundle, gate=SHIPPED))
    assert now.figures["refused_by_gate"] > 0
    assert told.leaks


@pytest.mark.parametrize("change", ["nothing", "reranker"])
async def test_a_reranker_that_turns_the_order_round(change):
    """
    A reranker that puts the worst first is an alarm of the reranker's own figure.
    """
    if change == "nothing":
        finder = SmallFinder(SHIPPED, second=lambda _, chunks: [float(len(chunks) - at) for at in range(len(chunks))])
    else:
        finder = SmallFinder(SHIPPED, second=lambda _, chunks: [float(at + 1) for at in range(len(chunks))])
    now = await measured(finder)
    improvement = now.figures["reranker_improvement"]
    assert improvement == pytest.approx(0, abs=1e-9) if change == "nothing" else improvement < -0.3
    assert "reranker_improvement" in {line.figure for line in verdict(now, TABLE).lines if line.standing == "alarm"}

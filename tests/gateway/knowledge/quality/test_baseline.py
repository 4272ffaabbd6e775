"""Baselines and drift."""

import pytest

from gateway.errors import FieldInvalidError
from gateway.knowledge.quality.baseline import baseline_of, load, movement, store
from gateway.knowledge.quality.evaluation import evaluate
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.ports.finding import FoundSection
from gateway.settings import HOME
from tests.support.golden import ToldFinder, told_set

TABLE = registry_of(load_bundle(HOME / "policies")).quality


def question(name, document="x"):
    return {"id": name, "question": f"{name}?", "must_find": [{"document": document}]}


async def measured(*questions, found=("x",), **finder):
    told = {f"{one['id']}?": [FoundSection(name) for name in found] for one in questions}
    return await evaluate(told_set(*questions), ToldFinder(told, **finder), TABLE.depth)


async def test_stored_and_read(tmp_path):
    """
    A baseline is read as it was stored; the same measurement has not moved.
    """
    one = await measured(question("a"), question("b"))
    file = tmp_path / "told.baseline.json"
    store(one, file)
    store(one, file)
    assert load(file) == baseline_of(one)
    moved = movement(load(file), one, TABLE)
    assert (moved.compared, moved.left_out, moved.drifted, moved.worse, moved.changed) == (2, 0, (), (), ())
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


async def test_a_fall_is_drift():
    """
    A figure that falls further than the bundle allows has drifted, and the question that fell is named, with what changed.
    """
    before = baseline_of(await measured(question("a"), question("b")))
    moved = movement(before, await measured(question("a"), question("b"), found=("q", "x"), index="index-2"), TABLE)
    assert {"ndcg", "mrr", "map"} == {*moved.drifted}
    assert (moved.worse, moved.changed) == (("a", "b"), ("index",))
    better = movement(
        baseline_of(await measured(question("a"), found=("q", "x"))), await measured(question("a")), TABLE
    )
    assert better.drifted == ()


async def test_only_the_same_questions_are_compared():
    """
    A question that was added, or changed, moves nothing.
    """
    before = baseline_of(await measured(question("a"), question("b")))
    now = await measured(question("a"), question("b", "y"), question("c", "z"))
    moved = movement(before, now, TABLE)
    assert (moved.compared, moved.left_out, moved.drifted) == (1, 2, ())


async def test_what_cannot_be_compared(tmp_path):
    """
    A baseline of other questions or of another depth, and a file that is none, are refused.
    """
    before = baseline_of(await measured(question("a")))
    other = await measured(question("b"))
    with pytest.raises(FieldInvalidError):
        movement(before, other, TABLE)
    with pytest.raises(FieldInvalidError):
        movement(before.model_copy(update={"depth": 3}), await measured(question("a")), TABLE)
    for body in (b"", b"{}", b'{"format": "ctxgate.quality/2"}', b"[" * 10_000):
        (tmp_path / "f.json").write_bytes(body)
        with pytest.raises(FieldInvalidError):
            load(tmp_path / "f.json")
    with pytest.raises(FieldInvalidError):
        load(tmp_path / "none.json")

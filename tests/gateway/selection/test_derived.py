"""Whether a piece says nothing that was not released."""

import itertools
import random

import pytest

from gateway.content.extract import extract
from gateway.errors import BudgetOverflowError
from gateway.model.content import content_text
from gateway.prompt.blocks import pack_item
from gateway.prompt.fence import fence_of
from gateway.prompt.shorten import outside_head, shortened
from gateway.selection.derived import derives
from gateway.stages.budget import budget
from tests.support.effort import Effort
from tests.support.packing import REGISTRY, TOKENIZER, generated, pieces, reduced, ruling

SHORTEST = REGISTRY.budgets.overlap_characters
LIBRARY = REGISTRY.budgets.library
TEXT = "".join(f"Clause {n} sets the limit at {n * 7} million.\nIt holds  for\tdesk {n}.\n\n" for n in range(60))
LINES = "\n".join(f"line {n} without an end" for n in range(200))


def counted(piece, **change):
    """A piece as the caller gets it."""
    piece = piece.model_copy(update=change)
    return piece.model_copy(update={"item": pack_item(piece)})


def one(content, **more):
    [piece] = pieces(ruling("a", content=content, source_id="s", version="1", **more))
    return piece


def outside(piece):
    """A piece whose whole stays outside the pack."""
    piece = piece.model_copy(update={"artifact": "handle"})
    text = extract(content_text(piece.content), LIBRARY.verbatim_characters)
    return piece.model_copy(
        update={"content": f"{outside_head(piece, piece.ruling.content)}\n{text}", "form": "extract"}
    )


@pytest.mark.parametrize("content", [TEXT, LINES, {"output": TEXT, "n": 1, "yes": True}, "short", ""])
@pytest.mark.parametrize("fenced", [False, True])
def test_what_the_gateway_makes_of_a_text(content, fenced):
    """
    Whole, digested, extracted, left outside, and shortened again after that: each derives from what was released.
    """
    whole = one(content, fenced=fenced)
    extracted = whole.model_copy(update={"content": extract(content_text(content), 300), "form": "digest"})
    for piece in (whole, shortened(whole, LIBRARY), extracted, outside(whole)):
        assert derives(counted(piece), SHORTEST)
        assert derives(counted(shortened(piece, LIBRARY)), SHORTEST)
        again = extract(content_text(piece.content), 200)
        assert derives(counted(piece, content=again, form="digest"), SHORTEST)


@pytest.mark.parametrize(
    "content",
    [
        "Clause 1 sets the limit at 900 million.",
        f"[extract of 9 characters]\n{TEXT[:200]} And more.",
        '[digest; fetch again: source "other"]\nClause 1 sets the limit at 7 million.',
        "[extract of 9 bytes; the whole: artifact other]\nClause 1 sets the limit at 7 million.",
        "[extract of many characters]",
        {"output": "another"},
        {"more": TEXT},
        {"n": True},
    ],
)
@pytest.mark.parametrize("whole", [TEXT, {"output": TEXT, "n": 1}])
def test_what_was_not_released(whole, content):
    """
    A figure, a sentence, a head or a member that does not stand in what was released is seen.
    """
    assert not derives(counted(one(whole), content=content, form="extract"), SHORTEST)


def test_what_is_handed_over_is_the_piece():
    """
    The item that the caller gets says what the piece says, in its fence.
    """
    piece = counted(one("text"))
    assert not derives(piece.model_copy(update={"item": None}), SHORTEST)
    other = piece.item.model_copy(update={"content": "other"})
    assert not derives(piece.model_copy(update={"item": other}), SHORTEST)
    fence = fence_of(piece.ruling)
    assert not derives(piece.model_copy(update={"ruling": piece.ruling.model_copy(update={"fence": fence})}), SHORTEST)


def chunks(order):
    """Chunks of one document that go on from each other, given in some order."""
    parts = [TEXT[start : start + 4 * SHORTEST] for start in range(0, 30 * SHORTEST, 3 * SHORTEST)]
    return [ruling(f"c{n}", content=parts[n], source_id="s", version="1") for n in order(range(len(parts)))]


@pytest.mark.parametrize(
    "order", [list, lambda some: list(some)[::-1], lambda some: random.Random(1).sample(some, len(some))]
)
def test_chunks_that_were_joined(order):
    """
    Joined chunks are joined again from what was released of each, in whatever order they came; another text in between is seen.
    """
    kept, _, _ = reduced(*chunks(order))
    [joined] = [piece for piece in kept if piece.joined]
    assert len(joined.joined) > 5
    assert derives(counted(joined), SHORTEST)
    assert not derives(counted(joined, content=f"{joined.content} more"), SHORTEST)
    first = joined.joined[0]
    other = first.model_copy(update={"ruling": first.ruling.model_copy(update={"content": "another"})})
    assert not derives(counted(joined, joined=(other, *joined.joined[1:])), SHORTEST)


def test_whatever_the_budget_leaves():
    """
    Every piece of random selections that fits its budget, shortened or not, derives from its ruling.
    """
    rng, seen = random.Random(5), 0
    for _ in range(60):
        _, selection, case = generated(rng)
        try:
            fitted = budget(selection, case, budgets=REGISTRY.budgets, tokenizer=TOKENIZER)
        except BudgetOverflowError:
            continue
        seen += len(fitted.kept)
        assert all(derives(piece, SHORTEST) for piece in fitted.kept)
    assert seen > 100


def test_it_costs_as_much_as_its_text():
    """
    A text joined of two hundred chunks, and an extract of a long text that repeats itself, cost little.
    """
    numbers = [f"{n:06}" * (SHORTEST // 4) for n in range(201)]
    parts = [left + right for left, right in itertools.pairwise(numbers)]
    kept, _, _ = reduced(*(ruling(f"c{n}", content=text, source_id="s", version="1") for n, text in enumerate(parts)))
    joined = counted(max(kept, key=lambda piece: len(piece.joined)))
    assert len(joined.joined) > 100
    Effort().within(1, lambda: derives(joined, SHORTEST), "a joined text")
    long = one("a b. " * 50_000)
    shorter = counted(long, content=extract(content_text(long.content), LIBRARY.verbatim_characters), form="extract")
    Effort().within(3, lambda: derives(shorter, SHORTEST), "an extract")

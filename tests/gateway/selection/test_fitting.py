"""Cutting what does not fit, in the order of the table."""

import random

import pytest

from gateway.errors import BudgetOverflowError
from gateway.model import Selection
from gateway.model.session import Session
from gateway.stages.assemble import check_complete
from gateway.stages.budget import budget
from gateway.stages.layer import layer
from tests.support.packing import REGISTRY, TOKENIZER, TOLD, WORDS, case_of, generated, pieces, ruling


def never_cut(piece):
    item = piece.ruling.item
    budgets = REGISTRY.budgets
    return item.section in budgets.never_cut_sections or item.provenance.source_type in budgets.never_cut_sources


@pytest.mark.parametrize("cases", [2_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_many_budgets(cases):
    """
    In 2,000, and at full length 10,000, generated cases the budget is never exceeded, what must not be cut never is, and nothing is lost silently.
    """
    rng, fitted, refused = random.Random(20260301), 0, 0
    for _ in range(cases):
        rulings, selection, case = generated(rng)
        try:
            packed = budget(selection, case, budgets=REGISTRY.budgets, tokenizer=TOKENIZER)
        except BudgetOverflowError as error:
            refused += 1
            assert error.fields
            continue
        fitted += 1
        report = packed.report
        assert (
            sum(piece.tokens for piece in packed.kept) + report.framing + report.response_headroom == report.allocated
        )
        assert report.allocated <= report.total_tokens
        before = {piece.ruling.item.id: piece.content for piece in selection.kept if never_cut(piece)}
        after = {piece.ruling.item.id: piece.content for piece in packed.kept if never_cut(piece)}
        assert before == after
        assert 0 < report.optimality_percent <= 100
        check_complete(packed, rulings)
    assert min(fitted, refused) > cases / 10


def fitted(rulings, total, budgets=REGISTRY.budgets):
    selection = layer(Selection(kept=tuple(pieces(*rulings)), told=TOLD), rulings, Session(), budgets.library)
    return budget(selection, case_of(total), budgets=budgets, tokenizer=TOKENIZER)


def taken(packed, section):
    return sum(piece.tokens for piece in packed.kept if piece.ruling.item.section == section)


class TestOverflow:
    SOFT = REGISTRY.budgets.model_copy(
        update={"sections": tuple(line.model_copy(update={"share": "soft"}) for line in REGISTRY.budgets.sections)}
    )

    def packed(self, rulings, total):
        return fitted(rulings, total, self.SOFT)

    def test_few_shots_keep_the_golden_and_the_edge_case(self):
        """
        Of examples the golden one and the edge case stay, whatever their score.
        """
        text = " ".join(WORDS * 12)
        shots = [
            ruling("plain", "few_shot", text, score=1.0),
            ruling("edge", "few_shot", text + " b", score=0.2, doc_section="edge"),
            ruling("other", "few_shot", text + " c", score=0.9),
            ruling("golden", "few_shot", text + " d", score=0.2, doc_section="golden"),
        ]
        packed = self.packed(shots, 900)
        assert {piece.ruling.item.id for piece in packed.kept} == {"edge", "golden"}
        assert [action.action for action in packed.report.overflow_actions] == ["reduce_few_shot"]

    def test_reasoning_goes_before_results(self):
        """
        Of a prior result the reasoning goes and the output stays.
        """
        content = {"output": "fine", "reasoning": " ".join(WORDS * 40)}
        packed = self.packed([ruling("r", "prior_result", content), ruling("t", "task", "do it")], 400)
        [result] = [piece for piece in packed.kept if piece.ruling.item.id == "r"]
        assert result.content == {"output": "fine"}


class TestHardShares:
    """A line that is hard binds even where the whole fits."""

    def talk(self, turns, words):
        text = " ".join(WORDS * words)
        return [ruling(f"turn-{number:02}", "conversation", f"{number}. {text}", tier=5) for number in range(turns)]

    def test_a_long_conversation_is_cut_to_its_share(self):
        """
        A conversation of several times its 1,171 tokens of 10,000 is shortened and then left out, oldest first, until it has
        no more; what was done is in the report, and what went is lost for the budget.
        """
        rulings = [*self.talk(12, 30), ruling("task", "task", "do it")]
        whole = fitted(rulings, 10_000, TestOverflow.SOFT)
        assert taken(whole, "conversation") > 4_000
        assert not whole.lost
        packed = fitted(rulings, 10_000)
        assert 0 < taken(packed, "conversation") <= 15_000 * 10_000 // 128_000 == 1_171
        steps = [action.action for action in packed.report.overflow_actions]
        assert steps == sorted(steps)
        assert set(steps) <= {"compress_conversation", "hold_share"}
        lost = [loss.piece.ruling.item.id for loss in packed.lost]
        assert lost == [f"turn-{number:02}" for number in range(len(lost))]
        assert {loss.reason for loss in packed.lost} <= {"budget"}
        assert [warning.code for warning in packed.warnings] == ["BUDGET-CUT"]
        check_complete(packed, rulings)

    def test_examples_over_their_share_go_down_to_the_golden_and_the_edge_case(self):
        """
        Few-shots over their share lose the plain ones first.
        """
        text = " ".join(WORDS * 10)
        shots = [
            ruling("plain", "few_shot", text),
            ruling("golden", "few_shot", text + " g", doc_section="golden"),
            ruling("other", "few_shot", text + " o"),
            ruling("edge", "few_shot", text + " e", doc_section="edge"),
        ]
        room = REGISTRY.budgets.line("few_shot").tokens
        total = int(2.5 * taken(fitted(shots, 100_000), "few_shot") / 4 * REGISTRY.budgets.reference_tokens / room)
        packed = fitted(shots, total)
        assert {piece.ruling.item.id for piece in packed.kept} == {"golden", "edge"}
        assert [action.action for action in packed.report.overflow_actions] == ["reduce_few_shot"]

    def test_what_cannot_be_shortened_enough_goes_oldest_first(self):
        """
        Turns that are over the share even when shortened are left out, oldest first.
        """
        packed = fitted(self.talk(40, 30), 1_000)
        lost = [loss.piece.ruling.item.id for loss in packed.lost]
        assert lost == [f"turn-{number:02}" for number in range(len(lost))] != []
        assert packed.report.overflow_actions[-1].action == "hold_share"
        assert taken(packed, "conversation") <= 15_000 * 1_000 // 128_000

    def test_within_its_share_nothing_is_touched(self):
        """
        What fits its share stays whole, without a warning.
        """
        packed = fitted(self.talk(4, 2), 100_000)
        assert len(packed.kept) == 4
        assert (packed.lost, packed.warnings, packed.report.overflow_actions) == ((), (), ())

    def test_what_must_not_be_cut_is_not(self):
        """
        A turn of a source that is never cut stays, whatever the share.
        """
        rulings = [ruling("record", "conversation", " ".join(WORDS * 60), source_type="system_of_record")]
        assert [piece.ruling.item.id for piece in fitted(rulings, 6_000).kept] == ["record"]

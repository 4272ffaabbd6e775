"""Cutting what does not fit, in the order of the table."""

import random

from gateway.errors import BudgetOverflowError
from gateway.model import Selection
from gateway.model.session import Session
from gateway.stages.assemble import check_complete
from gateway.stages.budget import budget
from gateway.stages.layer import layer
from tests.support.packing import REGISTRY, TOKENIZER, WORDS, case_of, generated, pieces, ruling


def never_cut(piece):
    item = piece.ruling.item
    budgets = REGISTRY.budgets
    return item.section in budgets.never_cut_sections or item.provenance.source_type in budgets.never_cut_sources


def test_ten_thousand_budgets():
    """
    In 10,000 generated cases the budget is never exceeded, what must not be cut never is, and nothing is lost silently.
    """
    rng, fitted, refused = random.Random(20260301), 0, 0
    for _ in range(10_000):
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
    assert min(fitted, refused) > 1000


class TestOverflow:
    def packed(self, rulings, total):
        selection = layer(Selection(kept=tuple(pieces(*rulings))), rulings, Session(), REGISTRY.budgets.library)
        return budget(selection, case_of(total), budgets=REGISTRY.budgets, tokenizer=TOKENIZER)

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

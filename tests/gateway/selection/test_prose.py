"""What texts state in figures, and what they only tell."""

import pytest

from gateway.selection.prose import read_text


@pytest.mark.parametrize(
    "text",
    [
        "The credit limit was USD 5 million.",
        "Until 2024 reports were filed within 15 days.",
        "The account fee, EUR 80 until 2025, is under review.",
        "For example, margin calls must be met within 4 hours.",
        "It is proposed that margin calls must be met within 4 hours.",
        "This policy is effective from 1 January 2026.",
        "Last reviewed on 2025-11-03.",
        "The committee approves margin calls.",
    ],
)
def test_what_holds_no_longer_or_not_yet_states_nothing(text):
    """
    What held once, an example, a proposal and a document's own dates are no statements.
    """
    assert read_text(text).statements == ()


def test_a_clause_states_its_own_figure():
    """
    Each clause states its figure of what it speaks of; a condition's figure stands around those of the others.
    """
    finance, operations = read_text(
        "Finance signs off within 72 hours; Operations confirms trades within 2 days."
    ).statements
    assert (finance.figure.low, finance.bound, "financ" in finance.words) == (72, "high", True)
    assert (operations.figure.low, "financ" in operations.words) == (48, False)
    [_, approvers] = read_text("If transfers are above USD 1 million, payments need two approvers.").statements
    assert {figure for figure, _, _ in approvers.around} == {"money:USD"}


def test_bounds():
    """
    What must be reached, what may not be passed and what is only held against a figure are told apart.
    """
    told = [
        read_text(text).statements[0]
        for text in (
            "Passwords have at least 12 characters.",
            "Open positions may not exceed USD 5 million.",
            "Loans above USD 5 million need approval.",
            "The overdraft rate is 9.5%.",
        )
    ]
    assert [(one.bound, one.compared) for one in told] == [("low", False), ("high", False), ("low", True), ("", False)]

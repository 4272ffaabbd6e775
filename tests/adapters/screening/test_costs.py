"""What screening costs: estimated from sizes, and in steps that others can come between."""

import pytest

from adapters.screening.costs import REFERENCE, Costs, tokens_of
from adapters.screening.injection.detector import OFF
from adapters.screening.injection.detector import steps as injection_steps
from adapters.screening.injection.encoder import SHIPPED, Encoder
from adapters.screening.presidio import engine
from adapters.screening.presidio.engine import FULL, PATTERNS, scan, steps
from adapters.screening.presidio.recognizers.person import spaced
from adapters.screening.text.merge import merged
from adapters.screening.text.windows import windows
from gateway.content.leaves import leaves
from gateway.model import Finding
from gateway.model.content import Leaf
from tests.support.effort import PROSE as SENTENCES
from tests.support.screening import MODEL

PROSE = SENTENCES[:60_000]
CHINESE = "客户的风险报告和投资建议合同条款" * 300
KINDS = {
    "prose": PROSE[:5000],
    "numbers": "12 345 6789 " * 400,
    "signs": "!?.,;:-+*/" * 500,
    "Chinese": CHINESE,
}


@pytest.fixture(scope="module")
def encoder():
    """The tokenizer of the model that ships."""
    return Encoder(SHIPPED)


class TestEstimates:
    @pytest.mark.parametrize("kind", KINDS)
    def test_tokens_are_about_those_that_the_encoder_reads(self, encoder, kind):
        """
        The estimate of an ordinary text is never much below what it is, and not more than twice as much.
        """
        text = KINDS[kind]
        read = sum(len(encoder._tokenizer.encode(text[start:end]).ids) for start, end in windows(text))
        assert 0.9 * read <= tokens_of(text) <= 2 * read

    def test_it_grows_with_size_and_count(self):
        """
        Twice the text costs twice, a text in a thousand values costs more than as one, and names cost more than patterns.
        """
        one, many = [Leaf("x" * 10_000)], [Leaf("x" * 10)] * 1000
        for cost in (
            lambda item: REFERENCE.personal_data(item, names=True),
            lambda item: REFERENCE.injection(item, encoder=True),
        ):
            assert cost(one * 2) == pytest.approx(2 * cost(one), rel=0.01)
            assert cost(many) > cost(one)
        assert REFERENCE.personal_data(one, names=True) > REFERENCE.personal_data(one, names=False)
        assert REFERENCE.injection(one, encoder=True) > REFERENCE.injection(one, encoder=False)

    def test_a_faster_machine(self):
        """
        The speed divides all of it.
        """
        item = [Leaf(PROSE[:1000])]
        assert Costs(speed=4).injection(item, encoder=True) == REFERENCE.injection(item, encoder=True) / 4

    def test_half_of_a_surrogate_pair(self):
        """
        What cannot be written as UTF-8 has a cost all the same.
        """
        assert tokens_of("\ud83d") > 0


def steps_of(work):
    """How many pauses a scan offers."""
    return sum(1 for _ in work)


@pytest.fixture
def part(monkeypatch):
    """Parts that are small, so that a text of several is."""
    monkeypatch.setattr(engine, "PART", 2000)
    return 2000


class TestSteps:
    def test_there_is_a_pause_after_each(self, part):
        """
        A long text has a pause after each part, a document after each value, a long passage after each window.
        """
        assert steps_of(steps([[Leaf(PROSE[: 4 * part])]], PATTERNS, MODEL)) >= 4
        assert steps_of(steps([leaves([f"Call 6123 {n}" for n in range(20)])], PATTERNS, MODEL)) >= 20
        assert steps_of(injection_steps([[Leaf(PROSE[:3000])]], "")) >= 4
        assert steps_of(injection_steps([leaves([PROSE[:40]] * 20)], OFF)) >= 20

    @pytest.mark.parametrize("shift", [-600, -520, -505, -495, -20, 0, 300])
    def test_what_stands_where_two_parts_meet(self, part, shift):
        """
        An identifier at a seam is found once and whole, wherever it cuts it.
        """
        card = "4111 1111 1111 1111"
        text = ("lorem ipsum " * part)[: part + shift] + f" card {card} " + "dolor sit " * 200
        [found] = scan([[Leaf(text)]], PATTERNS, MODEL)[0]
        assert (found.type, text[found.start : found.end]) == ("CREDIT_CARD", card)

    def test_a_table_longer_than_a_part(self, part):
        """
        Names in the rows of a table are found however far their head is away.
        """
        rows = [f"| {n} | Wong Siu Ming | {n} |" for n in range(200)]
        text = "\n".join(["| id | customer name | limit |", "|---|---|---|", *rows])
        assert len(text) > 2 * part
        found = [one for one in scan([[Leaf(text)]], FULL, MODEL)[0] if one.type == "PERSON"]
        assert len(found) == len(rows)


class TestEffort:
    def test_runs_without_a_blank(self, effort):
        """
        Twenty thousand characters without a blank take no longer than their number.
        """
        effort.within(30, lambda: scan([[Leaf("\U0001f600" * 20_000)]], FULL, MODEL), "emoji")

    def test_the_ends_of_a_run_stay(self):
        """
        A name that touches a run is still to be seen, all places stay, and an ordinary text stays as it is.
        """
        run = "." * 500
        text = f"Signed{run}Alice Tan"
        assert len(spaced(text)) == len(text)
        assert spaced(text).startswith("Signed...")
        assert spaced(text).endswith("...Alice Tan")
        assert spaced(PROSE) == PROSE

    def test_thousands_of_findings_in_one_text(self, effort):
        """
        Findings are compared with those near them, and a list of numbers in pieces costs what its length does.
        """
        findings = [
            Finding(kind="pii", type="PHONE", score=0.5, start=9 * n, end=9 * n + 8, detector="t")
            for n in range(20_000)
        ]
        effort.within(12, lambda: merged(findings), "merging")
        assert merged(findings) == findings

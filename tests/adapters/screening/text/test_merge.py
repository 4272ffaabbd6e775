"""One finding for one stretch of text."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from adapters.screening.text.merge import merged
from gateway.model import Finding


class TestMerging:
    def finding(self, type_, score, start, end):
        return Finding(kind="pii", type=type_, score=score, start=start, end=end, detector="t")

    def test_the_surer_finding_stays(self):
        """
        Of overlapping findings the surer one stays; where they are as sure as each other both do, if of different types.
        """
        sure, doubtful = self.finding("ID_NIK", 0.95, 0, 16), self.finding("CREDIT_CARD", 0.7, 0, 16)
        assert merged([doubtful, sure]) == [sure]
        first, second = self.finding("AU_ACN", 0.45, 0, 9), self.finding("AU_TFN", 0.45, 0, 9)
        assert merged([second, first]) == [first, second]
        assert merged([first, self.finding("AU_ACN", 0.45, 3, 9)]) == [first]


def of(path, start, end, score=0.5, type_="A"):
    return Finding(kind="pii", type=type_, score=score, start=start, end=end, detector="t", path=path)


def test_places_are_compared_within_one_value():
    """
    Findings in different values never take each other's place, nor do those that only touch.
    """
    apart = [of("/a", 0, 9), of("/b", 0, 9, 0.9), of("/a", 9, 12, 0.9)]
    assert sorted(merged(apart), key=str) == sorted(apart, key=str)


def test_of_the_same_score_the_longest_stays():
    """
    Where findings of one type are as sure as each other the longest covers the rest.
    """
    assert merged([of("", 2, 5), of("", 0, 9), of("", 4, 12)]) == [of("", 0, 9)]


@pytest.mark.parametrize(("score", "stays"), [(0.5, True), (0.46, True), (0.44, False)])
def test_a_tie_leaves_it_to_policy(score, stays):
    """
    Of two types that are nearly as sure both stay, so that policy takes the stricter one.
    """
    other = of("", 0, 9, score, "B")
    assert (other in merged([of("", 0, 9), other])) is stays


@given(
    st.lists(
        st.builds(
            of,
            st.sampled_from(["/a", "/b"]),
            st.integers(0, 9),
            st.integers(10, 15),
            st.sampled_from([0.3, 0.6, 0.9]),
            st.sampled_from("AB"),
        ),
        max_size=8,
    )
)
def test_nothing_that_was_found_is_left_uncovered(findings):
    """
    Whatever is dropped overlaps something at least as sure that stays, and nothing is added.
    """
    kept = merged(findings)
    assert all(one in findings for one in kept)
    for one in findings:
        assert any(
            other.path == one.path and other.start < one.end and one.start < other.end and other.score >= one.score
            for other in kept
        )

"""The contract itself, held by the exact index; and that it can fail."""

import pytest

from tests.support.knowledge_contract import (
    ExactIndex,
    KnowledgeContract,
    by_kind,
    drawn_chunks,
    permitted_ids,
    recall,
    told,
)


class TestExact(KnowledgeContract):
    @pytest.fixture
    def index(self):
        return ExactIndex()

    @pytest.fixture
    def another(self):
        return ExactIndex

    def test_what_cannot_be_taken_in_changes_nothing(self, index):
        """The reference reads texts when it searches, and has nothing to refuse."""


class TestExactWithOneLength(TestExact):
    @pytest.fixture
    def index(self):
        return ExactIndex(12)

    @pytest.fixture
    def another(self):
        return lambda: ExactIndex(12)

    length = 12


def test_the_contract_sees_statistics_of_what_is_forbidden():
    """An index that counts forbidden chunks answers otherwise, so that the comparison can fail."""
    chunks = drawn_chunks(100, 4)
    alone, together = ExactIndex(), ExactIndex()
    alone.replace([], [chunk for chunk in chunks if chunk.tuple_id == 1])
    together.replace([], chunks)
    everything = together.search("limita deskb", permitted_ids([1, 2, 3, 4]), 100)
    leaking = [hit for hit in everything if hit.id in alone.ids()]
    assert told(leaking) != told(alone.search("limita deskb", permitted_ids([1]), 100))


def test_recall_counts_what_was_found():
    """Half of the truth is half."""
    assert recall([1, 2], [1, 3]) == 0.5
    assert recall([], []) == 1
    assert by_kind([], 3) == ([], [])

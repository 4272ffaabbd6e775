"""The table `retrieval`: the six settings of the retrieval design, and what was added."""

import pytest
import yaml

from pydantic import ValidationError

from gateway.model.knowledge.retrieval import Retrieval
from gateway.settings import HOME

SHIPPED = yaml.safe_load((HOME / "policies/registry/retrieval/data.yaml").read_text())


def test_the_shipped_table_says_what_the_design_says():
    """
    The six settings have the values of the two-stage retrieval design, but for the largest chunk, which the bank's own table needs.
    """
    table = Retrieval.model_validate(SHIPPED)
    assert (table.stage1_top_k, table.stage2_top_k, table.max_chunk_tokens) == (40, 8, 1500)
    assert (table.min_relevance_score, table.dedup_threshold, table.reranking_enabled) == (0.15, 0.85, True)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"stage2_top_k": 41}, "stage2_top_k may not be more"),
        ({"stage2_top_k": 21}, "stage2_top_k may not be more"),
        ({"reranker": "l4"}, "reranker"),
        ({"min_relevance_score": 1.5}, "min_relevance_score"),
        ({"stage1_top_k": True}, "stage1_top_k"),
        ({"fusion": {**SHIPPED["fusion"], "method": "best"}}, "method"),
        ({"fusion": {**SHIPPED["fusion"], "weights": {"lexical": 0, "cosine": 0}}}, "more than 0"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(changed, why):
    """
    A later stage never takes more than an earlier one gives, and something has to count.
    """
    with pytest.raises(ValidationError, match=why):
        Retrieval.model_validate({**SHIPPED, **changed})


@pytest.mark.parametrize(("enabled", "used"), [(True, "ce6"), (False, "none")])
def test_which_cross_encoder_is_used(enabled, used):
    """
    The one that is named, where stage 2 looks again at all.
    """
    assert Retrieval.model_validate({**SHIPPED, "reranker": "ce6", "reranking_enabled": enabled}).reads_again == used

"""The shipped rerankers: the same score whatever stands beside, and the answer before what only sounds like it."""

from pathlib import Path

import pytest

from adapters.knowledge.models.reranker import OnnxReranker, reranker_of
from adapters.knowledge.models.weights import WeightFiles
from gateway.errors import ModelUnusableError
from tests.support.weights import mounted

QUESTION = "How long must records of client instructions be kept?"
TEXTS = [
    "An Authorised Person must retain records of client instructions for at least six years.",
    "Client instructions may be given by telephone.",
    "Employees book their annual leave in the personnel system.",
]


@pytest.mark.parametrize("name", ["l3", "ce6"])
def test_the_answer_comes_first(name):
    """
    Each pair is scored alone, so its score is the same by itself and in a list; the answer has the highest.
    """
    reranker = reranker_of(name)
    together = reranker.score(QUESTION, TEXTS)
    assert together == [reranker.score(QUESTION, [text])[0] for text in TEXTS]
    assert together == sorted(together, reverse=True)
    assert reranker.name.startswith(f"{name}@")


def test_a_table_names_what_is_there(tmp_path):
    """
    `none` is none; a name that nothing has, and `mounted` where nothing is, are refused.
    """
    assert reranker_of("none") is None
    for name, folder in ("mounted", None), ("l4", tmp_path):
        with pytest.raises(ModelUnusableError, match="no reranker is called"):
            reranker_of(name, folder)
    with pytest.raises(ModelUnusableError, match="no list"):
        reranker_of("mounted", Path("/nowhere"))


def test_a_model_without_one_score_is_refused(tmp_path):
    """
    An embedder is no reranker.
    """
    with pytest.raises(ModelUnusableError, match="no single score"):
        OnnxReranker(WeightFiles.mounted(mounted(tmp_path))).score(QUESTION, TEXTS)

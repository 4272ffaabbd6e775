"""The shipped embedder: the same bytes whatever goes beside, and what is near in meaning is near."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from adapters.knowledge.models.embedder import OnnxEmbedder
from adapters.knowledge.models.weights import WeightFiles
from gateway.errors import ModelUnusableError

TEXTS = {
    "margin": "Collateral must be called when the exposure of a counterparty exceeds its threshold.",
    "holiday": "Employees book their annual leave in the personnel system two weeks ahead.",
    "outsourcing": "A bank remains responsible for services that it has outsourced to a third party.",
    "chinese": "风险评估必须由客户经理完成。",
    "empty": "",
    "one word": "x" * 50_000,
    "signs": "\0\ud800\u202e" * 10,
}


@pytest.fixture(scope="module")
def embedder():
    return OnnxEmbedder()


def test_a_text_has_one_vector(embedder):
    """
    Alone, after others, and while other threads embed: the same bytes; of unit length, whatever the text.
    """
    texts = [text.encode("utf-8", "ignore").decode() for text in TEXTS.values()]
    alone = [OnnxEmbedder().embed(text).tobytes() for text in texts]
    with ThreadPoolExecutor(4) as threads:
        beside = [vector.tobytes() for vector in threads.map(embedder.embed, texts * 3)]
    assert beside == alone * 3
    for vector in map(embedder.embed, texts):
        assert (vector.shape, vector.dtype) == ((384,), np.float32)
        assert abs(float(np.linalg.norm(vector)) - 1) < 1e-6


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        ("When do we ask the other side for security?", "margin"),
        ("How do I request vacation?", "holiday"),
        ("Who is accountable if a vendor performs the work?", "outsourcing"),
    ],
)
def test_what_means_the_same_is_near(embedder, question, nearest):
    """
    A question that shares few words with its answer is nearer to it than to other texts.
    """
    asked = embedder.embed(question)
    near = {name: float(embedder.embed(TEXTS[name]) @ asked) for name in ("margin", "holiday", "outsourcing")}
    assert max(near, key=near.__getitem__) == nearest


def test_a_model_of_other_dimensions_is_refused():
    """
    Weights that give other vectors than was said are not used.
    """
    with pytest.raises(ModelUnusableError, match="100 dimensions"):
        OnnxEmbedder(WeightFiles.shipped("bi.w8.onnx"), dimensions=100).embed("loan")

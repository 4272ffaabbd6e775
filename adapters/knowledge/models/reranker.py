"""How well texts answer a question, by a small transformer that reads both (a cross-encoder, onnxruntime)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from adapters.knowledge.models.weights import CLS, SEP, Transformer, WeightFiles
from gateway.errors import ModelUnusableError

SHIPPED: Final = {"l3": "l3.w8.onnx", "ce6": "ce6.w8.onnx"}
"""Those that ship, of three layers and of six."""

QUESTION: Final = 48
TEXT: Final = 176
"""Tokens that are read of each, as the shipped ones were trained."""


class OnnxReranker:
    """A `gateway.ports.knowledge.Reranker`; a mounted model takes and gives what the shipped ones do."""

    def __init__(self, files: WeightFiles) -> None:
        self._model = Transformer(files)

    @property
    def name(self) -> str:
        return self._model.name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """
        A score for each text: log-odds of an answer, as the shipped ones were trained.

        Raises:
            ModelUnusableError: the weights are not usable, or give something else.
        """
        asked = [CLS, *self._model.tokens(question, QUESTION), SEP]
        return [self._score(asked, text) for text in texts]

    def _score(self, asked: Sequence[int], text: str) -> float:
        score = self._model.run([*asked, *self._model.tokens(text, TEXT), SEP], len(asked))
        if score.size != 1:
            raise ModelUnusableError(f"{self.name} gives no single score.")
        return float(score.reshape(()))


def reranker_of(name: str, mounted: Path | None = None) -> OnnxReranker | None:
    """
    The reranker that the table `retrieval` names.

    Args:
        name: `none`, one that ships, or `mounted`.
        mounted: folder of the mounted one, where there is any.

    Raises:
        ModelUnusableError: there is none of this name.
    """
    if name == "none":
        return None
    if name in SHIPPED:
        return OnnxReranker(WeightFiles.shipped(SHIPPED[name]))
    if name == "mounted" and mounted is not None:
        return OnnxReranker(WeightFiles.mounted(mounted))
    raise ModelUnusableError(f"no reranker is called {name}.")

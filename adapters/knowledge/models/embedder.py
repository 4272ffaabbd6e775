"""Vectors of texts by a small transformer (onnxruntime)."""

from typing import Final

import numpy as np

from adapters.knowledge.models.weights import CLS, SEP, Transformer, WeightFiles
from gateway.errors import ModelUnusableError
from gateway.ports.knowledge import Vector

SHIPPED: Final = "bi.w8.onnx"
TOKENS: Final = 254
"""Of a text so many are read, beside the two that begin and end it (all-MiniLM-L6-v2 was trained on 256)."""


class OnnxEmbedder:
    """A `gateway.ports.knowledge.Embedder`; a mounted model takes and gives what the shipped one does."""

    def __init__(self, files: WeightFiles | None = None, *, dimensions: int = 384) -> None:
        """
        Args:
            files: the weights; None for those that ship.
            dimensions: of the vectors that the model gives.
        """
        self._model = Transformer(files or WeightFiles.shipped(SHIPPED))
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, text: str) -> Vector:
        """
        The vector of one text, of unit length.

        Raises:
            ModelUnusableError: the weights are not usable, or give something else.
        """
        tokens = [CLS, *self._model.tokens(text, TOKENS), SEP]
        vector = np.asarray(self._model.run(tokens, len(tokens)), np.float32)
        if vector.ndim == 2:  # one vector for each token: their mean is the text's, as sentence-transformers makes it
            vector = vector.mean(axis=0)
        length = float(np.sqrt(np.sum(vector.astype(np.float64) ** 2)))
        if vector.shape != (self._dimensions,) or not np.isfinite(length) or length == 0:
            raise ModelUnusableError(f"{self.name} gives no vectors of {self._dimensions} dimensions.")
        return (vector / np.float32(length)).astype(np.float32)

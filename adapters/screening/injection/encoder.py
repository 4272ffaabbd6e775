"""
Tier 2: a small encoder, fine-tuned on injected instructions by others, run by onnxruntime over our own windows.

The default is the int8 MiniLM that ships in `stackone-defender` (Apache-2.0).  Its two outputs and the pooled state of
the window go through one linear layer of ours, fitted on documents with and without inserted attacks
(`calibration.json`, made by `tools/calibrate.py`).

Rules held here: a window is scored alone, since the model quantises its activations over the whole batch, so that a
neighbour would change the score; a window with more tokens than the model takes is halved until it fits.
"""

import json
import math

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import onnxruntime
import stackone_defender

from numpy.typing import NDArray
from tokenizers import Tokenizer

from adapters.screening.text.windows import windows

SHIPPED: Final = Path(stackone_defender.__file__).parent / "models" / "minilm-multihead-v5"
MAX_TOKENS: Final = 256
_GRAPH, _OUTPUT, _NAME = b"\x3a", b"\x62", b"\x0a"


class Scored(NamedTuple):
    """A window and how much it looks like an attack, before rules are counted in."""

    start: int
    end: int
    evidence: float
    """Log-odds; `Calibration.score` makes a score of it."""


class Calibration(NamedTuple):
    """The linear layer, and what makes a score of its output."""

    pooled: str
    """Name of the model's tensor that holds the pooled state of the window."""

    weights: NDArray[np.float64]
    """For the pooled state and the two outputs."""

    intercept: float
    main: float
    """Weight of the model's own first output on top."""

    rules: float
    """Weight of the highest score of the rules (0 to 1)."""

    zero: float
    """Evidence at which one document in a hundred without an attack is flagged; it scores 0.5."""

    scale: float
    """Evidence that takes a score from 0.5 to 0.73."""

    def score(self, evidence: float) -> float:
        """A score of 0 to 1, 0.5 where one clean document in a hundred is flagged."""
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, (evidence - self.zero) / self.scale))))


@cache
def calibration() -> Calibration:
    """The calibration that ships with the package."""
    return read_calibration(files("adapters.screening.injection").joinpath("calibration.json").read_text())


def read_calibration(text: str) -> Calibration:
    """A calibration from its JSON; what it was made from stands beside the numbers."""
    fields: dict[str, Any] = json.loads(text)
    return Calibration(
        **{name: fields[name] for name in Calibration._fields if name != "weights"}, weights=np.array(fields["weights"])
    )


class Encoder:
    """The model, loaded."""

    def __init__(self, folder: Path = SHIPPED, *, pooled: str | None = None, threads: int = 1) -> None:
        """
        Args:
            folder: with `model_quantized.onnx` and `tokenizer.json`.
            pooled: the tensor with the pooled state; the calibration's, unless said otherwise.
            threads: that one run may use; workers scale by processes.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        model = (folder / "model_quantized.onnx").read_bytes()
        self._pooled = pooled or calibration().pooled
        self._session = onnxruntime.InferenceSession(
            _with_output(model, self._pooled), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def states(self, text: str) -> Iterator[tuple[int, int, NDArray[np.float64]]]:
        """Each window of a text with its pooled state and the two outputs, as one vector."""
        for start, end in windows(text):
            yield from self._states(text, start, end)

    def _states(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, NDArray[np.float64]]]:
        tokens = self._tokenizer.encode(text[start:end]).ids
        if len(tokens) > MAX_TOKENS and end - start > 1:
            middle = (start + end) // 2
            yield from self._states(text, start, middle)
            yield from self._states(text, middle, end)
            return
        row = np.array([tokens[:MAX_TOKENS]], np.int64)
        logits, pooled = self._session.run(
            ["logits", self._pooled], {"input_ids": row, "attention_mask": np.ones_like(row)}
        )
        yield start, end, np.concatenate([pooled[0], logits.reshape(-1)[:2]]).astype(np.float64)

    def scored(self, text: str) -> Iterator[Scored]:
        """Each window of a text with its evidence, one run of the model a step."""
        layer = calibration()
        for start, end, state in self.states(text):
            yield Scored(start, end, float(state @ layer.weights + layer.intercept + layer.main * state[-2]))


def _with_output(model: bytes, tensor: str) -> bytes:
    """
    The model with one more of its tensors among its outputs.

    Two serialised protobuf messages, one after the other, are the message with both merged (Protocol Buffers, Encoding,
    "Last One Wins"), so it is enough to append a model that holds a graph that holds the output.
    """
    output = _field(_NAME, tensor.encode())
    return model + _field(_GRAPH, _field(_OUTPUT, output))


def _field(tag: bytes, body: bytes) -> bytes:
    size, length = b"", len(body)
    while length > 0x7F:
        size += bytes([length & 0x7F | 0x80])
        length >>= 7
    return tag + size + bytes([length]) + body

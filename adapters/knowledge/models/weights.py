"""
Weights of small transformers, run by onnxruntime.

Rules held here: a file is used only where its bytes have the digest that is pinned; one text, or one pair of them, is run at a time
on one thread, so that what comes out is the same to the last bit whatever else is asked; what a text may cost is bounded before it
is cut into tokens.
"""

import hashlib

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
import onnxruntime

from numpy.typing import NDArray
from tokenizers import Tokenizer

from gateway.errors import ModelUnusableError
from gateway.settings import HOME

SHIPPED: Final = HOME / "models" / "retrieval"
"""Where the weights that ship with the gateway lie; its README says what they are."""

PINNED: Final[Mapping[str, str]] = {
    "bi.w8.onnx": "ee9a2f9aaf7183b021c7253ab1968a036083abc4e48035f3a63bf0eb91a237d8",
    "l3.w8.onnx": "1ab80f1b40e2a3d03360799b732c788c678a9217c989b166cc125b5820fa5b37",
    "ce6.w8.onnx": "88f24fb5fe6f3205779dc3224c9b344b2ecaff572ce3084a22f31eb2eeb65659",
    "word_embeddings.bin": "d05401a903983a414109118fce00b1c75e63f60be1e1bd2e2151e35d864323bb",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of what ships, in hex."""

CLS: Final = 101
SEP: Final = 102
"""Tokens of BERT's uncased vocabulary that begin a text and end one."""

_CHARACTERS: Final = 8_000
"""Of a text so many are cut into tokens: many times what 254 tokens of prose take."""


@dataclass(frozen=True, slots=True)
class WeightFiles:
    """A model and what lies beside it, each file with its digest."""

    folder: Path
    model: str
    """File of the graph."""

    digests: Mapping[str, str]
    """SHA-256 of every file that is read, in hex: the graph, `tokenizer.json`, and data that the graph keeps outside."""

    @classmethod
    def shipped(cls, model: str) -> "WeightFiles":
        """One that ships with the gateway, such as `bi.w8.onnx`."""
        beside = (model, "word_embeddings.bin", "tokenizer.json")
        return cls(SHIPPED, model, {name: PINNED[name] for name in beside})

    @classmethod
    def mounted(cls, folder: Path) -> "WeightFiles":
        """
        Those of a deployment: `model.onnx`, `tokenizer.json` and `digests.txt`, as `sha256sum` writes it, in one folder.

        Raises:
            ModelUnusableError: there is no such list, or it leaves one of the two out.
        """
        try:
            lines = [line.split() for line in (folder / "digests.txt").read_text().splitlines() if line.strip()]
            digests = {name.lstrip("*"): digest.lower() for digest, name in lines}
        except (OSError, ValueError) as error:
            raise ModelUnusableError(f"{folder} has no list of digests that can be read.") from error
        if missing := {"model.onnx", "tokenizer.json"} - digests.keys():
            raise ModelUnusableError(f"digests.txt of {folder} does not name {' and '.join(sorted(missing))}.")
        if strange := sorted(name for name in digests if Path(name).name != name):
            raise ModelUnusableError(f"digests.txt of {folder} names a file elsewhere: {strange[0]}.")
        return cls(folder, "model.onnx", digests)

    @property
    def name(self) -> str:
        """The model, with a digest over all of its files."""
        listed = "".join(f"{digest}  {name}\n" for name, digest in sorted(self.digests.items()))
        return f"{self.model.partition('.')[0]}@{hashlib.sha256(listed.encode()).hexdigest()[:16]}"

    def check(self) -> None:
        """
        Read every file, and compare its digest.

        Raises:
            ModelUnusableError: one is missing, or has another digest.
        """
        for name, pinned in self.digests.items():
            try:
                with (self.folder / name).open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                raise ModelUnusableError(f"{name} cannot be read: {error.strerror}.") from error
            if digest != pinned:
                raise ModelUnusableError(f"{name} is not the file that is pinned.")


class Transformer:
    """A model that reads tokens, loaded when it is first used; safe to share between threads."""

    def __init__(self, files: WeightFiles) -> None:
        self._files = files
        self._loading = Lock()

    @property
    def name(self) -> str:
        return self._files.name

    def tokens(self, text: str, most: int) -> list[int]:
        """Ids of a text's first tokens, without those that begin and end it."""
        return list(self._loaded[0].encode(text[:_CHARACTERS], add_special_tokens=False).ids[:most])

    def run(self, tokens: Sequence[int], first: int) -> NDArray[np.float32]:
        """
        The model's output for one row of tokens.

        Args:
            tokens: with those that begin and end it.
            first: how many of them belong to the first text; the others are of the second.

        Raises:
            ModelUnusableError: the weights are not usable.
        """
        ids = np.array([tokens], np.int64)
        types = np.zeros_like(ids)
        types[0, first:] = 1
        feed = {"input_ids": ids, "token_type_ids": types, "attention_mask": np.ones_like(ids)}
        answer: NDArray[np.float32] = self._loaded[1].run(None, feed)[0][0]
        return answer

    @property
    def _loaded(self) -> tuple[Any, Any]:
        with self._loading:
            return self._load

    @cached_property
    def _load(self) -> tuple[Any, Any]:
        self._files.check()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            tokenizer = Tokenizer.from_file(str(self._files.folder / "tokenizer.json"))
            session = onnxruntime.InferenceSession(
                str(self._files.folder / self._files.model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # both libraries raise what they like
            raise ModelUnusableError(f"{self._files.model} cannot be loaded.") from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer, session

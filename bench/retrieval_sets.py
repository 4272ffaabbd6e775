"""Questions with the passages that answer them, from public sets that are not committed, and the vectors of both."""

import hashlib
import json
import random
import re

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from numpy.typing import NDArray

from gateway.ports.knowledge import Embedder

SAMPLE: Final = 1_000
"""Questions that are taken of PolicyQA."""


class Asked(NamedTuple):
    """A question."""

    text: str
    gold: frozenset[int]
    """Passages that answer it."""

    among: int
    """Tuple of the passages that are searched."""


class Corpus(NamedTuple):
    """Passages, and what is asked of them."""

    texts: list[str]
    tuples: list[int]
    questions: list[Asked]


def obliqa(folder: Path, part: str = "test") -> Corpus:
    """ObliQA (RegNLP/ObliQADataset): regulations of the Abu Dhabi Global Market, questions made by a language model."""
    texts: list[str] = []
    by_name: dict[tuple[str, str], int] = {}
    by_text: dict[str, int] = {}
    for number in range(1, 41):
        for passage in _read(folder / "StructuredRegulatoryDocuments" / f"{number}.json"):
            if text := passage["Passage"].strip():
                by_name.setdefault((str(passage["DocumentID"]), passage["PassageID"]), len(texts))
                by_text.setdefault(_plain(text), len(texts))
                texts.append(text)

    def place(passage: dict[str, Any]) -> int | None:
        named = by_name.get((str(passage["DocumentID"]), passage["PassageID"]))
        return named if named is not None else by_text.get(_plain(passage["Passage"]))

    questions = [
        Asked(row["Question"], frozenset(found for one in row["Passages"] if (found := place(one)) is not None), 0)
        for row in _read(folder / f"ObliQA_{part}.json")
    ]
    return Corpus(texts, [0] * len(texts), [one for one in questions if one.gold])


def policyqa(folder: Path) -> Corpus:
    """
    PolicyQA (wasiahmad/PolicyQA, MIT): privacy policies of web sites, questions by experts; nothing here was made with it.

    Questions mean the policy of one site, so that alone is searched.
    """
    texts: list[str] = []
    tuples: list[int] = []
    asked: dict[tuple[int, str], set[int]] = {}
    for part in "dev", "test":
        for site in _read(folder / f"{part}.json")["data"]:
            number = len(set(tuples))
            for passage in site["paragraphs"]:
                for question in passage["qas"]:
                    asked.setdefault((number, question["question"]), set()).add(len(texts))
                texts.append(passage["context"])
                tuples.append(number)
    questions = [Asked(text, frozenset(gold), site) for (site, text), gold in sorted(asked.items())]
    return Corpus(texts, tuples, random.Random(7).sample(questions, min(SAMPLE, len(questions))))


def embedded(texts: Sequence[str], embedder: Embedder, cache: Path) -> NDArray[np.float32]:
    """Vectors of texts, made once."""
    digest = hashlib.sha256("\0".join([embedder.name, *texts]).encode("utf-8", "surrogatepass")).hexdigest()
    file = cache / f"{digest[:24]}.npy"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(file, np.array([embedder.embed(text) for text in texts], np.float32))
    vectors: NDArray[np.float32] = np.load(file)
    return vectors


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))

"""
A folder with all that training an embedder needs, for a machine that has a GPU and no way to the gateway.

Rules held here: the folder is the owner's alone, since it holds the text of documents; nothing is written into a folder that holds
anything; it says by digest what it was made of.
"""

import hashlib
import json
import os

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from gateway.errors import ConfigurationError
from gateway.knowledge.tuning.pseudo_queries import pseudo_queries

RECIPE: Final = Path(__file__).parent / "recipe"
_FILES: Final = {"train.txt": "train.py", "requirements.txt": "requirements.txt", "README.md": "README.md"}
_BASE: Final = ("embedder.onnx", "word_embeddings.bin", "tokenizer.json")

FEWEST_PAIRS: Final = 64
"""Of fewer questions nothing can be learned."""


@dataclass(frozen=True, slots=True)
class TrainingFolder:
    """What a training folder holds."""

    passages: int
    pairs: int
    digests: Mapping[str, str]
    """By file, SHA-256 in hex."""


def write_folder(folder: Path, passages: Sequence[str], base: Mapping[str, Path], *, each: int = 3) -> TrainingFolder:
    """
    Write a training folder.

    Args:
        folder: is made; it may be there and empty.
        passages: texts of chunks.
        base: files of the embedder to start from: `embedder.onnx`, `word_embeddings.bin`, `tokenizer.json`.
        each: how many questions a passage gives at most.

    Raises:
        ConfigurationError: the folder holds something already, or the passages give too few questions.
    """
    pairs = list(pseudo_queries(passages, each=each))
    if len(pairs) < FEWEST_PAIRS:
        raise ConfigurationError(
            f"{len(passages)} passages give {len(pairs)} questions, and fewer than {FEWEST_PAIRS} teach nothing"
        )
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    if any(folder.iterdir()):
        raise ConfigurationError(f"the folder {folder} is not empty")
    (folder / "base").mkdir(mode=0o700)
    # All is in memory before anything is written, so that the digests are of what was written.
    bodies = {
        "passages.jsonl": _lines([{"text": one} for one in passages]),
        "pairs.jsonl": _lines([asdict(one) for one in pairs]),
        **{name: (RECIPE / source).read_bytes() for source, name in _FILES.items()},
        **{f"base/{name}": base[name].read_bytes() for name in _BASE},
    }
    digests = {name: hashlib.sha256(body).hexdigest() for name, body in bodies.items()}
    written = TrainingFolder(len(passages), len(pairs), digests)
    bodies["folder.json"] = json.dumps(asdict(written), indent=1).encode() + b"\n"
    for name, body in bodies.items():
        with os.fdopen(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(body)
    return written


def _lines(rows: Sequence[Mapping[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()

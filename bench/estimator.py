"""
How far the estimate of tokens is off, for a model family whose tokenizer can be had as a Hugging Face `tokenizer.json`.

    python -m bench.estimator TOKENIZER.json [--factor 1.25]

The package `anthropic` 0.38.0 (MIT) is the last one that ships one, that of Claude 2; those of later models are not public.
"""

import argparse
import json
import statistics

from collections.abc import Iterator
from pathlib import Path

from tokenizers import Tokenizer

from adapters.packing.tiktoken import TiktokenTokenizer
from bench.common import report
from gateway.model.content import content_text
from gateway.settings import HOME

SHORTEST = 100
"""Characters below which a text's count says little."""


def texts() -> Iterator[str]:
    """Items of the stories, labelled texts of six jurisdictions, and pages of the documentation."""
    for path in sorted((HOME / "examples").glob("*/request.json")):
        yield from (content_text(item["content"]) for item in json.loads(path.read_text())["items"])
    for path in sorted((HOME / "tests/adapters/screening/labelled").glob("*.jsonl")):
        yield from (json.loads(line)["text"] for line in path.read_text().splitlines())
    for path in sorted((HOME / "docs").glob("*.md")):
        yield from path.read_text().split("\n\n")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizer", type=Path, help="a tokenizer.json")
    parser.add_argument("--factor", type=float, default=1.25, help="as in policies/registry/models/data.yaml")
    parser.add_argument("--quick", action="store_true", help="every tenth text")
    given = parser.parse_args()
    theirs, ours = Tokenizer.from_file(str(given.tokenizer)), TiktokenTokenizer()
    some = [text for text in texts() if len(text) >= SHORTEST][:: 10 if given.quick else 1]
    actual = [len(theirs.encode(text).ids) for text in some]
    estimated = [given.factor * ours.count(text, "o200k_base") for text in some]
    off = sorted(guess / truth for guess, truth in zip(estimated, actual, strict=True))
    figures = {
        "texts": float(len(some)),
        "estimate/actual, mean": statistics.mean(off),
        "estimate/actual, 5th percentile": off[len(off) // 20],
        "estimate/actual, 95th percentile": off[-len(off) // 20],
        "estimate/actual, least": off[0],
        "part of texts underestimated": sum(one < 1 for one in off) / len(off),
        "all texts together": sum(estimated) / sum(actual),
    }
    report("estimator", figures, f"python -m bench.estimator {given.tokenizer.name} --factor {given.factor}")


if __name__ == "__main__":
    main()

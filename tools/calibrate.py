"""
The calibration of the injection encoder, from labelled documents with and without inserted attacks.

    python -m tools.calibrate --sets FOLDER [--clean FOLDER …] [--out adapters/injection/calibration.json]

Windows of documents that hold a part of an inserted attack, and those of attacks as long as documents, are positive; all
others, and those of clean documents, negative.  `--clean` adds texts that nobody tampered with, such as the documentation
of installed packages: the more kinds of document the fit has seen, the better the threshold holds on another kind.  Where an attack stands in a document is found by looking for the texts of the attack sets.  The threshold is
measured on documents that the fit did not see: one source of documents, and one of attacks, is left out in turn.
"""

import argparse
import hashlib
import json
import re

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from adapters.screening.injection.encoder import Encoder
from adapters.screening.injection.tier1 import rule_score
from adapters.screening.text.normalise import normalised

POOLED: Final = "/Cast_1_output_0"
REGULARISATION: Final = 3e-4
MAIN: Final = 0.25
RULES: Final = 8.0
SCALE: Final = 2.0
LONGEST: Final = 8000
CLEAN: Final = "benign_doc"
INSERTED: Final = "indirect_doc"
LONG: Final = frozenset({"indirect_email", "jailbreak"})
"""Kinds of attack that are documents by themselves."""

PACKAGES: Final = "documentation of packages"
MOST: Final = 900
MOST_OF_ONE: Final = 12
"""Texts taken from the folders of `--clean`, in all and of one folder."""


class Window(NamedTuple):
    """One window of a document."""

    state: NDArray[np.float64]
    attack: bool
    documents: str
    """The source of the document."""

    attacks: str | None
    """The source of the attack inserted in the document, whether or not it is in this window."""

    document: str


class Fit(NamedTuple):
    """The linear layer."""

    weights: NDArray[np.float64]
    intercept: float


def main() -> None:
    """Fit, measure, write."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sets", type=Path, required=True, help="folder with injection_dev.jsonl")
    asked.add_argument("--clean", type=Path, nargs="*", default=[], help="folders with texts taken as clean")
    asked.add_argument("--out", type=Path, default=Path("adapters/injection/calibration.json"))
    chosen = asked.parse_args()
    rows = [json.loads(line) for line in (chosen.sets / "injection_dev.jsonl").read_text().split("\n") if line]
    rows += [
        {"id": str(path), "text": text, "kind": CLEAN, "source": PACKAGES, "label": 0}
        for path, text in _texts(chosen.clean)
    ]
    found = list(_windows(rows))
    rules = {row["id"]: rule_score(row["text"]) for row in rows if row["kind"] in {CLEAN, INSERTED}}
    clean, attacked = _left_out(found, rules)
    zero = float(np.quantile(clean, 0.99))
    fit = _fit(found)
    document = {
        "made from": "the development sets described in docs/detectors.md",
        "documents": len({window.document for window in found}),
        "windows": len(found),
        "windows with an attack": sum(window.attack for window in found),
        "recall at 1 % false positives, sources left out": round(float(np.mean(np.array(attacked) > zero)), 3),
        "pooled": POOLED,
        "main": MAIN,
        "rules": RULES,
        "zero": round(zero, 4),
        "scale": SCALE,
        "intercept": round(fit.intercept, 5),
        "weights": [round(float(weight), 5) for weight in fit.weights],
    }
    chosen.out.write_text(json.dumps(document, indent=1) + "\n")
    print({name: value for name, value in document.items() if name != "weights"})


def _windows(rows: Sequence[dict[str, Any]]) -> Iterator[Window]:
    encoder = Encoder(pooled=POOLED)
    attacks = _attacks(rows)
    heads = {row["text"][:60]: row["source"] for row in rows if row["kind"] == CLEAN}
    for row in rows:
        text = normalised(row["text"][:LONGEST])[0].text
        if row["kind"] == CLEAN:
            for _, _, state in encoder.states(text):
                yield Window(state, False, row["source"], None, row["id"])
        elif row["kind"] in LONG:
            for _, _, state in encoder.states(text):
                yield Window(state, True, row["source"], row["source"], row["id"])
        elif row["kind"] == INSERTED and (place := _inserted(text, attacks)) is not None:
            first, last, source = place
            documents = next((name for head, name in heads.items() if head in text), "unknown")
            for start, end, state in encoder.states(text):
                shared = min(end, last) - max(start, first)
                if shared <= 0 or shared >= min(40, last - first):
                    yield Window(state, shared > 0, documents, source, row["id"])


def _texts(folders: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Texts of several sentences under folders, a few of each folder, in an order that is the same every time."""
    paths = [
        path for folder in folders for name in ("*.md", "*.rst", "*.txt", "METADATA") for path in folder.rglob(name)
    ]
    taken: Counter[str] = Counter()
    for path in sorted(paths, key=lambda path: hashlib.sha256(str(path).encode()).digest()):
        of = "/".join(path.parts[:8])
        try:
            text = path.read_text()[:6300]
        except (OSError, UnicodeDecodeError):
            continue
        if taken[of] >= MOST_OF_ONE or len(text) < 400 or not re.search(r"[a-z]{3} [a-z]{2}", text):
            continue
        if "injection" in text.lower() or "jailbreak" in text.lower():
            continue  # may quote attacks
        taken[of] += 1
        yield path, text
        if taken.total() >= MOST:
            return


def _attacks(rows: Sequence[dict[str, Any]]) -> dict[str, list[tuple[str, str]]]:
    """Attack texts and their sources, by their first forty characters."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        if row["label"] == 1 and row["kind"] != INSERTED and len(row["text"]) < 1500:
            text = row["text"].strip()
            found.setdefault(text[:40], []).append((text, row["source"]))
    return found


def _inserted(text: str, attacks: dict[str, list[tuple[str, str]]]) -> tuple[int, int, str] | None:
    for place in range(len(text) - 20):
        for attack, source in attacks.get(text[place : place + 40], ()):
            if text.startswith(attack[:200], place):
                return place, place + len(attack), source
    return None


def _fit(found: Sequence[Window]) -> Fit:
    states = np.stack([window.state for window in found])
    labels = np.array([window.attack for window in found])
    mean, spread = states.mean(0), states.std(0) + 1e-6
    model = LogisticRegression(C=REGULARISATION, max_iter=300, class_weight="balanced")
    model.fit((states - mean) / spread, labels)
    weights = model.coef_[0] / spread
    return Fit(weights, float(model.intercept_[0] - mean @ weights))


def _left_out(found: Sequence[Window], rules: dict[str, float]) -> tuple[list[float], list[float]]:
    """Evidence of clean and of attacked documents, each under a fit that saw neither its source nor its attack's."""
    clean: list[float] = []
    attacked: list[float] = []
    for documents in sorted({window.documents for window in found if window.attacks is None} - {PACKAGES}):
        for attacks in sorted({window.attacks for window in found if window.attacks and window.documents == documents}):
            fit = _fit([w for w in found if w.documents not in {documents, "unknown"} and w.attacks != attacks])
            clean += _evidence([w for w in found if w.documents == documents and w.attacks is None], fit, rules)
            attacked += _evidence([w for w in found if w.documents == documents and w.attacks == attacks], fit, rules)
    return clean, attacked


def _evidence(found: Sequence[Window], fit: Fit, rules: dict[str, float]) -> list[float]:
    highest: dict[str, float] = {}
    for window in found:
        evidence = float(window.state @ fit.weights + fit.intercept + MAIN * window.state[-2])
        highest[window.document] = max(highest.get(window.document, -np.inf), evidence)
    return [evidence + RULES * rules[document] for document, evidence in highest.items()]


if __name__ == "__main__":
    main()

"""Injected instructions in what was admitted: rules, and the encoder over windows, in warm workers."""

import hashlib

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from adapters.screening.costs import REFERENCE, Costs
from adapters.screening.in_worker import Steps, finished
from adapters.screening.injection import tier1
from adapters.screening.injection.encoder import SHIPPED, Encoder, calibration
from adapters.screening.text.decode import ENCODED, HIDDEN
from adapters.screening.text.normalise import normalised
from adapters.screening.text.view import View
from adapters.screening.workers import WorkerPool
from gateway.model import Finding
from gateway.model.content import Leaf

DETECTOR: Final = "injection"
RULES_VERSION: Final = "2"
"""Raised whenever our own rules, readings or windows change."""

NOTABLE: Final = 0.02
"""A window that scores less is not worth telling policy about."""

WORDS: Final = 4
"""A hidden or encoded reading of fewer words is left to the rules."""

DISGUISED: Final = {
    **dict.fromkeys(ENCODED - {"percent"}, 3.0),
    **dict.fromkeys(HIDDEN, 2.0),
}
"""Evidence that it adds when a reading was not meant to be read by people."""

OFF: Final = "off"


class InjectionDetector:
    """A `gateway.ports.Detector` for injected instructions."""

    reads_across = True

    def __init__(self, pool: WorkerPool, *, encoder: str = "", costs: Costs = REFERENCE) -> None:
        """
        Args:
            pool: where to scan.
            encoder: folder of the model; empty for the one that ships, "off" for rules alone.
            costs: what that takes on this machine.
        """
        self._pool = pool
        self._costs = costs
        self._encoder = encoder
        self._version = _version(encoder)

    @property
    def name(self) -> str:
        return DETECTOR

    @property
    def version(self) -> str:
        return self._version

    def serves(self, screening: str) -> bool:
        return screening == DETECTOR

    def cost(self, item: Sequence[Leaf], screening: str) -> float:
        return self._costs.injection(item, encoder=self._encoder != OFF)

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str, tenant: str = "") -> list[list[Finding]]:
        return await self._pool.scan(steps, items, self._encoder, tenant=tenant)


def _version(encoder: str) -> str:
    rules = f"promptbadger.{version('promptbadger')}+rules.{RULES_VERSION}"
    if encoder == OFF:
        return rules
    fitted = hashlib.sha256(
        files("adapters.screening.injection").joinpath("calibration.json").read_bytes()
    ).hexdigest()[:12]
    model = f"stackone-defender.{version('stackone-defender')}" if not encoder else f"encoder.{Path(encoder).name}"
    return f"{rules}+{model}+calibration.{fitted}"


@cache
def loaded(encoder: str) -> Encoder:
    """The model, loaded once in a worker."""
    return Encoder(Path(encoder) if encoder else SHIPPED)


def warm(encoder: str) -> None:
    """Load everything, so that the first item does not wait."""
    scan([[Leaf("Please summarise the attached report for me.")]], encoder)


def scan(items: Sequence[Sequence[Leaf]], encoder: str) -> list[list[Finding]]:
    """Findings for every item, in order."""
    return finished(steps(items, encoder))


def steps(items: Sequence[Sequence[Leaf]], encoder: str) -> Steps:
    """The same with a pause after every value and every window."""
    answers = []
    for item in items:
        found: list[Finding] = []
        for leaf in item:
            for one in tier1.in_steps(leaf.text, leaf.path):
                found += [one] if one else []
                yield
        if encoder != OFF:
            rules = max((finding.score for finding in found), default=0.0)
            for passage in _passages(item):
                for one in _encoded(passage, loaded(encoder), rules):
                    found += [one] if one else []
                    yield
        answers.append(found)
    return answers


class _Passage(NamedTuple):
    """A text for the encoder, and which leaf each part of it is from."""

    view: View
    parts: tuple[tuple[int, Leaf], ...]
    """Where each leaf begins in the view's original, in order."""


def _passages(item: Sequence[Leaf]) -> Iterator[_Passage]:
    """The prose of an item as one text, and what is encoded or hidden in it."""
    prose = [leaf for leaf in item if len(leaf.text) >= tier1.SHORTEST and " " in leaf.text.strip()] or list(item)
    parts, texts, size = [], [], 0
    for leaf in prose:
        parts.append((size, leaf))
        texts.append(leaf.text)
        size += len(leaf.text) + 1
    text = "\n".join(texts)
    if len(text) < tier1.SHORTEST:
        return
    view, unseen = normalised(text)
    yield _Passage(view, tuple(parts))
    for reading in tier1.hidden_readings(text, view, unseen):
        yield _Passage(reading, tuple(parts))


def _encoded(passage: _Passage, encoder: Encoder, rules: float) -> Iterator[Finding | None]:
    """What the encoder says of each window, None where that is nothing; the whole passage where it was encoded."""
    layer, view = calibration(), passage.view
    undone = set(view.via.split("+"))
    if view.via != "text" and len(view.text.split()) < WORDS and "spaced" not in undone:
        return
    extra = max((DISGUISED.get(name, 0.0) for name in undone), default=0.0)
    for window in encoder.scored(view.text):
        score = layer.score(window.evidence + extra + layer.rules * rules)
        if score < NOTABLE:
            yield None
            continue
        start, end = view.span(window.start, window.end)
        first, leaf = max((part for part in passage.parts if part[0] <= start), key=lambda part: part[0])
        yield Finding(
            kind="injection",
            type="instructions",
            score=round(score, 4),
            start=start - first,
            end=min(end - first, len(leaf.text)),
            detector="encoder",
            via=view.via,
            path=leaf.path,
        )

"""
Whether an embedder of the bank's own may take the place of today's.

Rules held here: both are asked the same questions over the same documents under the same bundle, and differ in nothing else; the new
one is refused where anything leaks, a figure is beyond its alarm, or it finds less than today's by more than the bundle lets a
figure fall; what was adopted is known by the digests of its files, so that another file of its name is not.
"""

import hashlib
import json

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError

from gateway.errors import FieldInvalidError, ModelUnusableError
from gateway.knowledge.quality.baseline import Movement, baseline_of, movement
from gateway.knowledge.quality.evaluation import GoldenResult
from gateway.knowledge.quality.verdict import verdict
from gateway.model.base import Model
from gateway.model.knowledge.quality import QualityFigure, QualityTable

ADOPTED: Final = ".adopted.json"
BESIDE: Final = ("word_embeddings.bin", "tokenizer.json")
"""What the weights are read with: another of either gives other vectors."""


class Adopted(Model):
    """Kept beside the weights of an embedder that was adopted."""

    format: Literal["ctxgate.embedder/1"] = "ctxgate.embedder/1"
    weights: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of its files, in hex."""

    golden: str
    golden_digest: str
    bundle: str
    before: str
    """Name of the embedder that it was compared with."""

    figures: dict[QualityFigure, float]
    figures_before: dict[QualityFigure, float]


@dataclass(frozen=True, slots=True)
class EmbedderComparison:
    """Two embedders, asked the same."""

    today: GoldenResult
    tuned: GoldenResult
    moved: Movement
    reasons: tuple[str, ...]
    """Why the new one is refused; empty where it may be adopted."""


def compare(today: GoldenResult, tuned: GoldenResult, table: QualityTable) -> EmbedderComparison:
    """
    Hold a new embedder against today's.

    Raises:
        FieldInvalidError: they were not asked the same under the same bundle.
    """
    if today.golden_digest != tuned.golden_digest or today.searchable.bundle != tuned.searchable.bundle:
        raise FieldInvalidError(
            "the bundle or the golden set changed between the two", fields=[("--adopt", "ask again")]
        )
    moved = movement(baseline_of(today), tuned, table)
    told = verdict(tuned, table, moved)
    reasons = [
        f"{line.figure} is {line.value:.4g}, and {line.alarm:g} is the alarm"
        for line in told.lines
        if line.standing == "alarm" and line.figure != "reranker_improvement"
    ]
    reasons += [f"{name} falls from {moved.before[name]:.4g} to {moved.now[name]:.4g}" for name in moved.drifted]
    return EmbedderComparison(today, tuned, moved, tuple(reasons))


def digest_of_weights(weights: Path) -> str:
    """
    SHA-256 of an embedder's file, its word table and its tokenizer, in hex.

    Raises:
        ModelUnusableError: one of them cannot be read.
    """
    whole = hashlib.sha256()
    try:
        for file in (weights, *(weights.with_name(name) for name in BESIDE)):
            with file.open("rb") as body:
                whole.update(hashlib.file_digest(body, "sha256").digest())
    except OSError as error:
        raise ModelUnusableError(f"{weights.name}, or {' or '.join(BESIDE)} beside it, cannot be read") from error
    return whole.hexdigest()


def adopt(weights: Path, digest: str, comparison: EmbedderComparison) -> Path:
    """
    Keep beside the weights that they were adopted.

    Args:
        weights: of the new embedder.
        digest: of what was measured, taken before.
        comparison: with today's.

    Raises:
        ModelUnusableError: it is refused, or the files are others than were measured.
    """
    if comparison.reasons:
        raise ModelUnusableError(f"the embedder is not adopted: {'; '.join(comparison.reasons)}")
    if digest_of_weights(weights) != digest:
        raise ModelUnusableError("the weights changed while they were measured")
    kept = Adopted(
        weights=digest,
        golden=comparison.tuned.golden,
        golden_digest=comparison.tuned.golden_digest,
        bundle=comparison.tuned.searchable.bundle,
        before=comparison.today.searchable.embedder,
        figures=comparison.tuned.figures,
        figures_before=comparison.today.figures,
    )
    file = weights.with_name(f"{weights.name}{ADOPTED}")
    file.write_text(json.dumps(kept.model_dump(mode="json"), indent=1, sort_keys=True) + "\n")
    return file


def require_adopted(weights: Path) -> Adopted:
    """
    What an embedder of the bank's own was adopted with.

    Raises:
        ModelUnusableError: it was not adopted, or is another than the one that was.
    """
    try:
        kept = Adopted.model_validate_json(weights.with_name(f"{weights.name}{ADOPTED}").read_bytes())
    except (OSError, ValidationError) as error:
        raise ModelUnusableError(
            f"the embedder {weights.name} was not adopted: `ctxgate kb tune --adopt` measures it"
        ) from error
    if kept.weights != digest_of_weights(weights):
        raise ModelUnusableError(f"the embedder {weights.name} is another than the one that was adopted")
    return kept


def as_document(comparison: EmbedderComparison, adopted: Path | None) -> dict[str, object]:
    """A comparison as JSON."""
    return {
        "today": {"searchable": asdict(comparison.today.searchable), "figures": comparison.today.figures},
        "tuned": {"searchable": asdict(comparison.tuned.searchable), "figures": comparison.tuned.figures},
        "worse": comparison.moved.worse,
        "reasons": comparison.reasons,
        "adopted": str(adopted) if adopted else None,
    }

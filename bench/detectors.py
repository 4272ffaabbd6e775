"""
How well and how fast the detectors see, on labelled sets that are not in this repository.

    python -m bench.detectors --sets FOLDER [--write] [--quick]

Personal data: precision, recall and F2 per entity and jurisdiction, in prose and in JSON, with Wilson intervals, and the
share of id-like negatives that is flagged; Presidio as it comes on the same texts.  Injection: recall at 0.5, 1 and 3 %
false positives on documents, per source and per disguise.  Speed: CPU time at 100, 500 and 1,500 tokens per profile, and
spaCy's NER alone.  `--write` makes docs/detectors.md and its plots.
"""

import argparse
import json

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from adapters.screening.injection.detector import scan as scan_injection
from adapters.screening.presidio.engine import scan as scan_pii
from bench.curves import plot_curves
from bench.detectors_speed import MODEL, speed, table
from gateway.content.json_offsets import values
from gateway.content.leaves import leaves_and_names
from gateway.model import Finding
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from gateway.workbench.scan import ScanLimits
from tests.adapters.screening.make_labelled import disguises

DOCUMENTS: Final = frozenset({"benign_doc", "benign_email"})
RATES: Final = (0.005, 0.01, 0.03)

Spans = Sequence[tuple[str, int, int]]


def main() -> None:
    """Measure, print, and write the page if asked."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sets", type=Path, required=True, help="folder with the labelled sets")
    asked.add_argument("--write", action="store_true", help="write docs/detectors.md and its plots")
    asked.add_argument("--only-speed", action="store_true", help="the figures on speed alone")
    asked.add_argument("--quick", action="store_true", help="every eighth text")
    chosen = asked.parse_args()
    if chosen.only_speed:
        print(speed())
        return
    step = 8 if chosen.quick else 1
    limits = ScanLimits.of(load_bundle(HOME / "policies"), "UNTRUSTED")
    sections = [
        personal_data(chosen.sets, limits, step),
        injection(chosen.sets, limits, step, plots=HOME / "docs" / "detectors" if chosen.write else None),
        speed(),
    ]
    page = "\n\n".join(sections)
    print(page)
    if chosen.write:
        head = (HOME / "bench" / "detectors.head.md").read_text()
        (HOME / "docs" / "detectors.md").write_text(f"{head}\n{page}\n")


def rows_of(path: Path, step: int) -> list[dict[str, Any]]:
    """The lines of a set, or every so many."""
    return [json.loads(line) for line in path.read_text().split("\n") if line][::step]


def found_in(text: str, profile: str, limits: ScanLimits) -> Spans:
    """What policy would act on, placed in the text."""
    parts = leaves_and_names(text)
    [findings] = scan_pii([parts], profile, MODEL)
    places = values(text) if any(finding.path for finding in findings) else {}
    return [_placed(finding, places) for finding in findings if limits.act_on(finding)]


def _placed(finding: Finding, places: Mapping[str, Any]) -> tuple[str, int, int]:
    if not finding.path:
        return finding.type, finding.start, finding.end
    return (finding.type, *places[finding.path].span(finding.start, finding.end))


class Tally:
    """Hits, misses and false alarms by key."""

    def __init__(self) -> None:
        self.hits: Counter[Any] = Counter()
        self.misses: Counter[Any] = Counter()
        self.alarms: Counter[Any] = Counter()

    def add(self, found: Spans, wanted: Spans, key: Callable[[str], Any]) -> None:
        """Count one text; a finding is right if its type is and it overlaps."""
        for entity, start, end in wanted:
            hit = any(name == entity and first < end and last > start for name, first, last in found)
            (self.hits if hit else self.misses)[key(entity)] += 1
        for name, first, last in found:
            if not any(name == entity and first < end and last > start for entity, start, end in wanted):
                self.alarms[key(name)] += 1

    def row(self, key: Any) -> list[str]:
        """Number, precision, recall with its interval, F2."""
        hits, wanted = self.hits[key], self.hits[key] + self.misses[key]
        precision = hits / max(1, hits + self.alarms[key])
        recall = hits / max(1, wanted)
        f2 = 5 * precision * recall / max(1e-9, 4 * precision + recall)
        low, high = wilson(hits, wanted)
        return [str(wanted), f"{precision:.2f}", f"{recall:.3f} ({low:.2f} to {high:.2f})", f"{f2:.2f}"]


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def _by_form(form: str, entity: str) -> tuple[str, ...]:
    return entity, form


def personal_data(sets: Path, limits: ScanLimits, step: int) -> str:
    """The section on personal data."""
    rows = rows_of(sets / "pii_apac_dev.jsonl", step)
    ours, as_it_comes = Tally(), presidio_as_it_comes()
    negatives, flagged, theirs_flagged = 0, 0, 0
    for row in rows:
        wanted = [(span["entity_type"], span["start"], span["end"]) for span in row["spans"]]
        found = found_in(row["text"], "pii/full", limits)
        form = "JSON" if row["text"].lstrip().startswith("{") else "prose"
        ours.add(found, wanted, partial(_by_form, form))
        if row["kind"] == "neg":
            negatives += 1
            flagged += bool(found)
            theirs_flagged += bool(as_it_comes(row["text"]))
    keys = sorted({*ours.hits, *ours.misses} - {("ADDRESS", "prose"), ("ADDRESS", "JSON")})
    lines = [[*key, *ours.row(key)] for key in keys]
    low, high = wilson(flagged, negatives)
    return "\n".join(
        [
            "## Personal data: six jurisdictions",
            "",
            table(["Entity", "Form", "n", "Precision", "Recall (95 %)", "F2"], lines),
            "",
            (
                f"Id-like negatives flagged: {flagged} of {negatives} ({low:.1%} to {high:.1%}); Presidio as it comes, patterns "
                f"alone: {theirs_flagged}."
            ),
            "",
            general(sets, limits, step, as_it_comes),
        ]
    )


def general(sets: Path, limits: ScanLimits, step: int, as_it_comes: Callable[[str], Spans]) -> str:
    """General English: ours beside Presidio's own patterns."""
    kinds = {"EMAIL_ADDRESS", "CREDIT_CARD", "IBAN_CODE", "PHONE_NUMBER", "IP_ADDRESS", "US_SSN", "PERSON"}
    ours, theirs = Tally(), Tally()
    for row in json.loads((sets / "pii_presidio_dev.json").read_text())[::step]:
        wanted = [
            (span["entity_type"], span["start_position"], span["end_position"])
            for span in row["spans"]
            if span["entity_type"] in kinds
        ]
        ours.add([one for one in found_in(row["full_text"], "pii/full", limits) if one[0] in kinds], wanted, str)
        theirs.add([one for one in as_it_comes(row["full_text"]) if one[0] in kinds], wanted, str)
    lines = [[key, *ours.row(key), theirs.row(key)[3]] for key in sorted({*ours.hits, *ours.misses})]
    head = ["Entity", "n", "Precision", "Recall (95 %)", "F2", "F2, Presidio's patterns"]
    return "## Personal data: general English\n\n" + table(head, lines)


def presidio_as_it_comes() -> Callable[[str], Spans]:
    """Presidio with its default recognizers and no model for names."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry  # noqa: PLC0415 - loads much
    from presidio_analyzer.nlp_engine import NoOpNlpEngine  # noqa: PLC0415

    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    registry.remove_recognizer("SpacyRecognizer")
    from adapters.screening.presidio.recognizers import OfflineEmailRecognizer  # noqa: PLC0415

    registry.remove_recognizer("EmailRecognizer")  # it would fetch a list from a host
    registry.add_recognizer(OfflineEmailRecognizer())
    engine = AnalyzerEngine(
        registry=registry,
        nlp_engine=NoOpNlpEngine([{"lang_code": "en", "model_name": ""}]),
        supported_languages=["en"],
        default_score_threshold=0.4,
    )
    skipped = {"URL", "DATE_TIME"}

    def scan(text: str) -> Spans:
        found = engine.analyze(text, "en")
        return [(one.entity_type, one.start, one.end) for one in found if one.entity_type not in skipped]

    return scan


def injection(sets: Path, limits: ScanLimits, step: int, *, plots: Path | None) -> str:
    """The section on injected instructions."""
    rows = rows_of(sets / "injection_dev.jsonl", step)
    scores: dict[tuple[str, int, str], list[float]] = defaultdict(list)
    clean: list[float] = []
    for row in rows:
        score = score_of(row["text"])
        scores[row["source"], row["label"], row["kind"]].append(score)
        if row["kind"] in DOCUMENTS:
            clean.append(score)
    cuts = [float(np.quantile(clean, 1 - rate)) for rate in RATES]
    lines = [
        [
            source,
            kind,
            "attack" if label else "clean",
            str(len(some)),
            *(f"{share(some, cut):.2f}" for cut in cuts),
            interval(some, cuts[1]),
        ]
        for (source, label, kind), some in sorted(scores.items())
    ]
    attacks = [row["text"] for row in rows if row["source"] == "lakera/gandalf"][:60]
    disguised = disguised_shares(attacks, cuts[1])
    if plots is not None:
        plot_curves(scores, clean, plots)
    head = ["Source", "Kind", "Label", "n", *(f"at {rate:.1%}" for rate in RATES), "95 % at 1 %"]
    flagged = share(clean, limits.injection)
    return "\n".join(
        [
            "## Injected instructions",
            "",
            "The share that is flagged where 0.5, 1 and 3 % of the clean documents are.",
            (
                "The calibration was fitted on these sets, so these are not held-out figures; those with sources left out are in "
                "`adapters/injection/calibration.json`."
            ),
            "",
            table(head, lines),
            "",
            f"At the shipped threshold ({limits.injection}) {flagged:.1%} of the clean documents are flagged.",
            "",
            "### Disguises",
            "",
            table(["Disguise", "Share flagged at 1 %"], disguised),
            *(["", "![Recall against false positives](detectors/injection.png)"] if plots else []),
        ]
    )


def disguised_shares(attacks: Sequence[str], cut: float) -> list[list[str]]:
    """How many of some attacks are flagged in each disguise, inside a carrier of prose."""
    carrier = (
        "Minutes of the credit committee. Two facilities mature in the third quarter. {attack} The relationship manager "
        "presents the options at the next meeting."
    )
    by_name: dict[str, list[float]] = defaultdict(list)
    for attack in attacks:
        for name, text in disguises(attack).items():
            by_name[name].append(score_of(carrier.replace("{attack}", text)))
    return [[name, f"{share(some, cut):.2f}"] for name, some in sorted(by_name.items())]


def score_of(text: str) -> float:
    """The highest score of any sign of injection."""
    [findings] = scan_injection([leaves_and_names(text)], "")
    return max((finding.score for finding in findings), default=0.0)


def share(scores: Sequence[float], cut: float) -> float:
    """How many lie above a cut."""
    return sum(score > cut for score in scores) / max(1, len(scores))


def interval(scores: Sequence[float], cut: float) -> str:
    """The Wilson interval of that share."""
    low, high = wilson(sum(score > cut for score in scores), len(scores))
    return f"{low:.2f} to {high:.2f}"


if __name__ == "__main__":
    main()

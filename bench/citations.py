"""
How well lexical support tells what a source says from what it does not, by threshold: on the claims that the method was made
looking at, and on those that it was not.

    python -m bench.citations [--mistakes]
"""

import json
import sys

from pathlib import Path

import yaml

from gateway.citations.support import support
from gateway.settings import HOME

THRESHOLD = yaml.safe_load((HOME / "policies/context/grounding/data.yaml").read_text())["supported_from"]
DATA = Path(__file__).with_name("data")
SETS = {
    "seen": DATA / "claims.yaml",
    "held out": DATA / "claims.held_out.yaml",
    "records": DATA / "claims.records.yaml",
    "records held out": DATA / "claims.records.held_out.yaml",
}


def scored(path: Path) -> list[tuple[float, bool, str]]:
    """Every labelled claim of a set: its score, whether the passage says it, and its text."""
    passages = yaml.safe_load(path.read_text())
    return [
        (support(claim, passage["text"]), label == "says", claim)
        for passage in passages
        for label in ("says", "does_not")
        for claim in passage[label]
    ]


def measured(claims: list[tuple[float, bool, str]], threshold: float) -> dict[str, float]:
    """Precision and recall of MISATTRIBUTION: flagged is what scores below the threshold."""
    flagged = [says for score, says, _ in claims if score < threshold]
    wrong = sum(not says for says in flagged)
    all_wrong = sum(not says for _, says, _ in claims)
    kept = [says for score, says, _ in claims if score >= threshold]
    return {
        "threshold": threshold,
        "precision": round(wrong / max(len(flagged), 1), 3),
        "recall": round(wrong / all_wrong, 3),
        "false_alarms": round((len(flagged) - wrong) / (len(claims) - all_wrong), 3),
        "accepted_are_right": round(sum(kept) / max(len(kept), 1), 3),
    }


def main() -> None:
    """Print the tables, the mistakes at the shipped threshold, and the figures."""
    figures = {}
    for name, path in SETS.items():
        claims = scored(path)
        for row in (measured(claims, threshold / 100) for threshold in range(40, 91, 5)):
            print(f"{name}: ", "  ".join(f"{what} {value:.3f}" for what, value in row.items()))
        if "--mistakes" in sys.argv:
            for score, says, claim in claims:
                if (score >= THRESHOLD) is not says:
                    print(f"{score:.2f}  {'says' if says else 'does not say'}: {claim}")
        figures[name] = {"claims": len(claims), **measured(claims, THRESHOLD)}
    print(json.dumps({"bench": "citations", "figures": figures, "command": "python -m bench.citations"}))


if __name__ == "__main__":
    main()

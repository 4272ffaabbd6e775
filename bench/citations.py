"""How well lexical support tells what a source says from what it does not, on the labelled claims; by threshold."""

import json
import sys

from pathlib import Path

import yaml

from gateway.settings import HOME
from gateway.support import support

THRESHOLD = yaml.safe_load((HOME / "policies/context/grounding/data.yaml").read_text())["supported_from"]
CLAIMS = Path(__file__).with_name("data") / "claims.yaml"


def scored() -> list[tuple[float, bool, str]]:
    """Every labelled claim: its score, whether the passage says it, and its text."""
    passages = yaml.safe_load(CLAIMS.read_text())
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
    """Print the table, the mistakes at the shipped threshold, and the figures."""
    claims = scored()
    table = [measured(claims, threshold / 100) for threshold in range(40, 91, 5)]
    for row in table:
        print("  ".join(f"{name} {value:.3f}" for name, value in row.items()))
    shipped = THRESHOLD
    if "--mistakes" in sys.argv:
        for score, says, claim in claims:
            if (score >= shipped) is not says:
                print(f"{score:.2f}  {'says' if says else 'does not say'}: {claim}")
    figures = {"claims": len(claims), "at_shipped_threshold": measured(claims, shipped)}
    print(json.dumps({"bench": "citations", "figures": figures, "command": "python -m bench.citations"}))


if __name__ == "__main__":
    main()

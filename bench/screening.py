"""What screening costs on this machine beside the table that admission estimates by; prints the setting that compares them."""

import statistics
import time

from collections.abc import Callable
from typing import Final

from adapters.screening.costs import REFERENCE
from adapters.screening.injection.detector import scan as scan_injection
from adapters.screening.presidio.engine import FULL
from adapters.screening.presidio.engine import scan as scan_pii
from gateway.model.content import Leaf
from gateway.settings import HOME, Settings

CHARACTERS: Final = 20_000
ROUNDS: Final = 5


def texts() -> dict[str, str]:
    """A text of each kind that the estimate tells apart."""
    prose = (HOME / "bench" / "detectors.prose.txt").read_text()
    kinds = {
        "English prose": prose,
        "numbers": "12 345 6789 ",
        "Chinese": "客户的风险报告和投资建议合同条款",
        "signs": "!?.,;:-+*/",
    }
    return {name: (text * (CHARACTERS // len(text) + 1))[:CHARACTERS] for name, text in kinds.items()}


def measured(act: Callable[[str], object], text: str) -> float:
    """Processor seconds, the median; another text every time, so that nothing is remembered."""
    took = []
    for number in range(ROUNDS):
        started = time.process_time()
        act(f"{number} {text}")
        took.append(time.process_time() - started)
    return statistics.median(took)


def main() -> None:
    """Print the table and the setting."""
    settings = Settings()
    model, encoder = settings.spacy_model, settings.injection_encoder
    ratios = []
    print(f"| {CHARACTERS:,} characters | Estimated, s | Measured, s |\n|---|---|---|")
    for name, text in texts().items():
        leaf = [Leaf(text)]
        scans: dict[str, tuple[Callable[[str], object], float]] = {
            FULL: (lambda one: scan_pii([[Leaf(one)]], FULL, model), REFERENCE.personal_data(leaf, names=True)),
            "injection": (lambda one: scan_injection([[Leaf(one)]], encoder), REFERENCE.injection(leaf, encoder=True)),
        }
        for screening, (scan, estimated) in scans.items():
            scan("warm")
            took = measured(scan, text)
            ratios.append(estimated / took)
            print(f"| {name}, {screening} | {estimated:.2f} | {took:.2f} |")
    # The dearest kind for its estimate sets the pace: what is admitted must be done in time.
    print(f"\nCTXGATE_SCREENING_SPEED={min(ratios):.1f}")


if __name__ == "__main__":
    main()

"""Memory of a worker over a hundred thousand items; run by `make soak`."""

import os
import random
import string

from pathlib import Path

import pytest

from adapters.screening.injection.detector import OFF
from adapters.screening.injection.detector import scan as scan_injection
from adapters.screening.presidio.engine import scan
from gateway.model.content import Leaf
from tests.support.screening import MODEL

ITEMS = int(os.environ.get("CTXGATE_SOAK_ITEMS", "100000"))


def resident_megabytes():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.soak
def test_memory_stays_flat():
    """
    Texts of words never seen before leave nothing behind: from a fifth of the way on, memory grows by less than 40 MB.
    """
    pick = random.Random(7)
    start = 0.0
    for number in range(ITEMS):
        words = ["".join(pick.choices(string.ascii_lowercase, k=8)).capitalize() for _ in range(8)]
        leaf = Leaf(f"{' '.join(words)} met Ann Lee about order {number}.")
        scan([[leaf]], "pii/full", MODEL)
        scan_injection([[leaf]], OFF)
        if number == ITEMS // 5:
            start = resident_megabytes()
    grown = resident_megabytes() - start
    print(f"{ITEMS} items: {start:.0f} MB, then {grown:+.1f} MB")
    assert grown < 40

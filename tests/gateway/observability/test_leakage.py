"""The second opinion on jurisdictions: what it objects to, and that it knows nothing of what it checks."""

import ast
import itertools

import pytest

from gateway.observability import leakage
from gateway.observability.leakage import leaks
from gateway.settings import HOME

EVERYWHERE = "GLOBAL"
PLACES = ["SG", "HK", "IN", "TW", "ID", "AU"]


def pack(*places):
    items = [{"id": f"{n}", "provenance": {"jurisdiction": place}} for n, place in enumerate(places)]
    return {"sections": [{"items": items[:1]}, {"items": items[1:]}]}


def test_only_what_request_and_person_share_or_what_applies_everywhere():
    """
    Over every request, person and item: an item passes where both name its jurisdiction, or it applies everywhere.
    """
    some = [combination for size in (0, 1, 2) for combination in itertools.combinations(PLACES, size)]
    for asked, person, place in itertools.product(some, some, [*PLACES, EVERYWHERE]):
        fits = place == EVERYWHERE or (place in asked and place in person)
        assert leaks(pack(place), asked, person) == ([] if fits else ["0"]), (asked, person, place)


@pytest.mark.parametrize("place", [None, "XX", "", "sg"])
def test_what_the_table_does_not_know_has_no_place(place):
    """
    An item of no jurisdiction, or of one that the table lacks, is objected to, whatever request and person name.
    """
    assert leaks(pack("SG", place, "SG"), ["SG", place], ["SG", place]) == ["1"]


def test_global_is_no_jurisdiction_that_opens_others():
    """
    A request for what applies everywhere opens no jurisdiction.
    """
    assert leaks(pack("SG"), [EVERYWHERE], [EVERYWHERE]) == ["0"]


def test_it_is_independent_and_short():
    """
    It imports nothing of the gateway, so that no fault of the engine is its fault too, and is short enough to be read at once.
    """
    text = (HOME / "gateway/observability/leakage.py").read_text()
    imported = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imported for alias in node.names} | {
        node.module for node in imported if isinstance(node, ast.ImportFrom)
    }
    assert not [name for name in names if name.startswith(("gateway", "adapters", "ledger"))]
    assert len(text.splitlines()) <= 40
    assert leakage.leaks is leaks

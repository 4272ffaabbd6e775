"""Which tables are read, and where."""

from gateway.policy.vetting.reads import reads_of
from tests.support.bundles import SHIPPED


def test_tables_are_known_with_the_places_where_rules_read_them():
    """
    A table is known with one place for each rule that reads it, and comments and texts read nothing.
    """
    reads = reads_of(SHIPPED)
    places = reads.keys["jurisdiction"]["jurisdictions"]

    assert {place.file for place in places} >= {"context/jurisdiction/jurisdiction.rego"}
    assert len(places) == len({(place.file, place.line) for place in places})
    for place in places:
        line = SHIPPED.modules[place.file].split("\n")[place.line - 1]
        assert "data.context.jurisdiction.jurisdictions" in line


def test_rules_of_an_area_are_told_from_its_tables():
    """
    What a rule makes is read like a table and is none.
    """
    reads = reads_of(SHIPPED)

    assert "permit" in reads.rules["trust"]
    assert "permit" in reads.keys["trust"]
    assert "trust" not in reads.whole

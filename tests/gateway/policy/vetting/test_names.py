"""Which entries of tables are names, and what is meant by one that names nothing."""

import pytest

from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.names import NAMED, named, vocabulary
from tests.support.bundles import SHIPPED


def test_every_kind_of_name_has_a_vocabulary():
    """
    No entry is compared with nothing: each kind of name that is declared is known of the shipped bundle.
    """
    assert {*NAMED.values()} <= vocabulary(SHIPPED).keys()


def test_the_shipped_tables_are_named_by_most_patterns():
    """
    A path that leads nowhere would check nothing: all but those that are empty as shipped find a name.
    """
    empty = {"across_sessions", "release_modes", "tenants", "corpora", "agents", "archetypes"}
    found = {kind for *_, kind in named(SHIPPED.data)}
    assert found == {*NAMED.values()}
    paths = {path[:3] for path, *_ in named(SHIPPED.data)}
    for pattern in NAMED:
        steps = pattern.split("/")
        assert tuple(steps[:3]) in paths or "*" in steps[:3] or "@" in steps[:3] or empty & {*steps}, pattern


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("npa", "Did you mean NPA?"),
        ("NAP", "Did you mean NPA?"),
        ("DESKS", "Did you mean DESK?"),
        (7, "There are DESK, NPA."),
    ],
)
def test_what_was_meant(name, said):
    """
    Another case, letters in another order and a letter too many are told; else what there is.
    """
    assert hint(name, {"NPA", "DESK"}) == said
    assert hint(name, ()) == "There is none."

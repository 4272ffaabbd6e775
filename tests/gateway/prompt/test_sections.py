"""The one table of sections."""

from collections import Counter
from typing import get_args

import pytest

from gateway.model.base import Section
from gateway.prompt.sections import FACTS, SECTIONS, by_section


def test_every_section_is_in_the_table_once():
    """
    No kind of item is without a layer, an order and a reason.
    """
    assert Counter(section.name for section in SECTIONS) == Counter(get_args(Section))
    assert {section.layer for section in SECTIONS} <= {"L1", "L3", "L4", "L5"}


@pytest.mark.parametrize(
    ("weight", "said"), [(0.6, "by 0.6 relevance and 0.4 authority"), (0.75, "by 0.75 relevance and 0.25")]
)
def test_the_reason_follows_the_table_of_budgets(weight, said):
    """
    What a pack says of its ranking is the weight that the budget table sets, not one that the code remembers.
    """
    assert FACTS["knowledge"].selected(weight).startswith(said)
    assert FACTS["task"].selected(weight) == "in the order given"


def test_items_come_in_the_order_of_a_pack():
    """
    Sections come in the table's order, items of one section in their own, and empty sections not at all.
    """
    found = by_section([("user", 1), ("knowledge", 2), ("system", 3), ("knowledge", 4)])
    assert [(section.name, items) for section, items in found] == [
        ("system", [3]),
        ("knowledge", [2, 4]),
        ("user", [1]),
    ]

"""Which rules have a part in an answer."""

import pytest

from gateway.knowledge.reading.reachable import reachable, scalars
from gateway.policy.bundle import Bundle

AREA = "package context.area\n\npermit if helper\n\nhelper if data.context.area.table.on\n\nunasked if input.x\n"


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("p if data.context.area.permit", {"p", "permit", "helper"}),
        ("import data.context.area\n\np if area.permit", {"p", "permit", "helper"}),
        ("import data.context.area as other\n\np if other.helper", {"p", "helper"}),
        ("p if data.context[input.x].helper", {"p", "helper"}),
        ("p if data.context.area == {}", {"p", "permit", "helper", "unasked"}),
        ("p if q(1)\n\nq(x) if data.context.area.helper", {"p", "q", "helper"}),
        ("p if true", {"p"}),
    ],
)
def test_rules_are_followed_by_whatever_names_them(entry, found):
    """
    A rule counts that is named by its path, an import, a call, a computed name or as part of a whole.
    """
    modules = {"context/context.rego": f"package context\n\n{entry}\n", "context/area/area.rego": AREA}
    reached = reachable(Bundle(revision="r", modules=modules, data={}, checks={}), ("context", "p"))
    assert {name for _, name in reached.found} == found


def test_what_stands_in_a_table():
    """
    Texts and numbers are found at any depth, names of rows among them, and nothing that is neither.
    """
    data = {"a": {"b": {"x": [1, "one", None, True]}, "c": 7}}
    assert set(scalars(data, {("a", "b")})) == {"x", 1, "one"}
    assert set(scalars(data, {("nowhere",)})) == set()

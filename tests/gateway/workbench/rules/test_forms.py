"""What may not be written is told with its place, whichever way it is written."""

import pytest

from gateway.policy.rego.parse import parse
from gateway.policy.rego.reader import modules
from gateway.workbench.rules.forms import forms
from tests.support.bundles import SHIPPED

_FORBIDDEN = {
    "p if {\n\tx := input.x\n\tx > 3\n}": (4, 2, "given a name"),
    "p if x := input.x": (3, 6, "given a name"),
    "p if {\n\tx := f(1); x\n}": (4, 2, "given a name"),
    "p if q with input as {}": (3, 8, "`with`"),
    "p[k] := v if some k, v in input.x": (3, 1, "table with keys"),
    "p[k] contains v if some k, v in input.x": (3, 1, "table with keys"),
    "p[k] if some k in input.x": (3, 1, "table with keys"),
    "p := [x.y | some x in input.xs]": (3, 6, "may be missing: `x.y`"),
    "p := {f(x) |\n\tsome x in input.xs\n}": (3, 6, "may be missing: `f(x)`"),
    "p if http.send({})": (3, 6, "`http.send`"),
    "p if {\n\ttrue\n\ttime.now_ns() > 3\n}": (5, 2, "`time.now_ns`"),
    "p if net.lookup_ip_addr(input.x)": (3, 6, "`net.lookup_ip_addr`"),
    'p if rand.intn("x", 3) == 1': (3, 6, "`rand.intn`"),
    'p if strings.count("a", "b") == 1': (3, 6, "`strings.count`"),
    "p if not {1}": (3, 6, "`not { … }`"),
    "default f(x) := 3\n\nf(x) := x": (3, 1, "default f"),
    "default p := [x | some x in input.xs]": (3, 1, "default p"),
    "p if data.context[input.x].permit": (3, 6, "not written out"),
    'p if data["context"].x': (3, 6, "not written out"),
    "p if some x in data.context": (3, 16, "not written out"),
    "p if count(deny) == 0": (3, 6, "counting refusals"),
    "p if 0 == count(data.context.pii.deny)": (3, 6, "counting refusals"),
    "p if count(deny) < 1": (3, 6, "counting refusals"),
    "p if every x in input.xs { data.t[x] }": (3, 28, "within `every`"),
    "p if every x in input.xs {\n\tnot input.m[x]\n}": (4, 6, "within `every`"),
    "p if every i, x in input.xs {\n\tcount([1 | input.xs[i] == x]) == 1\n}": (4, 13, "within `every`"),
}


@pytest.mark.parametrize(("text", "told"), _FORBIDDEN.items())
def test_forbidden_form_is_told_with_its_place(text, told):
    """
    Over one line or several, in a rule or within a list: the form is found, in the words of its rule.
    """
    line, column, words = told
    found = list(forms(parse("m.rego", f"package a\n\n{text}\n")))

    assert [(one.place.line, one.place.column) for one in found if words in one.message] == [(line, column)]
    assert all(one.hint for one in found)


@pytest.mark.parametrize(
    "text",
    [
        'p if {\n\tx := "http.send"\n\tx\n}',
        "p if {\n\tx := [1]\n\tx\n}",
        "# not { http.send }\np := 3",
        "p := [x | some y in input.ys; some x in [y.z]]",
        "p := {k: v.x | some k, v in input.xs}",
        'p := "data.context[x]"',
        "p if data.context.pii.table[input.x]",
        "p if count(input.rows) == 0",
        "default p := {}",
        "p if every x in input.xs {\n\t_ok(x)\n\tx.name in input.names\n\tdata.context.pii.table[input.x]\n}",
    ],
)
def test_what_only_looks_like_it_is_allowed(text):
    """
    Texts, comments and harmless forms are not taken for what they resemble.
    """
    assert not list(forms(parse("m.rego", f"package a\n\n{text}\n")))


def test_shipped_rules_use_none():
    """
    The shipped rules keep to what they tell others to keep to.
    """
    for name, module in modules(SHIPPED).items():
        assert name.startswith("context/batch/") or not list(forms(module))

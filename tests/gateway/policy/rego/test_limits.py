"""What would cost more to read than its length says is refused first."""

import pytest

from gateway.errors import RegoTooDeepError
from gateway.policy.rego.limits import DEEPEST, require_readable
from tests.support.bundles import SHIPPED
from tests.support.effort import Effort

_DEEP = {
    "names after dots": "p := a" + ".b" * 200,
    "sums": "p := 1" + " + 1" * 200,
    "sums over lines": "p := 1" + "\n+1" * 200,
    "sums over lines, signs at their end": "p := 1" + " + # more\n 1" * 200,
    "keys in brackets": "p := a" + "[0]" * 200,
    "brackets in brackets": "p := " + "[" * 200 + "]" * 200,
    "chains in brackets of chains": "p := " + ("a.b.c.d.e.f.g.h.i.j[" * 12) + "x" + "]" * 12,
    "members in members": "p := a" + " in a" * 200,
    "many chains that may each be read": "\n".join(["p := a" + ".b" * 90] * 2_000),
}


@pytest.mark.parametrize("text", _DEEP.values(), ids=_DEEP.keys())
def test_what_is_deep_is_refused(text):
    """
    Whatever makes a tree deep, or a great many deep trees, is refused with its line.
    """
    with pytest.raises(RegoTooDeepError, match=r"^m\.rego:\d+: "):
        require_readable("m.rego", f"package a\n{text}\n")


def test_shipped_rules_and_long_modules_are_read():
    """
    Length alone is no reason: the shipped rules, and ten thousand lines that are each plain, may be read.
    """
    for name, text in SHIPPED.modules.items():
        require_readable(name, text)
    require_readable("m.rego", "package a\n" + "p if input.x.y.z == 3\n\n" * 10_000)
    require_readable("m.rego", 'package a\np := "' + "." * 5_000 + '"\n# ' + "." * 5_000 + "\n")
    require_readable("m.rego", "package a\np := a" + ".b" * (DEEPEST - 10) + "\n")


def test_counting_is_linear():
    """
    Half a megabyte of anything is counted in the time of a few passes.
    """
    for text in ("{" * 50, "a.", "\n", " \n ", '"', "#", "1 +\n", "`", "[0]", "in "):
        whole = text * (400_000 // len(text))
        Effort().within(60, lambda whole=whole: _counted(whole))


def _counted(text):
    try:
        require_readable("m.rego", text)
    except RegoTooDeepError:
        return

from adapters.policy.proving import Builtins
from gateway.workbench.proving.formulas.builtins import called
from gateway.workbench.proving.formulas.terms import TRUE, some_text
from gateway.workbench.proving.formulas.values import NULL, Known, Obscure, Text, Truth

ZONE = Text(some_text("zone"))


def test_the_engine_says_what_a_builtin_gives_for_what_is_known():
    """Nothing of a builtin is written a second time where its arguments are known."""
    ground = Builtins()
    (one,) = called("trim_suffix", (Known("aZ"), Known("Z")), ground)
    assert (one.guard, one.atom) == (TRUE, Known("a"))
    assert called("startswith", (NULL, Known("a")), ground) == []
    assert called("no.such", (Known(1),), ground) == []


def test_what_is_not_covered_may_be_anything_or_undefined():
    """A builtin that nothing is known of may give anything, and may give nothing."""
    (one,) = called("sprintf", (ZONE, Known([])), Builtins())
    assert isinstance(one.atom, Obscure)
    assert one.guard is not TRUE
    (one,) = called("is_string", (ZONE,), Builtins())
    assert one.atom == Truth(TRUE)

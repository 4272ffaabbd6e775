from gateway.workbench.proving.formulas.renaming import fresh, renamed
from gateway.workbench.proving.formulas.terms import Index, equal, some_text, text
from gateway.workbench.proving.formulas.values import YES, Alternative


def test_a_choice_is_kept_apart_from_one_around_it():
    """The same rule asked twice may choose two members."""
    index = Index(("list",), 0)
    one = Alternative(equal(some_text("list", index), text("HK")), YES, (index,))
    other = renamed(one, {index})
    assert other.binders == (Index(("list",), 1),)
    assert other.guard is equal(some_text("list", other.binders[0]), text("HK"))
    assert renamed(one, ()) is one
    assert fresh(("list",), {index}).number == 1

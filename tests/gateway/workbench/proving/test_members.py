from gateway.workbench.proving.formulas.terms import Index, equal, exists, term, text
from gateway.workbench.proving.members import member_for, said_of

AT = Index(("items",), 0)


def says(word):
    return exists([AT], equal(term("some_text", "items", AT), text(word)))


def test_a_formula_has_one_member_wherever_it_is_asked():
    """The same formula has the same member in every question, and another formula has another."""
    one, other = says("a"), says("b")
    assert member_for(one) == member_for(says("a")) != member_for(other)
    assert member_for(one).path == ("items",)


def test_what_is_said_of_a_member_is_what_the_formula_says():
    """The member stands in the place of any member, and nothing else is changed."""
    one = says("a")
    member = member_for(one)
    assert said_of(one, member) is equal(term("some_text", "items", member), text("a"))
    assert said_of(one, member).free == {member}

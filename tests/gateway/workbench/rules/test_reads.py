"""Names that nothing stands behind are told, with the one that was meant."""

import pytest

from gateway.policy.rego.parse import parse
from gateway.workbench.rules.reads import never_stated, never_told

_TOLD = {
    "p if input.item.juristiction == 3": ("input.item.juristiction", "Did you mean jurisdiction?"),
    "p if input.itme.x": ("input.itme", "Did you mean item?"),
    'p if input["itme"].x': ("input.itme", "Did you mean item?"),
    "p if {\n\tsome f in input.findings\n\tinput.findings[_].scoer > f\n}": (
        "input.findings._.scoer",
        "Did you mean score?",
    ),
    "p if input.subject.role.x.y": None,
    "p if input.item.attestation.issuer": None,
}


@pytest.mark.parametrize(("text", "told"), _TOLD.items())
def test_a_field_that_no_question_tells(text, told):
    """
    A misspelt field is told at any depth, also of rows of a list; one that is told is not.
    """
    found = list(never_told(parse("m.rego", f"package a\n{text}\n")))

    if told is None:
        assert not found
    else:
        assert [f"`{told[0]}`" in one.message and told[1] in one.hint for one in found] == [True]


def test_a_field_that_only_other_questions_tell():
    """
    A rule that is asked before an item is screened hears that its question tells no findings.
    """
    module = parse("m.rego", "package a\np if input.findings\n")

    assert not list(never_told(module))
    assert not list(never_told(module, ["admit", "release"]))
    assert len(list(never_told(module, ["admit"]))) == 1


def test_a_statement_that_nobody_made():
    """
    A name that no rule has is told with the one that was meant; variables, arguments and imports are none.
    """
    text = (
        "package a\nimport data.x.y as z\n\npermit if {\n\twithin_requestor\n\tnot knwon\n}\n\nwithin_requester if z.q\n\n"
        "known if {\n\tsome row in input.items\n\trow.id == 3\n\titem.x\n}\n\nf(arg) := arg.x if arg\n"
    )
    found = {one.message.split("`")[3]: one for one in never_stated(parse("m.rego", text))}

    assert found.keys() == {"within_requestor", "knwon", "item"}
    assert "Did you mean within_requester?" in found["within_requestor"].hint
    assert (found["knwon"].place.line, found["knwon"].place.column) == (6, 6)


def test_statements_of_the_package_in_another_file():
    """
    What another file of the same package states is stated.
    """
    one, other = parse("m.rego", "package a\np if q\n"), parse("n.rego", "package a\nq := true\n")

    assert list(never_stated(one))
    assert not list(never_stated(one, [other]))

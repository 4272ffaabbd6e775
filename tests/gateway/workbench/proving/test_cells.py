from pydantic import TypeAdapter

from gateway.policy.entrypoints import ADMIT
from gateway.workbench.proving.cells import cells_of
from gateway.workbench.proving.formulas.inputs import InputSchema
from gateway.workbench.proving.formulas.terms import below, equal, number, some_number, some_text, text


def test_a_fact_is_divided_by_what_the_rules_compare_it_with():
    """Of a text the known ones and any other; of a number what is below, at and above each figure; and nothing."""
    schema = InputSchema(TypeAdapter(ADMIT.input).json_schema())
    schema.field(schema.everything(), "item")
    role, age = some_text("subject", "role"), some_number("item", "age_seconds", whole=True)
    cells = cells_of(schema, [equal(role, text("coo")), below(age, number(300))])
    assert [cell.label for cell in cells["subject.role"]] == ["coo", "any other"]
    assert [cell.label for cell in cells["item.age_seconds"]] == ["less than 300", "300", "more than 300", "nothing"]

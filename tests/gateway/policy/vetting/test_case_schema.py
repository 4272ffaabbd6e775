"""What a case may say of an input."""

from gateway.policy.entrypoints import ENTRYPOINTS
from gateway.policy.vetting.case_schema import NAMED_FACTS, change_schema
from gateway.policy.vetting.names import vocabulary
from tests.support.bundles import SHIPPED


def test_it_has_every_fact_that_a_question_tells():
    """
    Whatever a rule may be told can be changed by a case, and taken away.
    """
    told = {name for entrypoint in ENTRYPOINTS for name in entrypoint.input.__annotations__}
    schema = change_schema()
    assert told <= schema["properties"].keys()
    assert "required" not in schema
    waiting = [schema]
    while waiting:
        here = waiting.pop()
        assert here is schema or "null" in here["type"]
        waiting += [*here.get("properties", {}).values(), *([here["items"]] if "items" in here else [])]


def test_names_are_those_of_the_bundle():
    """
    A fact that names something is held to the words of the bundle; of departments the table of what they read has them.
    """
    item = change_schema()["properties"]["item"]["properties"]
    assert item["jurisdiction"]["x-names"] == "jurisdiction"
    assert change_schema()["properties"]["agent"]["properties"]["id"]["x-names"] == "agent"
    assert "x-names" not in item["owner"]
    assert {*NAMED_FACTS.values()} - {"department"} <= vocabulary(SHIPPED).keys()

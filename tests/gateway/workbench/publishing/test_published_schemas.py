"""Schemas as editors take them."""

import json

import pytest

from jsonschema_rs import Draft202012Validator

from gateway.policy.supply.tables import read_yaml
from gateway.workbench.publishing.published_schemas import published
from tests.support.bundles import POLICIES, SHIPPED

SCHEMAS = published(SHIPPED)
FILES = sorted([*POLICIES.glob("context/**/*.yaml"), *POLICIES.glob("registry/**/*.yaml")])
MODELINE = "# yaml-language-server: $schema="


def as_json(value):
    if isinstance(value, dict):
        return {str(name): as_json(member) for name, member in value.items()}
    return [as_json(member) for member in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(POLICIES).as_posix())
def test_every_file_names_its_schema_and_fits_it(path):
    """
    Each table and each file of cases says in its first line which schema an editor holds it to, and fits it.
    """
    first = path.read_text().split("\n")[0]
    assert first.startswith(MODELINE)
    schema = (path.parent / first.removeprefix(MODELINE)).resolve()
    document = as_json(read_yaml(path.read_bytes()))
    for part in ("allowed", "refused"):
        if path.name == "cases.yaml":
            # What a case says is unknown on purpose an editor may mark.
            document[part] = [case for case in document.get(part) or () if "unknown" not in case]
    errors = Draft202012Validator(json.loads(schema.read_text())).iter_errors(document)
    assert [f"{error.instance_path}: {error.message}" for error in errors] == []


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("context/entitlement.json", {"clearance": {"coo": "RESTRCTED"}}),
        ("context/freshness.json", {"warn_after_percent": "80%"}),
        ("context/freshness.json", {"warn_after_precent": 80}),
        ("context/exceptions.json", {"granted": [{"expires": "31/12/2020"}]}),
        ("registry/agents.json", {"X": {"archetype": "worker", "domains": ["NPA"], "contract": "c"}}),
        ("registry/sources.json", {"X": {"kind": "ftp"}}),
        ("cases.json", {"area": "a", "allowed": [{"case": "x", "chnage": {}}], "nothing_known": {"codes": []}}),
        (
            "cases.json",
            {"area": "a", "allowed": [{"case": "x", "change": {"itme": {}}}], "nothing_known": {"codes": []}},
        ),
        ("cases.json", {"area": "a", "allowed": [], "nothing_known": {"codes": ["JUR-020"]}}),
        ("cases.base.json", {"item": {"domian": "NPA"}}),
        ("invariants.json", {"invariants": [{"id": "INV-001", "nevr": {}}]}),
        ("invariants.json", {"invariants": [{"never": {"item.domain": {"non_of": ["NPA"]}}}]}),
    ],
)
def test_what_an_editor_marks(name, table):
    """
    An editor marks a word that there is not, a number in quotes, a date that is none and a misspelt key before anybody runs a command.
    """
    missing = "required"
    marks = list(Draft202012Validator(SCHEMAS[name], validate_formats=True).iter_errors(table))
    assert name.startswith("registry/agents") or [one for one in marks if one.kind.name != missing]
    assert marks


def test_keys_are_ids():
    """
    An entry of the registry does not say its id again.
    """
    agents = SCHEMAS["registry/agents.json"]
    entry = agents["$defs"][agents["additionalProperties"]["$ref"].rpartition("/")[2]]
    assert "id" not in entry["properties"]
    assert "id" not in entry["required"]


def test_no_word_of_ours_is_left():
    """
    What is published is JSON Schema and nothing else.
    """
    assert "x-names" not in json.dumps(SCHEMAS)

"""The registry as a bundle brings it: whole, or refused with the table and the field."""

import shutil

import pytest
import yaml

from gateway.errors import BundleInvalidError
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.settings import HOME
from tests.support import records_bank


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(HOME / "policies", tmp_path / "policies")
    return tmp_path / "policies"


def test_the_shipped_one():
    """
    The registry that ships is whole: every agent has its own contract, and there is one of every archetype.
    """
    registry = registry_of(load_bundle(HOME / "policies"))
    assert all(registry.contracts[agent.contract].agent == name for name, agent in registry.agents.items())
    assert {"NPA", "ORM", "DESK", "DCE"} == set(registry.domains)
    assert {"orchestrator", "worker", "reviewer"} == {agent.archetype for agent in registry.agents.values()}


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("sources", "kind: directory", "kind: telex", "sources/sor-desk/kind"),
        ("sources", "location: desk", "", "has a location"),
        ("sources", "timeout_seconds: 0.5", "timeout_seconds: 0", "timeout_seconds"),
        ("agents", "domains: [NPA]", "domains: [MOON]", "unknown domain"),
        ("agents", "contract: RISK-1.1.0", "contract: CLASSIFIER-1.0.0", "of another agent"),
        ("contracts", "output_schema: ideation", "output_schema: nowhere", "unknown output nowhere"),
        ("agents", "contract: RISK-1.1.0", "contract: RISK-9", "unknown contract"),
        ("agents", "archetype: worker", "archtype: worker", "agents/IDEATION/archetype"),
        ("agents", "RISK: {", "RISK: [{", "cannot be read"),
        ("budgets", "reference_tokens:", "reference_tokns:", "budgets"),
        ("budgets", "sections: [knowledge]", "sections: [entity]", "two budgets"),
        ("budgets", "sections: [prior_result]", "sections: []", "prior_result stands in no budget"),
        ("vocabulary", "{name: knowledge,", "{name: annex,", "section knowledge is missing"),
        ("vocabulary", "layer: L5, in_order: true}", "layer: L6, in_order: true}", "vocabulary/sections/10/layer"),
        ("prompts", "sha256: ", "sha256: x", "prompts/prompts/0/sha256"),
        ("purposes", "routing: {", "risk_assessment: {", "stands twice"),
    ],
)
def test_a_mistake_is_named(folder, name, old, new, message):
    """
    A mistake in a table names where it is, and the bundle may not decide.
    """
    path = folder / "registry" / name / "data.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(BundleInvalidError, match=message):
        registry_of(load_bundle(folder))


def test_a_table_that_is_missing(folder):
    """
    A missing table is named, and so is a registry that is missing whole.
    """
    (folder / "registry/models/data.yaml").unlink()
    with pytest.raises(BundleInvalidError, match="registry/models"):
        registry_of(load_bundle(folder))
    shutil.rmtree(folder / "registry")
    with pytest.raises(BundleInvalidError, match="no registry"):
        registry_of(load_bundle(folder))


@pytest.mark.parametrize(
    ("tool", "query", "source", "message"),
    [
        ({"source": "nowhere"}, {}, {}, "unknown source nowhere"),
        ({"domains": ["MOON"]}, {}, {}, "unknown domain MOON"),
        ({"operation": "other"}, {}, {}, "no query of that name"),
        ({"arguments": {}}, {}, {}, "other arguments"),
        ({}, {"source": "nowhere"}, {}, "unknown source nowhere"),
        ({}, {"source": "sor-npa"}, {}, "no query of that name"),
        ({}, {"sql": "DROP TABLE projects"}, {}, "begins with SELECT"),
        ({}, {}, {"kind": "mcp"}, "is not pinned"),
        ({}, {}, {"kind": "openapi"}, "is not pinned"),
        ({}, {}, {"kind": "directory", "location": "x"}, "no tools are called"),
    ],
)
def test_a_tool_that_could_not_be_called_is_named(folder, tool, query, source, message):
    """
    Source, operation, arguments and pin of each tool are held against the other tables before a bundle may decide.
    """
    rows = {
        "sources": {"sor-records": {**records_bank.SOURCE, **source}},
        "tools": {"get_form_data": {**records_bank.TOOLS["get_form_data"], **tool}},
        "queries": {"form": {**records_bank.QUERIES["form"], **query}},
    }
    for table, more in rows.items():
        path = folder / "registry" / table / "data.yaml"
        path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **more}))
    with pytest.raises(BundleInvalidError, match=message):
        registry_of(load_bundle(folder))


def test_a_tool_that_agents_may_only_be_shown_needs_no_pin(folder):
    """
    What the gateway never calls may be a tool of any source.
    """
    shown = {**records_bank.TOOLS["get_form_data"], "source": "sor-desk", "result": None}
    (folder / "registry/tools/data.yaml").write_text(yaml.safe_dump({"get_form_data": shown}))
    assert registry_of(load_bundle(folder)).tools["get_form_data"].pin is None

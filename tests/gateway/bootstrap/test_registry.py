"""The registry as it is read from its folder: whole, or refused with the file and the field."""

import shutil

import pytest

from gateway.bootstrap.registry import load_registry
from gateway.errors import ConfigurationError
from gateway.settings import HOME


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(HOME / "registry", tmp_path / "registry")
    return tmp_path / "registry"


def test_the_shipped_one(folder):
    """
    The registry that ships is whole, and every agent has a domain and an active contract.
    """
    registry = load_registry(folder)
    assert all(registry.contracts[agent.contract].agent == name for name, agent in registry.agents.items())


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("sources.yaml", "kind: directory", "kind: telex", "sources.0.kind"),
        ("sources.yaml", "timeout_seconds: 0.5", "timeout_seconds: 0", "timeout_seconds"),
        ("agents.yaml", "agents:", "agnts:", "lacks a list"),
        ("agents.yaml", "agents:", "agents: [", "cannot be read"),
        ("budgets.yaml", "reference_tokens:", "reference_tokns:", "budgets"),
    ],
)
def test_a_mistake_is_named(folder, file, old, new, message):
    """
    A mistake in a table names where it is, and stops the gateway from starting.
    """
    path = folder / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ConfigurationError, match=message):
        load_registry(folder)


def test_an_id_that_stands_twice(folder):
    """
    Of two entries of one id none is quietly taken.
    """
    path = folder / "purposes.yaml"
    entry = next(line for line in path.read_text().splitlines() if "id: routing" in line)
    path.write_text(f"{path.read_text()}{entry}\n")
    with pytest.raises(ConfigurationError, match="twice"):
        load_registry(folder)


def test_a_file_that_is_missing(folder):
    """
    A missing file is named.
    """
    (folder / "models.yaml").unlink()
    with pytest.raises(ConfigurationError, match=r"models\.yaml"):
        load_registry(folder)


class TestRegistry:
    def test_every_shipped_entry(self):
        """
        The shipped registry is whole: agents name domains and contracts that exist.
        """
        registry = load_registry(HOME / "registry")
        assert {"NPA", "ORM", "DESK", "DCE"} == set(registry.domains)
        assert {"RISK", "MASTER_COO", "NPA_REVIEWER"} <= set(registry.agents)
        assert {"orchestrator", "worker", "reviewer"} == {agent.archetype for agent in registry.agents.values()}

    @pytest.mark.parametrize(
        ("name", "old", "new"),
        [
            ("agents", "domains: [NPA]", "domains: [MOON]"),
            ("agents", "contract: RISK-1.1.0", "contract: RISK-9"),
            ("agents", "id: RISK,", "id: CLASSIFIER,"),
            ("agents", "archetype: worker", "archtype: worker"),
            ("budgets", "sections: [knowledge]", "sections: [entity]"),
            ("models", "models:", "modles:"),
            ("purposes", "purposes:", "purposes: ]"),
        ],
    )
    def test_mistakes_are_named(self, tmp_path, name, old, new):
        """
        A mistake in the registry stops the start with the place.
        """
        for path in (HOME / "registry").iterdir():
            text = path.read_text()
            (tmp_path / path.name).write_text(text.replace(old, new, 1) if path.stem == name else text)
        with pytest.raises(ConfigurationError):
            load_registry(tmp_path)

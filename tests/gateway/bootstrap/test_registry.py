"""The registry: whole as it ships, and refused with the place of a mistake."""

import pytest

from gateway.bootstrap.registry import load_registry
from gateway.errors import (
    ConfigurationError,
)
from gateway.settings import HOME


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

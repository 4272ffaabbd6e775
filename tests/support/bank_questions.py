"""Questions about the bundled bank, drawn at random, by people of all roles: most of them may be asked, in part."""

from random import Random
from typing import Any

AGENTS = {
    "NPA": ["RISK", "GOVERNANCE", "AUTOFILL", "CLASSIFIER", "DOC_LIFECYCLE", "NPA_ORCHESTRATOR"],
    "ORM": ["ORM_ANALYST", "ORM_ORCHESTRATOR"],
    "DESK": ["DESK_ANALYST", "DESK_ORCHESTRATOR"],
    "DCE": ["DCE_ANALYST"],
}
DEPARTMENTS = {
    "NPA": ["RMG", "FINANCE", "LEGAL", "OPERATIONS", "COO", "AUDIT"],
    "ORM": ["RMG", "OPERATIONS", "COO", "AUDIT"],
    "DESK": ["DESK", "LEGAL", "COO", "AUDIT"],
    "DCE": ["OPERATIONS", "COO", "AUDIT"],
}
PURPOSES = {
    "NPA": ["risk_assessment", "governance_review", "classification", "document_check"],
    "ORM": ["incident_review"],
    "DESK": ["counterparty_review"],
    "DCE": ["general_research"],
}
TYPES = {"NPA": "project", "ORM": "incident", "DESK": "counterparty", "DCE": "client"}
ROLES = ["analyst", "checker", "approver", "coo", "admin"]
PLACES = ["SG", "HK", "IN", "TW", "ID", "AU"]


class Draw:
    """Draws questions about entities that there are, and now and then about others."""

    def __init__(
        self, random: Random, entities: dict[str, dict[str, list[str]]], planted: dict[str, list[str]]
    ) -> None:
        """
        Args:
            random: of a seed.
            entities: by domain and name, the jurisdictions of each entity.
            planted: by domain, the names of those that hold personal data or instructions: they are asked about more often.
        """
        self._random = random
        self._entities = entities
        self._planted = planted

    def question(self) -> dict[str, Any]:
        """A question, with who asks it."""
        draw = self._random
        domain = draw.choices(list(TYPES), weights=[4, 3, 2, 2])[0]
        name = draw.choice(self._planted[domain] if draw.random() < 0.25 else sorted(self._entities[domain]))
        places = self._entities[domain][name]
        agent = draw.choice(AGENTS[domain])
        purpose = "routing" if agent.endswith("ORCHESTRATOR") else draw.choice(PURPOSES[domain])
        return {
            "agent_id": agent,
            "purpose": self._seldom(purpose, ["routing", "output_review", "general_research"]),
            "entity": self._entity(domain, name),
            "jurisdictions": self._asked(places),
            "subject": self._subject(domain, places),
        }

    def _entity(self, domain: str, name: str) -> dict[str, str]:
        kind = self._seldom(TYPES[domain], list(TYPES.values()))
        if domain == "NPA":
            name = self._seldom(name, [f"NPA-2024-{name[-5:]}", "NPA-2026-99999"])
        return {"type": kind, "id": self._seldom(name, ["INC-2025-0001", "CP-99999", f"{name}0"])}

    def _asked(self, places: list[str]) -> list[str] | None:
        if self._random.random() < 0.4:
            return None
        return self._seldom(places[: self._random.randint(1, len(places))], [PLACES[:2], ["AU"], places])

    def _subject(self, domain: str, places: list[str]) -> dict[str, Any]:
        right = f"{domain.lower()}:read"
        return {
            "sub": f"user-{self._random.randint(1, 20)}",
            "tenant": "gfm",
            "role": self._random.choices(ROLES, weights=[4, 3, 3, 3, 1])[0],
            "department": self._seldom(self._random.choice(DEPARTMENTS[domain]), ["DESK", "FINANCE", "NOWHERE"]),
            "jurisdictions": self._seldom(sorted({*places, self._random.choice(PLACES)}), [["SG"], PLACES, ["TW"]]),
            "domains": self._random.choice([None, None, [domain], [domain, "ORM"], ["DESK"]]),
            "entitlements": self._random.choice([None, None, [right], [right, "orm:read"], ["npa:read"]]),
            "agents": ["RISK", *(agent for agents in AGENTS.values() for agent in agents)],
        }

    def _seldom(self, usual: Any, others: list[Any]) -> Any:
        return self._random.choice(others) if self._random.random() < 0.08 else usual

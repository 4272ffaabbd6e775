"""Inputs of policy drawn at random from the words of the shipped tables, near the input that every case starts from."""

import copy
import random

from typing import Any

WORDS = {
    "role": ["analyst", "checker", "approver", "coo", "admin"],
    "department": ["RMG", "FINANCE", "LEGAL", "OPERATIONS", "DESK", "COO", "AUDIT"],
    "jurisdictions": ["SG", "HK", "GLOBAL", "IN"],
    "jurisdiction": ["SG", "HK", "GLOBAL", "IN", "FR"],
    "domain": ["NPA", "ORM", "DESK", "ALL"],
    "domains": ["NPA", "ORM", "DESK", "ALL"],
    "data_classification": ["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"],
    "section": ["knowledge", "entity", "system", "prior_result", "upload", "conversation", "tool_result"],
    "source_type": [
        "system_of_record",
        "reference_data",
        "agent_output",
        "bank_sop",
        "external_official",
        "general_web",
        "user_input",
    ],
    "archetype": ["worker", "orchestrator", "reviewer"],
    "purpose": ["risk_assessment", "general_research", "routing", "output_review"],
    "now": ["2026-03-01T09:15:00.000000Z", "2026-07-01T00:00:00Z", "nonsense", "2025-12-30"],
    "entitlements": ["npa:read", "orm:read", "contracts:test"],
    "source_id": ["agent:RISK", "session:1", "SOP", "GFM_Booking_Guide_2024", "pack:x", "SoR:npa_projects"],
    "corpus": ["mas_notices", "hkma_guidelines", "product_taxonomy"],
    "agents": ["RISK", "MASTER_COO"],
    "id": ["RISK", "MASTER_COO", "GOVERNANCE", "NPA-2026-00142"],
    "issuer": ["sor-npa", "RISK", "development", "agent:RISK"],
    "type": ["project", "PERSON", "instruction"],
    "codes": ["JUR-001", "JUR-002", "FRS-002", "TRU-003", "FRS-001"],
    "expires": ["2026-03-31T00:00:00.000000Z", "2026-01-01T00:00:00Z", "nonsense"],
    "label": ["source_id", "version", "owner"],
    "screened": ["pii/patterns", "pii/full", "injection", "rendering"],
}
LABELS: dict[str, list[Any]] = {
    "document_type": ["kyc_document", "policy"],
    "approved_on": ["2026-01-01"],
    "unheard": [True, 3],
}
"""Labels of their own names, which a schema does not list."""

IN_FORCE = {
    "id": "EXR-1",
    "codes": ["JUR-001", "JUR-002"],
    "scope": {"jurisdiction": "HK", "department": "RMG", "source_id": "SOP"},
    "expires": "2026-03-31T00:00:00.000000Z",
    "lasts_seconds": 86400,
    "used_up": False,
    "asked_by": {"role": "coo", "department": "COO"},
    "approved_by": {"role": "approver", "department": "LEGAL"},
}
PLAIN = {"exceptions": dict.fromkeys(["until", "while_bundle_decides", "names_requester"], None) | IN_FORCE}
"""What members of lists are drawn near, by the name of the list."""

FIGURES = [-61, -60, -1, 0, 1, 299, 300, 301, 86399, 86400, 86401, 500_000]
SHARES = [0, 0.3, 0.35, 0.5, 0.7, 0.85, 0.9, 1.0]
_KINDS = {"string": str, "null": type(None), "object": dict, "array": list, "integer": int, "boolean": bool}


class Drawing:
    """Draws inputs of one schema."""

    def __init__(self, schema: dict[str, Any], base: dict[str, Any], seed: int) -> None:
        self._schema = schema
        self._base = base
        self._random = random.Random(seed)
        self._rate = 0.1

    def one(self) -> dict[str, Any]:
        """An input of which a few facts differ from the base, or many."""
        self._rate = self._random.choice([0.02, 0.05, 0.1, 0.3])
        return self._value(self._schema, self._base, "")

    def _chosen(self, node: dict[str, Any], plain: Any) -> dict[str, Any]:
        if "$ref" in node:
            return self._schema["$defs"][node["$ref"].rpartition("/")[2]]
        if "anyOf" not in node:
            return node
        options = [self._chosen(option, plain) for option in node["anyOf"]]
        fitting = [option for option in options if type(plain) is _KINDS.get(option.get("type", ""))]
        return self._random.choice(options if self._often() or not fitting else fitting)

    def _often(self) -> bool:
        return self._random.random() < self._rate

    def _value(self, node: dict[str, Any], plain: Any, name: str) -> Any:
        node = self._chosen(node, plain)
        kind = node.get("type")
        plain = plain if type(plain) is _KINDS.get(str(kind)) else None
        if "enum" in node:
            return plain if plain is not None and not self._often() else self._random.choice(node["enum"])
        if kind == "null":
            return None
        if kind == "object":
            if "properties" not in node:
                return {key: self._random.choice(values) for key, values in LABELS.items() if self._often()}
            return {key: self._value(below, (plain or {}).get(key), key) for key, below in node["properties"].items()}
        if kind == "array":
            return self._several(node, plain or [], name)
        if plain is not None and not self._often():
            return plain
        return self._drawn(str(kind), name)

    def _drawn(self, kind: str, name: str) -> Any:
        if kind == "boolean":
            return self._random.random() < 0.5
        if kind in {"integer", "number"}:
            return self._random.choice(FIGURES if kind == "integer" else SHARES)
        words = WORDS.get(name) or ["3.2", "2025-11-01", "2026-09-09"]
        return self._random.choice(words if self._random.random() < 0.9 else ["", "something else", "<undefined~>"])

    def _several(self, node: dict[str, Any], plain: list[Any], name: str) -> list[Any]:
        found = copy.deepcopy(plain)
        if self._often():
            found = [one for one in found if self._random.random() < 0.5]
        while self._often() and len(found) < 4:
            found.append(self._value(node["items"], PLAIN.get(name), name))
        return found

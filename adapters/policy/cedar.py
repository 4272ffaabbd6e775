"""
Entitlement decided by Cedar, for banks that keep theirs there.

Rules held here: the policies are validated against their schema at load; Cedar skips a policy that fails, so
any error it reports stops the request; only the entitlement area is Cedar's, and where it decides alone the Rego area
is left out of the compiled bundle; with both engines the stricter one wins, and a disagreement is in the ruling.
"""

import json

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any, Final, Literal

import cedarpy

from gateway.errors import BundleInvalidError, PolicyMalformedError
from gateway.model import PolicyVersion
from gateway.policy.bundle import Bundle
from gateway.policy.codes import TABLE
from gateway.policy.entrypoints import ADMIT, REACH, RELEASE
from gateway.ports.policy import PolicyEngine

AREA: Final = "ENT-"
"""Codes of the entitlement area begin with this."""

DISAGREE: Final = "ENT-900"
"""Code of a refusal on which the two engines disagree; what it says stands in the tables of the area."""

Mode = Literal["cedar", "both"]
"""Whether Cedar decides entitlement alone, or beside Rego."""

BESIDE: Final = "+cedar"
"""What the name of an engine ends with where both decide."""

ALONE: Final = "+cedar-alone"
"""What it ends with where Cedar decides alone."""

_POLICIES: Final = "cedar/entitlement.cedar"
_SCHEMA: Final = "cedar/entitlement.cedarschema"
_REGO: Final = "context/entitlement/entitlement.rego"


class CedarEntitlement:
    """Answers for the entitlement area from a bundle's Cedar policies and its tables."""

    def __init__(self, bundle: Bundle) -> None:
        """
        Raises:
            BundleInvalidError: the bundle has no Cedar policies, or they do not fit their schema.
        """
        policies, schema = bundle.others.get(_POLICIES), bundle.others.get(_SCHEMA)
        if policies is None or schema is None:
            raise BundleInvalidError("the bundle holds no Cedar policies for entitlement")
        try:
            result = cedarpy.validate_policies(policies, schema)
        except ValueError as error:
            raise BundleInvalidError(f"the Cedar policies cannot be read: {str(error)[:300]}") from error
        if not result.validation_passed:
            raise BundleInvalidError(f"the Cedar policies do not fit their schema: {str(result.errors[0])[:300]}")
        self._policies = cedarpy.PolicySet.from_str(policies)
        self._refusals = _refusals(policies)
        self._tables = bundle.data["context"]["entitlement"]
        self._entries = list(_table_entities(self._tables))
        said = self._tables.get(TABLE, {}).get(DISAGREE)
        if said is None:
            raise BundleInvalidError(f"the tables of the entitlement area do not say what {DISAGREE} means")
        self.disagreement = {"code": DISAGREE, "message": str(said["message"])}
        """The refusal that says that the engines disagree."""

    def denials(self, facts: Mapping[str, Any]) -> list[dict[str, str]]:
        """
        The refusals for one input, by code; empty where Cedar allows.

        Raises:
            PolicyMalformedError: Cedar reports an error, or denies without a reason.
        """
        request, entities = self._question(facts)
        try:
            answer = cedarpy.is_authorized(request, self._policies, entities)
        except (ValueError, TypeError) as error:
            raise PolicyMalformedError("Cedar cannot read the facts") from error
        if answer.diagnostics.errors:
            raise PolicyMalformedError("a Cedar policy failed")
        if answer.allowed:
            return []
        denials = [self._refusals[name] for name in answer.diagnostics.reasons if name in self._refusals]
        if not denials:
            raise PolicyMalformedError("Cedar denies without a reason")
        return sorted(denials, key=lambda denial: denial["code"])

    def _question(self, facts: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        subject, agent, item = facts.get("subject") or {}, facts.get("agent") or {}, facts.get("item") or {}
        user = {
            "role": _reference("Role", subject.get("role")),
            "department": _reference("Department", subject.get("department")),
            **_present(subject, ("domains", "entitlements", "agents")),
        }
        domain = _present(item, ("domain",))
        entry = {"domain_entry": _reference("Domain", item["domain"])} if domain else {}
        labels = {**domain, **entry, **_present(item, ("data_classification",))}
        context = {
            "agent": agent.get("id", ""),
            **_present(agent, ("archetype",)),
            "agent_domains": agent.get("domains") or [],
            # Cedar has no null: a gateway that is set to believe the request says so, and one that says nothing does not.
            "agent_believed": "agents" in subject and subject["agents"] is None,
            "tables": _reference("Tables", "entitlement"),
        }
        request = {
            "principal": {"type": "User", "id": "subject"},
            "action": {"type": "Action", "id": "read"},
            "resource": {"type": "Item", "id": "item"},
            "context": context,
        }
        return request, [
            {"uid": {"type": "User", "id": "subject"}, "attrs": user, "parents": []},
            {"uid": {"type": "Item", "id": "item"}, "attrs": labels, "parents": []},
            *self._entries,
        ]


class CedarPolicyEngine:
    """A `gateway.ports.PolicyEngine` that leaves entitlement to Cedar, or to both."""

    def __init__(self, engine: PolicyEngine, cedar: CedarEntitlement, mode: Mode) -> None:
        self._engine = engine
        self._cedar = cedar
        self._mode = mode

    @property
    def version(self) -> PolicyVersion:
        inner, name = self._engine.version, BESIDE if self._mode == "both" else ALONE
        joined = f"{inner.engine}{name}", f"{inner.engine_version}+{version('cedarpy')}"
        return inner.model_copy(update={"engine": joined[0], "engine_version": joined[1]})

    def pinned(self) -> PolicyEngine:
        return CedarPolicyEngine(self._engine.pinned(), self._cedar, self._mode)

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> list[object]:
        answers = await self._engine.evaluate(entrypoint, inputs)
        if len(answers) != len(inputs):
            return list(answers)
        together = zip(answers, inputs, strict=True)
        return [combined(self._cedar, self._mode, entrypoint, answer, facts) for answer, facts in together]


def combined(cedar: CedarEntitlement, mode: Mode, entrypoint: str, answer: Any, facts: Mapping[str, Any]) -> object:  # noqa: ANN401 - checked by the caller
    """
    What Rego answered with what Cedar says of the same facts, where both are asked about an item.

    Raises:
        PolicyMalformedError: Cedar reports an error, or denies without a reason.
    """
    if entrypoint == REACH.name and isinstance(answer, dict):
        # No reasons are told here: what either refuses is not found.
        return {**answer, "allow": answer.get("allow") is True and not cedar.denials(facts)}
    items = entrypoint in {ADMIT.name, RELEASE.name}
    if not items or not isinstance(answer, dict) or not isinstance(answer.get("denials"), list):
        return answer
    refused = cedar.denials(facts)
    rego = [denial for denial in answer["denials"] if denial["code"].startswith(AREA)]
    others = [denial for denial in answer["denials"] if not denial["code"].startswith(AREA)]
    # Compared is whether each refuses, not with which codes.  With `both` a permit takes both: where one refuses alone, so does
    # the answer, and `ENT-900` says that they differ.
    agree = bool(refused) == bool(rego)
    if agree or (mode == "cedar" and not refused):
        return answer
    said = [*others, *rego, *refused] if mode == "cedar" else [*others, *rego, *refused, cedar.disagreement]
    return _refused(answer, sorted(said, key=lambda denial: denial["code"]))


def without_rego_entitlement(bundle: Bundle) -> Bundle:
    """The bundle with an entitlement area that leaves everything to Cedar; its revision stays what it was."""
    stub = "package context.entitlement\n\npermit if true\n\ndeny contains refusal if some refusal in []\n"
    return replace(bundle, modules={**bundle.modules, _REGO: stub})


def _refused(answer: dict[str, Any], denials: list[dict[str, str]]) -> dict[str, Any]:
    unique = list({denial["code"]: denial for denial in denials}.values())
    changed = {**answer, "denials": unique}
    return {**changed, "outcome": "denied"} if "outcome" in answer else {**changed, "allow": False}


def _present(facts: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: facts[name] for name in names if facts.get(name) is not None}


def _reference(kind: str, name: object) -> dict[str, Any]:
    return {"__entity": {"type": kind, "id": str(name)}}


def _refusals(policies: str) -> dict[str, dict[str, str]]:
    """Code and message of each policy, by the name under which Cedar reports it."""
    parsed = json.loads(cedarpy.policies_to_json_str(policies))["staticPolicies"]
    annotated = {name: policy.get("annotations", {}) for name, policy in parsed.items()}
    return {
        name: {"code": notes["code"], "message": notes["message"]}
        for name, notes in annotated.items()
        if "code" in notes
    }


def _table_entities(tables: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for role, clearance in tables["clearance"].items():
        yield _entity("Role", role, {"clearance": clearance})
    for department, domains in tables["department_domains"].items():
        yield _entity("Department", department, {"domains": domains})
    for domain, entitlement in tables["domain_entitlements"].items():
        yield _entity("Domain", domain, {"entitlement": entitlement})
    yield _entity(
        "Tables",
        "entitlement",
        {
            "shared_domain": tables["shared_domain"],
            "cross_domain": tables["cross_domain_archetypes"],
            "domain_scoped": tables["domain_scoped_classifications"],
            "named_only": tables["named_agent_classifications"],
            "named_agents": tables["named_agents"],
        },
    )


def _entity(kind: str, name: str, attrs: dict[str, Any]) -> dict[str, Any]:
    return {"uid": {"type": kind, "id": name}, "attrs": attrs, "parents": []}

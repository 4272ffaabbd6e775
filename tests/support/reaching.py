"""Draws documents, callers, exceptions and moments, and holds what may be found against what the gate says of each."""

import random

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.knowledge.items import representative
from gateway.knowledge.reach import Reach, ReachQuestion
from gateway.knowledge.reading.deciding import deciding
from gateway.model.base import utc_text
from gateway.model.request import Provenance
from gateway.policy.bundle import Bundle
from gateway.policy.entrypoints import ADMIT, REACH
from gateway.policy.item import item_facts
from gateway.policy.registry import registry_of
from gateway.policy.vouching import Verifiers, Vouching
from gateway.ports.knowledge import LabelTuple
from tests.support.clock import NOW
from tests.support.knowledge_fakes import FakeDocuments
from tests.support.policy_facts import BASE

TENANT = "gfm"
SOURCE, SECTION = "knowledge", "knowledge"
ADMIT_FACTS = ("subject", "agent", "request", "records", "exceptions")

_DAYS = ["2025-11-01", "2024-01-01", "2026-03-01", "2026-03-02", "2026-03-04", "2026-02-28", "2026-06-30"]
_NAMES = ["SOP", "GFM_Booking_Guide_2024", "ORM_Loss_Taxonomy_2019", "MAS_637", "SoR:x", "agent:RISK"]
_AGES = [0, 1, 5, 60, 299, 300, 301, 3_600, 80_000, 86_399, 86_400, 90_000, 700_000, -5]


def drawn_labels(drawn: random.Random, now: datetime = NOW) -> Provenance:
    """Labels of a document, most of them of one that may be found by somebody."""

    def one(*usual: Any, odd: Sequence[Any] = (None,), often: float = 0.92) -> Any:
        return drawn.choice(usual) if drawn.random() < often else drawn.choice(list(odd))

    fetched = now - timedelta(seconds=drawn.choice(_AGES), milliseconds=drawn.choice([0, 1, 500, 999]))
    return Provenance.model_construct(
        source_id=one(*_NAMES),
        source_type=one(
            "bank_sop",
            "industry_standard",
            "external_official",
            "reference_data",
            odd=["general_web", "system_of_record", "hearsay", None],
        ),
        version=one("3.2", "1", odd=["2026-03-01T09:15:00.000000Z"]),
        effective_date=one(*_DAYS[:3], odd=[None, *_DAYS]),
        expiry_date=one(None, None, *_DAYS[3:], often=1),
        owner=one("Product Control", "ORM"),
        fetched_at=one(utc_text(fetched), often=0.98),
        ttl_seconds=one(86_400, 3_600, 600_000, odd=[None, 0, 1]),
        data_classification=one("INTERNAL", "PUBLIC", "CONFIDENTIAL", odd=["RESTRICTED", None]),
        jurisdiction=one("SG", "GLOBAL", odd=["HK", "IN", None], often=0.8),
        domain=one("NPA", "ALL", odd=["ORM", "DESK", None]),
        entity_id=one(None, odd=["NPA-2026-00142", "NPA-2026-00999"]),
        doc_section=one("4.2.1", "4.2.2", "Routing", None),
        corpus=one(None, "bank_sops_and_policies", "npa_classification_criteria", odd=["hkma_guidelines"]),
        labels=one(None, {"document_type": "policy"}, {"document_type": "kyc_document"}, odd=[{"strange": 7.0}]),
    )


def drawn_tuples(drawn: random.Random, count: int, first: int = 1) -> list[LabelTuple]:
    """So many combinations of labels of one tenant."""
    return [LabelTuple(first + at, TENANT, drawn_labels(drawn)) for at in range(count)]


def drawn_shared(drawn: random.Random) -> dict[str, Any]:
    """What a request tells of itself: who asks, with which agent, for what, under which exceptions; without the time."""
    facts = {name: deepcopy(BASE[name]) for name in ADMIT_FACTS}
    subject, agent, request = facts["subject"], facts["agent"], facts["request"]
    pick = drawn.choice
    subject["role"] = pick(["analyst", "analyst", "checker", "coo", "approver", "intern"])
    subject["department"] = pick(["RMG", "RMG", "FINANCE", "LEGAL", "COO", "CATERING"])
    subject["jurisdictions"] = pick([["SG"], ["SG", "HK"], ["HK"], ["SG", "IN", "GLOBAL"]])
    subject["domains"] = pick([["NPA"], ["NPA", "ORM"], None, ["ORM"]])
    subject["entitlements"] = pick([["npa:read"], ["npa:read", "orm:read"], None, []])
    agent["id"] = pick(["RISK", "RISK", "ORM_ANALYST", "GOVERNANCE"])
    agent["domains"] = pick([["NPA"], ["NPA", "ORM"], ["ORM"]])
    agent["archetype"] = pick(["worker", "worker", "orchestrator", "reviewer"])
    request["purpose"] = pick(["risk_assessment", "risk_assessment", "incident_review", "classification"])
    request["domain"] = pick(["NPA", "NPA", "ORM"])
    request["jurisdictions"] = pick([["SG"], ["SG", "HK"], ["SG", "IN"]])
    if drawn.random() < 0.3:
        request["entity"] = None
    facts["exceptions"] = [_exception(drawn, at, facts) for at in range(pick([0, 0, 1, 2]))]
    facts["records"] = [_record(drawn)] if drawn.random() < 0.4 else []
    return facts


def _exception(drawn: random.Random, at: int, facts: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = deepcopy(BASE["exception"])
    scope = dict.fromkeys(made["scope"])
    scope |= {
        "agent": facts["agent"]["id"],
        "purpose": facts["request"]["purpose"],
        "source_id": drawn.choice(_NAMES[:4]),
    }
    ends = NOW + timedelta(seconds=drawn.choice([1, 30, 3_600, 40_000, 90_000, -5]))
    return made | {
        "id": f"EXR-{at}",
        "codes": [drawn.choice(["FRS-002", "FRS-004", "TRU-004"])],
        "scope": scope,
        "expires": utc_text(ends),
        "until": drawn.choice([None, None, utc_text(NOW + timedelta(seconds=20))]),
        "approved_by": {"role": "approver", "department": "RMG"},
    }


def _record(drawn: random.Random) -> dict[str, Any]:
    item = BASE["item"]
    made = {
        name: item[name] for name in ("source_id", "corpus", "data_classification", "jurisdiction", "domain", "labels")
    }
    return made | {
        "section": "entity", "source_type": "system_of_record", "source_id": drawn.choice(["SoR:NPA", "get_npa_by_id"]),
        "entity_id": "NPA-2026-00142", "age_seconds": drawn.choice([0, 299, 300, 301, 86_400]), "channel": "caller",
        "attestation": item["attestation"] | {"age_seconds": drawn.choice([0, 60, 86_400])},
        "related": ["NPA-2026-00999"], "jurisdictions": drawn.choice([[], ["SG"], ["HK"]]),
    }  # fmt: skip


def aged(shared: dict[str, Any], seconds: float, now: datetime) -> dict[str, Any]:
    """The same request some time later: records that it brings are older then."""
    later = deepcopy(shared) | {"now": utc_text(now)}
    for record in later["records"]:
        record["age_seconds"] += int(seconds)
        record["attestation"]["age_seconds"] += int(seconds)
    return later


def drawn_moments(drawn: random.Random, count: int) -> list[float]:
    """Seconds from now, in no order: some at the very moment at which something ends."""
    edges = [
        0,
        1,
        20,
        30,
        59,
        60,
        299,
        300,
        301,
        3_600,
        6_400,
        40_000,
        53_099,
        53_100,
        86_400,
        90_000,
        200_000,
        -3,
        -90_000,
    ]
    return [drawn.choice(edges) + drawn.choice([0, 0, 0.000001, -0.000001, 0.5]) for _ in range(count)]


@dataclass
class Compared:
    """What came of holding masks against the gate."""

    pairs: int = 0
    permitted: int = 0
    asked: int = 0
    """Questions that the masks cost."""

    different: list[str] = field(default_factory=list)
    careless: int = 0
    """Pairs that a mask which is kept for ever would get wrong."""


class Nobody:
    """Vouches for nothing; what the gateway fetched needs nobody else."""

    def verify(self, *_: Any) -> None:
        return None


class Comparing:
    """One bundle, and one process of masks that goes through requests in any order."""

    def __init__(self, bundle: Bundle, documents: FakeDocuments, verifiers: Verifiers) -> None:
        self.bundle, self.documents = bundle, documents
        self.engine = RegorusPolicyEngine(bundle, [ADMIT.name, REACH.name])
        self.registry, self.verifiers = registry_of(bundle), verifiers
        self.reach = Reach(documents)
        self._first: dict[str, frozenset[int]] = {}

    async def close(self) -> None:
        """Let go of the engine, on the thread that made it."""
        await self.engine.close()

    def question(self, shared: dict[str, Any], now: datetime) -> ReachQuestion:
        """What a mask is asked for."""
        vouching = Vouching.under(self.registry, self.verifiers, TENANT, now)
        return ReachQuestion(shared, now, self.engine, partial(deciding, self.bundle), vouching, SOURCE, SECTION)

    async def compare(self, shared: dict[str, Any], seconds: Sequence[float], said: Compared, who: str) -> None:
        """Ask for masks at several moments, and the gate of each combination then."""
        for later in seconds:
            now = NOW + timedelta(seconds=later)
            facts = aged(shared, later, now)
            mask = await self.reach.mask(self.question(facts, now))
            found = frozenset(mask.permitted.tolist())
            first = self._first.setdefault(who, found)
            said.asked += mask.decided
            for id_, allowed in self.gate(facts, now):
                said.pairs += 1
                said.permitted += allowed
                said.careless += (id_ in first) != allowed
                if (id_ in found) != allowed:
                    said.different.append(f"{who} at {later}: {id_} is {'forbidden' if id_ in found else 'permitted'}")

    def gate(self, facts: dict[str, Any], now: datetime) -> Iterator[tuple[int, bool]]:
        """What the gate says of every combination, each asked by itself."""
        vouching = Vouching.under(self.registry, self.verifiers, TENANT, now)
        for one in self.documents.tuples(TENANT):
            item = item_facts(vouching.of(representative(one.labels, SOURCE, SECTION)), now)
            answer = self.engine.query(ADMIT.name, {**facts, "item": item})
            assert isinstance(answer, dict)
            yield one.id, answer["allow"] is True

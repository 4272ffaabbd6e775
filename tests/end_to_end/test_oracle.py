"""
Two thousand requests, and ten thousand at full length, drawn at random, decided by the real stages and the shipped bundle, and by an oracle that knows only the
tables of the source documents (`tests/support/rules_oracle.py`): what the rules forbid is not released, and what they allow is.
"""

import copy
import json

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from adapters.attestation.json_schema import JsonSchemaChecker
from adapters.packing.rensa import MinHashLikeness
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.errors import GatewayError
from gateway.model import PackRequest, Subject
from gateway.model.session import Session
from gateway.policy.agent import AgentBinding
from gateway.policy.bundle import load_bundle
from gateway.policy.item import record_facts
from gateway.policy.registry import registry_of
from gateway.policy.vouching import Verifiers
from gateway.sourcing.calling import Gathered
from gateway.stages.admit import admit
from gateway.stages.attest import attest
from gateway.stages.classify import classify
from gateway.stages.rank import KnownOfSet, rank
from gateway.stages.scope import scope
from tests.support.clock import NOW
from tests.support.drawn_requests import Draw
from tests.support.rules_oracle import expected
from tests.support.signing import Owner, bundle_with

OWNERS = ["sor-npa", "sor-orm", "sor-desk", "knowledge-base"]
SUBJECT = {"sub": "lee", "tenant": "gfm", "role": "coo", "department": "COO", "jurisdictions": ["SG", "HK"]}
SEED = 20260301

CODES = """
ATT-001 ATT-002 ATT-004 CTR-001 CTR-002 CTR-005 CTR-007 CTR-009 CTR-010 CTR-011 CTR-012 CTR-013 CTR-014 CTR-015
ENT-005 ENY-001 ENY-002 ENY-003 ENY-004 ENY-005 FRS-006 JUR-001 JUR-002 JUR-004 JUR-005 SCP-005 SCP-006 TRU-001 TRU-003
""".split()
"""With which drawn requests and their items are refused."""

LOOSENED = {
    "context/entity/must_name_an_entity": {"entity": ["system_of_record"]},
    "context/entity/record_types": ["system_of_record", "third_party_api"],
    "context/entity/record_within_seconds": -1,
    "context/jurisdiction/domain_corpora/NPA": ["bank_sops_and_policies", "npa_classification_criteria", "sfo"],
    "context/jurisdiction/jurisdictions/SG/corpora": ["sfas", "sg_banking_regs"],
    "context/jurisdiction/must_name_a_corpus": ["external_official"],
    "context/entitlement/cross_domain_archetypes": ["orchestrator", "reviewer", "worker"],
    "context/entitlement/domain_scoped_classifications": ["RESTRICTED"],
    "context/attestation/needed_for": ["system_of_record", "reference_data", "agent_output"],
    "context/attestation/unlimited_methods": ["development", "signature"],
    "context/attestation/receipts/source_id_prefix": "agents:",
    "context/freshness/longest_days/by_label/document_type/kyc_document": 731,
    "context/trust/sources/email/trust_class": "TRUSTED",
    "context/trust/web_purposes": ["general_research", "document_check"],
    "context/results/sections": [],
    "context/review/independent": [],
    "context/sections/routing/archetypes": ["orchestrator", "worker"],
    "context/contract/entity_data_for": ["worker", "reviewer"],
    "context/contract/agents/AUTOFILL/forbidden": [],
    "context/scoping/domain_entity_types/NPA": ["project", "incident"],
    "registry/agents/RISK/domains": ["NPA", "ORM"],
    "registry/contracts/NPA_REVIEWER-0.9.0/status": "ACTIVE",
    "registry/contracts/ORM_ANALYST-1.0.0/max_turns": 5,
    "registry/contracts/DESK_ANALYST-1.0.0/max_turns": 3,
    "registry/contracts/GOVERNANCE-1.0.0/output_schema": None,
}
"""Tables by their place in the bundle, with what they are changed to: looser than the source documents, or stricter."""


class Marks:
    """Reads who vouches for an item off a mark: signatures have tests of their own."""

    def verify(self, item, sources, now):
        if item.attestation is None:
            return None
        owner, _, word = item.attestation.partition("..")
        return {
            "method": "receipt" if word == "receipt" else "signature",
            "issuer": owner,
            "key": None if word == "receipt" else "k-revoked" if word == "revoked" else "k1",
            "signed_at": "2026-03-01T09:15:00Z",
            "age_seconds": 0,
            "verified": word != "forged",
        }


class Stages:
    """The stages from what a request is to what may stand in its pack, with one bundle."""

    def __init__(self, bundle):
        self.policy, self.registry = RegorusPolicyEngine(bundle), registry_of(bundle)
        self.verifiers = Verifiers(Marks(), Marks(), JsonSchemaChecker())
        self.likeness = MinHashLikeness(cache_size=100)

    async def decide(self, document):
        """What became of a request, in the oracle's words; and the codes of everything that was refused."""
        asked = {name: value for name, value in document.items() if name != "agents"}
        subject = Subject(**SUBJECT, agents=document["agents"])
        given = {"registry": self.registry, "policy": self.policy.version, "detectors": {}, "now": NOW}
        request = PackRequest.model_validate(asked)
        case = classify(request, subject, **given, trace_id=None, secret=b"s" * 32, call="packs")
        try:
            await scope(case, policy=self.policy, binding=AgentBinding())
        except GatewayError as error:
            return {"asked": False}, {"request": error.reasons}
        attested = await attest(request.items, case, registry=self.registry, verifiers=self.verifiers)
        records = record_facts(attested, request.entity, self.registry.domains[case.domain].record, NOW)
        rulings = await admit(attested, case, records=records, policy=self.policy)
        codes = {one.item.id: one.codes for one in rulings if one.codes}
        words = {one.item.id: word_of(one) for one in rulings}
        usable = [
            one.model_copy(update={"outcome": "released", "content": one.item.content})
            if one.outcome == "quarantined"
            else one
            for one in rulings
        ]
        known = KnownOfSet(Gathered(), records)
        tools = {"policy": self.policy, "budgets": self.registry.budgets, "likeness": self.likeness}
        try:
            selection = await rank(usable, case, Session(), known=known, **tools)
        except GatewayError as error:
            return {"asked": True, "items": words, "pack": False}, {**codes, "pack": error.reasons}
        words |= {one.piece.ruling.item.id: "dropped" for one in selection.lost}
        return {"asked": True, "items": words, "pack": True}, codes


def word_of(ruling):
    """A ruling in the oracle's words."""
    if ruling.outcome == "denied":
        return "denied"
    fenced = any(one.type == "fence" for one in ruling.obligations)
    assert fenced == (ruling.trust_class == "UNTRUSTED")
    return "fenced" if fenced else "trusted"


def differing(found, wanted):
    """What differs between two verdicts."""
    items = {name: (word, wanted.get("items", {}).get(name)) for name, word in found.get("items", {}).items()}
    whole = {name: (found.get(name), wanted.get(name)) for name in ("asked", "pack")}
    return {name: pair for name, pair in {**whole, **items}.items() if pair[0] != pair[1]}


async def smallest(stages, document):
    """A request that differs, without the items that do not matter for that; and what differs, by place: found, wanted."""
    for item in document["items"]:
        less = {**document, "items": [one for one in document["items"] if one is not item]}
        found, codes = await stages.decide(less)
        if differing(found, expected(less)):
            return await smallest(stages, less)
    found, codes = await stages.decide(document)
    return f"{json.dumps(document, indent=1)}\n{differing(found, expected(document))}\n{codes}"


async def compare(bundle, count, seed=SEED):
    """The requests that engine and oracle decide apart, one by one, with what the engine said; None for those decided alike."""
    stages, draw = Stages(bundle), Draw(Random(seed))
    for _ in range(count):
        document = draw.request()
        found, codes = await stages.decide(document)
        apart = differing(found, expected(document))
        yield await smallest(stages, document) if apart else None, found, codes


def changed(bundle, path, value):
    """The bundle with one of its tables changed; the path has slashes, for names of contracts have dots."""
    data = copy.deepcopy(bundle.data)
    *folders, last = path.split("/")
    place = data
    for name in folders:
        place = place[name]
    assert place[last] != value
    place[last] = value
    return replace(bundle, data=data)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """The shipped bundle, with keys of the sources, of which one is revoked for each."""
    owners = {name: (Owner(name), Owner(name, kid="k-revoked")) for name in OWNERS}
    keys = {name: [key.entry(), old.entry(revoked_at="2026-02-15")] for name, (key, old) in owners.items()}
    return load_bundle(bundle_with(tmp_path_factory.mktemp("drawn") / "policies", keys))


@pytest.mark.parametrize(
    ("part", "count"), [(0, 2000), *(pytest.param(part, 2500, marks=pytest.mark.soak) for part in range(4))]
)
async def test_drawn_requests(bundle, part, count):
    """
    Of 2,000 requests, and at full length of 10,000 in four parts, every item is released, fenced, refused or left out as the tables of the source documents
    say, and every pack is given or refused so; among them are packs, and refusals with each code that the oracle knows of.
    """
    seen = Counter()
    async for apart, found, codes in compare(bundle, count, SEED + part):
        assert apart is None, f"the smallest request, what differs (found, wanted), and the codes:\n{apart}"
        seen.update(code for given in codes.values() for code in given)
        seen.update(found.get("items", {}).values())
        seen["packs"] += found.get("pack", False)
    assert seen["packs"] > 0.4 * count
    assert not [word for word in ("trusted", "fenced", "dropped", *CODES) if seen[word] < 2], seen
    assert seen.keys() <= {"packs", "trusted", "fenced", "dropped", "denied", *CODES}


@pytest.mark.parametrize("path", LOOSENED)
async def test_what_the_oracle_sees(bundle, path):
    """
    With one table made looser or stricter than the source documents, some drawn request is decided apart.
    """
    async for apart, _, _ in compare(changed(bundle, path, LOOSENED[path]), 2500):
        if apart:
            return
    pytest.fail(f"nobody saw that {path} is {LOOSENED[path]}")

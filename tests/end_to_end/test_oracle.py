"""
Ten thousand requests drawn at random, decided by the real stages and the shipped bundle, and by an oracle that knows only the
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
        known = KnownOfSet((), records)
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
    """Requests that engine and oracle decide apart, and how often which code and which word was given."""
    stages, draw = Stages(bundle), Draw(Random(seed))
    apart, seen = [], Counter()
    for _ in range(count):
        document = draw.request()
        found, codes = await stages.decide(document)
        seen.update(code for given in codes.values() for code in given)
        seen.update(found.get("items", {}).values())
        seen["packs"] += found.get("pack", False)
        if differing(found, expected(document)):
            apart.append(document)
    return stages, apart, seen


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """The shipped bundle, with keys of the sources, of which one is revoked for each."""
    owners = {name: (Owner(name), Owner(name, kid="k-revoked")) for name in OWNERS}
    keys = {name: [key.entry(), old.entry(revoked_at="2026-02-15")] for name, (key, old) in owners.items()}
    return load_bundle(bundle_with(tmp_path_factory.mktemp("drawn") / "policies", keys))

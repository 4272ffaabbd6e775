"""Facts that one registry made, told with another one's words."""

import copy
import json

import pytest

from gateway.errors import AgentUnknownError, BundleInvalidError, NotFoundError, PurposeUnknownError
from gateway.model import Registry
from gateway.policy.bundle import bundle_of
from gateway.policy.retold import PastRetelling, Retelling
from tests.support.bundles import BASE, SHIPPED
from tests.support.packing import REGISTRY

KEY = {"kid": "k-1", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": "AA"}, "valid_from": "2026-01-01"}


def registry(change=lambda tables: None):
    tables = copy.deepcopy(REGISTRY.model_dump(mode="json"))
    tables["sources"]["sor-npa"]["keys"] = [copy.deepcopy(KEY)]
    change(tables)
    return Registry.model_validate(tables)


def facts(**item):
    asked = copy.deepcopy(BASE)
    asked["agent"] = {"id": "RISK", "archetype": "worker", "domains": ["NPA"]}
    asked["item"].update(item)
    return asked


def told(change, asked):
    return Retelling(registry(), registry(change)).tell(asked)


def test_the_same_registry_says_the_same():
    """
    With an equal registry nothing is told anew, and so it is with facts that no registry has a part in.
    """
    asked = facts()
    assert told(lambda tables: None, asked) is asked
    claim = {"now": "2026-03-01T09:15:00.000000Z", "claim": {"type": "x"}, "sources": []}
    assert (
        told(lambda tables: tables["agents"].pop("IDEATION") and tables["contracts"].pop("IDEATION-1.0.0"), claim)
        is claim
    )


def test_an_agent_is_told_as_it_is_registered_there():
    """
    Archetype and domains are the other registry's, and so is the domain that the request's entity belongs to.
    """

    def change(tables):
        tables["agents"]["RISK"].update(archetype="reviewer", domains=["DESK", "NPA"])

    asked = facts()
    asked["request"]["entity"] = {"type": "project", "id": "p"}
    other = told(change, asked)
    assert other["agent"] == {"id": "RISK", "archetype": "reviewer", "domains": ["DESK", "NPA"]}
    assert other["request"]["domain"] == "NPA"
    asked["request"]["entity"] = None
    assert told(change, asked)["request"]["domain"] == "DESK"


def test_what_is_not_registered_there_is_refused():
    """
    An agent or a purpose that the other registry does not have is refused with the code that a request would get.
    """

    def without_agent(tables):
        tables["agents"]["OTHER"] = {**tables["agents"].pop("RISK"), "id": "OTHER"}
        tables["contracts"]["RISK-1.1.0"]["agent"] = "OTHER"
        for prompt in tables["prompts"]["prompts"]:
            prompt["agents"] = ["*"]

    with pytest.raises(AgentUnknownError):
        told(without_agent, facts())
    with pytest.raises(PurposeUnknownError):
        told(lambda tables: tables["purposes"].pop(facts()["request"]["purpose"]), facts())


def test_a_text_that_is_listed_otherwise():
    """
    A text keeps its place under the name that the other library gives it; one whose hash is not listed there has none.
    """
    [first, *_] = REGISTRY.prompts.prompts

    def renamed(tables):
        tables["prompts"]["prompts"][0]["id"] = "anew"

    def rewritten(tables):
        tables["prompts"]["prompts"][0]["sha256"] = "0" * 64

    library = {
        "method": "library",
        "issuer": first.id,
        "key": None,
        "signed_at": None,
        "age_seconds": None,
        "verified": True,
    }
    item = {"prompt": first.id, "attestation": library}
    assert told(renamed, facts(**item))["item"]["prompt"] == "anew"
    assert told(renamed, facts(**item))["item"]["attestation"] == {**library, "issuer": "anew"}
    assert told(rewritten, facts(**item))["item"]["prompt"] is None
    assert told(rewritten, facts(**item))["item"]["attestation"] is None
    signed = {**library, "method": "signature", "issuer": "sor-npa", "key": "k-1"}
    assert told(rewritten, facts(prompt=first.id, attestation=signed))["item"]["attestation"] == signed


def test_a_signature_by_a_key_that_is_another_one_there():
    """
    A signature does not hold under a key of the same name that is another one, on items and on records; all else is policy.
    """

    def exchanged(tables):
        tables["sources"]["sor-npa"]["keys"][0]["jwk"]["x"] = "BB"

    signed = {
        "method": "signature",
        "issuer": "sor-npa",
        "key": "k-1",
        "signed_at": None,
        "age_seconds": 0,
        "verified": True,
    }
    asked = facts(attestation=signed)
    asked["records"] = [{"attestation": signed}, {"attestation": None}]
    other = told(exchanged, asked)
    assert other["item"]["attestation"]["verified"] is False
    assert [record["attestation"] and record["attestation"]["verified"] for record in other["records"]] == [False, None]
    gone = told(lambda tables: tables["sources"]["sor-npa"].update(keys=[]), asked)
    assert gone["item"]["attestation"] == signed


def test_the_past_is_told_from_the_registry_of_each_revision():
    """
    The registry of the bundle that decided is read where it is kept; where it is not, the agent is told all the same.
    """
    files = {"a.rego": b"package a\n", ".manifest": b"{}"}
    kept = {SHIPPED.revision: SHIPPED, "sha256:old": bundle_of(files)}

    def find(revision):
        if revision not in kept:
            raise NotFoundError("there is no bundle of that revision")
        return kept[revision]

    tell = PastRetelling(SHIPPED, find)
    asked = json.dumps(facts(prompt="system-risk")).encode()
    assert tell(SHIPPED.revision, asked) is asked
    wrong = facts(prompt="system-risk")
    wrong["agent"]["archetype"] = "orchestrator"
    for revision in ("sha256:old", "sha256:lost"):
        other = json.loads(tell(revision, json.dumps(wrong).encode()))
        assert (other["agent"]["archetype"], other["item"]["prompt"]) == ("worker", "system-risk")
    with pytest.raises(BundleInvalidError):
        PastRetelling(bundle_of(files), find)

"""Labels that the bank declares, and metadata, from a request to its pack."""

import copy
import json

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from ctxgate_source import sign_labels
from gateway.bootstrap.gateway import running
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.clock import NOW
from tests.support.oracle import everything_stored
from tests.support.signing import Owner, bundle_with
from tests.support.web import gateway_of, is_problem

METADATA = {"page": 3, "url": "https://kb.bank.example/sop/4-2-1", "shelf": "Quillfeather", "final": True}


def with_item(small, name, **members):
    request = copy.deepcopy(small)
    [item] = [one for one in request["items"] if one["id"] == name]
    item["provenance"] |= members.pop("provenance", {})
    item |= members
    return request


async def test_metadata_comes_back_and_goes_nowhere_else(post, client, small):
    """
    What a store keeps with an item is in the pack beside it, word for word, and in no prompt, no question to policy and no record.
    """
    asked = with_item(small, "sop-4.2.1", metadata=METADATA) | {"render": "openai"}
    told, evaluate = [], RegorusPolicyEngine.evaluate

    async def listening(self, entrypoint, inputs):
        told.append(json.dumps([dict(one) for one in inputs]))
        return await evaluate(self, entrypoint, inputs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RegorusPolicyEngine, "evaluate", listening)
        answer = await post("/v1/packs", asked, scope="packs:write")
    assert answer.status_code == 200, answer.text
    pack = answer.json()
    found = {item["id"]: item["metadata"] for section in pack["sections"] for item in section["items"]}
    assert found["sop-4.2.1"] == METADATA
    assert found["npa-record"] is None
    assert "Quillfeather" not in json.dumps(pack["messages"])
    assert told
    assert not [text for text in told if "Quillfeather" in text or "kb.bank.example" in text]
    assert "Quillfeather" not in everything_stored(gateway_of(client))


async def test_other_metadata_is_another_decision(post, small):
    """
    A repeat with other metadata is not answered with the records of the first.
    """
    first = await post("/v1/rulings", with_item(small, "sop-4.2.1", metadata={"page": 3}), scope="packs:write")
    other = await post("/v1/rulings", with_item(small, "sop-4.2.1", metadata={"page": 4}), scope="packs:write")
    assert {one["decision_id"] for one in first.json()["rulings"]}.isdisjoint(
        one["decision_id"] for one in other.json()["rulings"]
    )


async def test_what_metadata_says_is_looked_at(post, small):
    """
    Nobody gets personal data to a person, past policy, as the metadata of an item.
    """
    asked = with_item(small, "sop-4.2.1", metadata={"author": "S1234567D"})
    told = (await post("/v1/rulings", asked, scope="packs:write")).json()
    assert told["withheld"]["codes"] == {"LAB-002": 1}


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"mood": "good"}, "is no label that the bank declares"),
        ({"approved_on": "soon"}, "must be a date as YYYY-MM-DD"),
    ],
)
async def test_a_label_that_is_not_declared_stops_the_request(post, small, labels, message):
    """
    Who sends a label that the bank does not declare is told so, at its field, before anything is decided.
    """
    asked = with_item(small, "sop-4.2.1", provenance={"labels": labels})
    document = is_problem(await post("/v1/packs", asked, scope="packs:write"), 422, "GW-230")
    [error] = document["errors"]
    assert error["field"] == f"items.1.provenance.labels.{next(iter(labels))}"
    assert message in error["message"]


@pytest.mark.signatures
@pytest.mark.parametrize(
    ("signed", "sent", "code"),
    [
        ("procedure", "procedure", None),
        ("kyc_document", "procedure", "ATT-001"),
        ("procedure", None, "ATT-001"),
    ],
)
async def test_the_signature_binds_labels(settings, small, subject, tmp_path, signed, sent, code):
    """
    A label that somebody changed or took away after its owner signed voids the signature.
    """
    owner = Owner("knowledge-base")
    folder = bundle_with(tmp_path / "policies", {"knowledge-base": [owner.entry()]})
    [item] = [one for one in small["items"] if one["id"] == "sop-4.2.1"]
    said = {**item["provenance"], "labels": {"document_type": signed}}
    mark = sign_labels(said, item["content"], owner.key, owner.issuer, at=NOW)
    labels = None if sent is None else {"document_type": sent}
    item = {**item, "provenance": {**said, "labels": labels}, "attestation": mark}
    request = PackRequest.model_validate({**small, "items": [item]})
    async with running(settings.model_copy(update={"policies_dir": folder}), clock=lambda: NOW) as gateway:
        answer = await gateway.pipeline.rule(Asked(request, Subject.model_validate(subject), NOW))
    assert (code is None) == (len(answer.rulings) == 1)
    assert code is None or code in answer.withheld.codes


@pytest.mark.signatures
async def test_a_source_says_no_label_beyond_its_grant(settings, small, subject, tmp_path):
    """
    A source that may not say what kind of document something is, is not believed when it does.
    """
    owner = Owner("knowledge-base")
    grants = {"knowledge-base": {"labels": ["approved_on"]}}
    folder = bundle_with(tmp_path / "policies", {"knowledge-base": [owner.entry()]}, grants)
    [item] = [one for one in small["items"] if one["id"] == "sop-4.2.1"]
    item = owner.signs(item, labels={"document_type": "procedure"})
    request = PackRequest.model_validate({**small, "items": [item]})
    async with running(settings.model_copy(update={"policies_dir": folder}), clock=lambda: NOW) as gateway:
        answer = await gateway.pipeline.rule(Asked(request, Subject.model_validate(subject), NOW))
    assert "ATT-004" in answer.withheld.codes

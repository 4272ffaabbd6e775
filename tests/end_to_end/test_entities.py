"""Whose an item is, where it was taken from and whose work it is: nothing of another entity, corpus or domain comes through."""

import copy

from datetime import timedelta

import pytest

from gateway.bootstrap.gateway import running
from gateway.bootstrap.keys import signed_for_development
from gateway.errors import EntityDataEmptyError, EntityJurisdictionsError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records
from tests.support.packs import items_of

pytestmark = pytest.mark.signatures

OTHER = "NPA-2026-00999"


@pytest.fixture
def signed(gateway, subject):
    """A call with a request whose items are attested, by the analyst or with claims changed."""

    def make(request, *, sign=True, **claims):
        asked = PackRequest.model_validate(request)
        person = Subject.model_validate({**subject, "scope": "packs:write rulings:write ledger:read", **claims})
        return Asked(signed_for_development(asked, gateway.settings, NOW) if sign else asked, person, NOW)

    return make


@pytest.fixture
def ruled(gateway, signed):
    """Codes by item of what is refused in a request; what may be used has none."""

    async def ask(request, **claims):
        verdict = await gateway.pipeline.rule(signed(request, **claims))
        return {ruling.item_id: tuple(ruling.codes) for ruling in verdict.rulings}

    return ask


def item(request, name):
    return next(one for one in request["items"] if one["id"] == name)


def another(request, like, name, **labels):
    """The request with one item more, made from one that it has."""
    more = copy.deepcopy(item(request, like))
    more["id"] = name
    more["provenance"].update(labels)
    return {**request, "items": [*request["items"], more]}


async def test_the_record_of_another_project_is_refused(gateway, signed, ruled, small):
    """
    A confidential record of another project never comes into a pack, attested or not, nor does an email about it; the
    request's own is used as before.
    """
    request = another(small, "npa-record", "stolen", entity_id=OTHER)
    request = another(request, "email-client", "about-it", entity_id=OTHER)
    codes = await ruled(request)
    assert (codes["stolen"], codes["about-it"], codes["npa-record"]) == (("ENY-001",), ("ENY-001",), ())
    pack = await gateway.pipeline.assemble(signed(request))
    assert not {"stolen", "about-it"} & items_of(pack).keys()
    bare = copy.deepcopy(request)
    assert "ENY-001" in (await ruled(bare, sign=False))["stolen"]
    check_ledger(gateway)


async def test_the_record_of_another_project_is_no_substitute(gateway, signed, small):
    """
    Without the record of its own entity there is no pack, whoever else's record is there; the error names the entity and
    the source that has its record.
    """
    item(small, "npa-record")["provenance"]["entity_id"] = OTHER
    with pytest.raises(EntityDataEmptyError) as caught:
        await gateway.pipeline.assemble(signed(small))
    assert "NPA-2026-00142" in caught.value.detail
    assert "sor-npa" in caught.value.detail
    assert OTHER not in caught.value.detail
    assert "CTR-002" in caught.value.reasons


async def test_a_record_that_nobody_attests_is_none(gateway, signed, small):
    """
    What a caller merely says is the record of the entity does not stand for it, nor does its word on other entities count.
    """
    record = item(small, "npa-record")
    record["content"]["related_entities"] = [OTHER]
    request = another(small, "email-client", "about-it", entity_id=OTHER)
    with pytest.raises(EntityDataEmptyError):
        await gateway.pipeline.assemble(signed(request, sign=False))
    assert ("ENY-001",) in [ruling.codes for ruling in records(gateway, kind="item.ruled")]


async def test_what_the_record_lists_as_related_is_used(ruled, small):
    """
    An item of an entity that the request's own record lists is used; that of a third one is not.
    """
    item(small, "npa-record")["content"]["related_entities"] = [OTHER, 7]
    request = another(small, "npa-record", "related", entity_id=OTHER)
    request = another(request, "npa-record", "third", entity_id="NPA-2026-00777")
    codes = await ruled(request)
    assert (codes["related"], codes["third"]) == ((), ("ENY-001",))


async def test_an_item_without_the_entity_that_it_must_name(ruled, small):
    """
    A record that does not say whose it is is refused, and so is what belongs to an entity where the request names none.
    """
    request = another(small, "npa-record", "nobodys", entity_id=None)
    assert (await ruled(request))["nobodys"] == ("ENY-003",)
    assert (await ruled({**small, "entity": None}))["npa-record"] == ("ENY-002",)


async def test_jurisdictions_are_those_of_the_record(gateway, signed, ruled, small):
    """
    A request for a jurisdiction that its entity does not belong to is refused as a whole, and the error names the field.
    """
    record = item(small, "npa-record")
    record["content"]["jurisdictions"] = ["HK"]
    with pytest.raises(EntityJurisdictionsError) as caught:
        await gateway.pipeline.assemble(signed(small))
    assert caught.value.fields[0][0] == "jurisdictions"
    assert "SG" in caught.value.detail
    assert "ENY-005" in caught.value.reasons
    assert all("ENY-004" in codes for codes in (await ruled(small)).values())
    record["content"]["jurisdictions"] = "SG"
    assert "ENY-004" not in {code for codes in (await ruled(small)).values() for code in codes}


async def test_a_worker_gets_nothing_of_another_domain(ruled, small):
    """
    An internal procedure of operational risk does not come to the risk agent of new products, even for a COO.
    """
    request = another(small, "sop-4.2.1", "orm-note", domain="ORM", corpus=None)
    coo = {"role": "coo", "department": "COO", "domains": None, "entitlements": None}
    codes = await ruled(request, **coo)
    assert (codes["orm-note"], codes["sop-4.2.1"]) == (("ENT-005",), ())


async def test_corpora_bind_items(ruled, small):
    """
    A text is used only if its corpus is open in the request's jurisdictions and domain, and law must name its corpus.
    """
    request = another(small, "sop-4.2.1", "hk", corpus="hkma_guidelines")
    request = another(request, "sop-4.2.1", "law", corpus=None, source_type="external_official")
    request = another(request, "sop-4.2.1", "mas", corpus="mas_notices", source_type="external_official")
    codes = await ruled(request)
    assert (codes["hk"], codes["law"], codes["mas"]) == (("JUR-004",), ("JUR-005",), ())


async def test_a_standard_says_which_section(ruled, small):
    """
    An industry standard without its section cannot be relied on.
    """
    labels = {"corpus": "npa_regulatory_refs", "source_type": "industry_standard"}
    request = another(small, "sop-4.2.1", "whole", **labels, doc_section=None)
    request = another(request, "sop-4.2.1", "part", **labels)
    codes = await ruled(request)
    assert (codes["whole"], codes["part"]) == (("TRU-004",), ())


async def test_the_domain_is_the_floor_of_what_belongs_to_an_entity(gateway, signed, ruled, small):
    """
    A project's record that is labelled too low is no more open for that; the pack says how sensitive its domain is.
    """
    item(small, "npa-record")["provenance"]["data_classification"] = "PUBLIC"
    assert (await ruled(small, role="admin"))["npa-record"] == ("CLS-003",)
    pack = await gateway.pipeline.assemble(signed(small))
    assert pack.scope_metadata["data_sensitivity"] == "CONFIDENTIAL"


async def test_an_artifact_of_a_related_entity(settings, subject, small):
    """
    A heavy item of a related entity is had again through its handle, since the record that lists it is kept with it; it is
    refused once that record is too old to speak for others.
    """
    item(small, "npa-record")["content"]["related_entities"] = [OTHER]
    request = another(small, "sop-4.2.1", "heavy", entity_id=OTHER, ttl_seconds=10**6)
    item(request, "heavy")["content"] = " ".join(f"Step {number} of the related project." for number in range(200))
    chosen = settings.model_copy(update={"artifact_bytes": 1024, "artifact_seconds": 10**6})
    async with running(chosen, clock=lambda: NOW) as gateway:
        asked = signed_for_development(PackRequest.model_validate(request), chosen, NOW)
        person = Subject.model_validate(subject)
        handle = items_of(await gateway.pipeline.assemble(Asked(asked, person, NOW)))["heavy"].artifact
        kept = await gateway.stores.artifacts.open(handle, person, NOW)
        soon, late = NOW + timedelta(hours=1), NOW + timedelta(days=2)
        assert (await gateway.pipeline.fetch(Asked(kept, person, soon))).usable
        assert (await gateway.pipeline.fetch(Asked(kept, person, late))).codes == ("ENY-001",)

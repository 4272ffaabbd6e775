"""Recipes for officers, carried out with files alone: checked, proposed by one person, activated by another, and asked with."""

import copy

import pytest

from tests.support.bundles import OFFICER
from tests.support.commands import in_folder
from tests.support.oracle import check_ledger
from tests.support.recipes import bundle_after, recipes
from tests.support.web import gateway_of, is_problem

COUNTRY, SOURCE, AGE, DEPARTMENT = (
    "A new country",
    "A new kind of source",
    "An age limit for a kind of document",
    "A new department with its own corpora",
)


@pytest.fixture
def settings(settings):
    """A busy machine may take its time to try a bundle."""
    return settings.model_copy(update={"policies_trial_seconds": 300})


async def activated(post, title):
    """The bundle after a recipe, proposed by one officer and activated by another."""
    proposal = await post("/v1/policy/propose", {"files": bundle_after(title)}, sub="ann", scope=OFFICER)
    assert proposal.status_code == 200, proposal.text
    assert proposal.json()["problems"] == []
    revision = {"revision": proposal.json()["revision"]}
    own = await post("/v1/policy/activate", revision, sub="ann", scope=OFFICER)
    is_problem(own, 403, "GW-154")
    # Cases that a stricter row makes ask for something else are acknowledged by whoever gives the second word.
    seen = {"acknowledged": proposal.json()["acknowledge"]} if proposal.json()["acknowledge"] else {}
    answer = await post("/v1/policy/activate", revision | seen, sub="ben", scope=OFFICER)
    assert answer.status_code == 200, answer.text


async def outcomes(post, request, **claims):
    """What became of each item, by its id; `denied` ones are not told, so that they are missing."""
    answer = await post("/v1/rulings", request, scope="packs:write", **claims)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    return {one["item_id"]: one["outcome"] for one in told["rulings"]}, told["withheld"]["codes"]


def labelled(request, name, *, id_=None, **labels):
    """The request with labels of one item changed."""
    changed = copy.deepcopy(request)
    [item] = [one for one in changed["items"] if one["id"] == name]
    item["provenance"] |= labels
    item["id"] = id_ or name
    return changed


def in_malaysia(small):
    """A request about a project in Malaysia, with a text of its regulator."""
    request = copy.deepcopy(small)
    request["jurisdictions"] = ["MY"]
    record, sop = request["items"][:2]
    record["content"]["jurisdictions"] = ["MY"]
    record["provenance"]["jurisdiction"] = "MY"
    sop["provenance"] |= {
        "jurisdiction": "MY",
        "source_id": "BNM_RH_PD_029",
        "source_type": "external_official",
        "corpus": "bnm_policy_documents",
    }
    request["items"] = [record, sop]
    return request


def in_wealth(small):
    """A request of wealth management about one of its portfolios, with a view of the house."""
    request = copy.deepcopy(small)
    request |= {"agent_id": "WM_ANALYST", "entity": {"type": "portfolio", "id": "PF-7"}}
    record, sop = request["items"][:2]
    record["provenance"] |= {"source_id": "SoR:wm_portfolios", "domain": "WM", "entity_id": "PF-7"}
    sop["provenance"] |= {"source_id": "WM_House_View", "domain": "WM", "corpus": "wm_house_views"}
    request["items"] = [record, sop]
    return request


WEALTH = {"department": "WEALTH", "domains": ["WM"], "entitlements": ["wm:read"], "agents": ["WM_ANALYST"]}


def test_all_recipes_are_tried():
    """
    No recipe stands in the page that no test carries out.
    """
    assert {*recipes()} == {COUNTRY, SOURCE, AGE, DEPARTMENT}


@pytest.mark.parametrize("title", [COUNTRY, SOURCE, AGE, DEPARTMENT])
def test_the_desk_finds_nothing_wrong(title, tmp_path):
    """
    An officer who writes the lines of a recipe gets a bundle that may decide, all of whose cases hold.
    """
    for name, text in bundle_after(title).items():
        path = tmp_path / "bundle" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    command = in_folder(tmp_path)
    checked = command("policy", "check", "bundle")
    assert (checked.returncode, "may decide" in checked.stdout) == (0, True), checked.stdout + checked.stderr
    tested = command("policy", "test", "--quick", "bundle")
    assert tested.returncode == 0, tested.stdout + tested.stderr


async def test_a_new_country(post, client, small):
    """
    Malaysia is refused by name before its row decides, and served after the swap; who does not hold it stays out.
    """
    asked, person = in_malaysia(small), {"jurisdictions": ["SG", "MY"]}
    before = is_problem(await post("/v1/packs", asked, scope="packs:write", **person), 422, "GW-120")
    assert before["errors"][0]["field"] == "jurisdictions.0"
    assert "no jurisdiction of the bank" in before["errors"][0]["message"]
    await activated(post, COUNTRY)

    answer = await post("/v1/packs", asked, scope="packs:write", **person)
    assert answer.status_code == 200, answer.text
    found = [item["provenance"] for section in answer.json()["sections"] for item in section["items"]]
    assert {one["jurisdiction"] for one in found} == {"MY"}
    assert {one["corpus"] for one in found} == {None, "bnm_policy_documents"}
    outside = await post("/v1/packs", asked, scope="packs:write", jurisdictions=["SG"])
    assert is_problem(outside, 403, "GW-150")["reasons"] == ["SCP-003"]
    check_ledger(gateway_of(client))


async def test_a_new_kind_of_source(post, small):
    """
    A source type that no table has is refused with what there is; with its row it is used, fenced, and needs its labels.
    """
    asked = labelled(small, "email-client", source_type="kyc_document", effective_date="2026-01-01")
    before = is_problem(await post("/v1/packs", asked, scope="packs:write"), 422, "GW-120")
    assert before["errors"][0]["field"] == "items.2.provenance.source_type"
    await activated(post, SOURCE)
    told, _ = await outcomes(post, asked)
    assert told["email-client"] in {"released", "redacted"}
    told, codes = await outcomes(post, labelled(asked, "email-client", effective_date=None))
    assert "email-client" not in told
    assert codes == {"TRU-004": 1}


async def test_an_age_limit(post, small):
    """
    A procedure of four years is used until the row decides, and never after; a younger one still is, and so are others as old.
    """
    old = labelled(small, "sop-4.2.1", labels={"document_type": "procedure"}, effective_date="2022-02-28")
    young = labelled(small, "sop-4.2.1", labels={"document_type": "procedure"}, effective_date="2025-02-28")
    report = labelled(small, "sop-4.2.1", labels={"document_type": "report"}, effective_date="2022-02-28")
    assert (await outcomes(post, old))[0]["sop-4.2.1"] == "released"
    await activated(post, AGE)
    told, codes = await outcomes(post, old)
    assert ("sop-4.2.1" in told, codes) == (False, {"FRS-006": 1})
    for request in (young, report):
        assert (await outcomes(post, request))[0]["sop-4.2.1"] == "released"


async def test_a_new_department(post, small):
    """
    Wealth management is served from its own corpora once its rows decide; other departments neither ask its agent nor read its
    texts.
    """
    asked = in_wealth(small)
    before = await post("/v1/packs", asked, scope="packs:write", **WEALTH)
    is_problem(before, 422, "GW-140")
    await activated(post, DEPARTMENT)
    answer = await post("/v1/packs", asked, scope="packs:write", **WEALTH)
    assert answer.status_code == 200, answer.text
    assert [len(section["items"]) for section in answer.json()["sections"]] == [1, 1]
    other = await post("/v1/packs", asked, scope="packs:write", **{**WEALTH, "department": "RMG"})
    assert is_problem(other, 403, "GW-150")["reasons"] == ["SCP-004"]
    told, codes = await outcomes(post, labelled(small, "sop-4.2.1", corpus="wm_house_views"))
    assert ("sop-4.2.1" in told, codes) == (False, {"JUR-004": 1})

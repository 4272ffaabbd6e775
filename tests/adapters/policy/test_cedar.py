"""Entitlement in Cedar: the same codes as the Rego area, and never more permissive."""

import contextlib
import json

from dataclasses import replace

import pytest

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from adapters.policy.cedar import CedarEntitlement, CedarPolicyEngine, without_rego_entitlement
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.gateway import running
from gateway.errors import BundleInvalidError, ConfigurationError, PolicyMalformedError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from gateway.workbench.cases import load_cases, merged
from tests.support.clock import NOW
from tests.support.fakes import AnsweringPolicy
from tests.support.oracle import records
from tests.support.policy_facts import BASE

BUNDLE = load_bundle(HOME / "policies")
CEDAR = CedarEntitlement(BUNDLE)
CASES = [case for case in load_cases(HOME / "policies") if case.area == "entitlement" and case.facts]
REGO = RegorusPolicyEngine(BUNDLE, ["context/entitlement/permit", "context/entitlement/deny"])


def codes(denials):
    return sorted(denial["code"] for denial in denials)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_officers_cases(case):
    """
    Every case of the Rego area has the same codes in Cedar.
    """
    assert codes(CEDAR.denials(case.facts)) == list(case.codes)


DOMAINS = st.sampled_from([None, "NPA", "ORM", "DESK", "DCE", "ALL", "MOON"])


@hypothesis_settings(max_examples=500)
@given(
    st.sampled_from(["analyst", "checker", "coo", "admin", "intern"]),
    st.sampled_from(["RMG", "FINANCE", "LEGAL", "DESK", "COO", "CATERING"]),
    st.none() | st.lists(st.sampled_from(["NPA", "ORM", "DESK"]), max_size=3),
    st.none() | st.lists(st.sampled_from(["npa:read", "orm:read", "desk:read"]), max_size=3),
    st.sampled_from(["RISK", "GOVERNANCE", "ORM_ANALYST"]),
    st.sampled_from(["worker", "orchestrator", "reviewer", "poet"]),
    st.lists(st.sampled_from(["NPA", "ORM"]), max_size=2),
    DOMAINS,
    st.sampled_from([None, "PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"]),
)
def test_generated_facts(
    role, department, domains, entitlements, agent, archetype, agent_domains, domain, classification
):
    """
    On generated facts Cedar and Rego give the same codes.
    """
    facts = merged(
        BASE,
        {
            "subject": {"role": role, "department": department, "domains": domains, "entitlements": entitlements},
            "agent": {"id": agent, "archetype": archetype, "domains": agent_domains},
            "item": {"domain": domain, "data_classification": classification},
        },
    )
    assert codes(CEDAR.denials(facts)) == codes(REGO.query("context/entitlement/deny", facts))


@pytest.mark.parametrize(
    "facts", [{}, {"subject": {"role": 7}}, {"item": {"domain": ["NPA"]}}, {"subject": {"domains": 1}}]
)
def test_odd_facts_never_allow(facts):
    """
    Missing and wrong-typed facts refuse or are an error, never a permission.
    """
    with contextlib.suppress(PolicyMalformedError):
        assert CEDAR.denials(facts)


class TestLoad:
    @pytest.mark.parametrize(
        "change",
        [
            lambda text: text.replace("principal.role has clearance", "principal.rank == 1"),
            lambda text: text.replace("forbid (", "forbid [", 1),
        ],
    )
    def test_policies_must_fit_their_schema(self, change):
        """
        A policy with an unknown attribute, or that cannot be read, is refused at load.
        """
        broken = {**BUNDLE.others, "cedar/entitlement.cedar": change(BUNDLE.others["cedar/entitlement.cedar"])}
        with pytest.raises(BundleInvalidError):
            CedarEntitlement(replace(BUNDLE, others=broken))

    def test_a_bundle_without_cedar(self):
        """
        A setting that asks for Cedar needs a bundle that has it.
        """
        with pytest.raises(BundleInvalidError):
            CedarEntitlement(replace(BUNDLE, others={}))

    def test_cedar_is_part_of_the_revision(self):
        """
        The revision covers the Cedar policies too.
        """
        assert b"cedar/entitlement.cedar" in BUNDLE.content


def without(area):
    def change(answers):
        kept = [[d for d in answer["denials"] if not d["code"].startswith(area)] for answer in answers]
        return [
            {**answer, "denials": denials, "allow": not denials} for answer, denials in zip(answers, kept, strict=True)
        ]

    return change


class TestCombined:
    FACTS = merged(BASE, {"item": {"domain": "DESK"}})

    async def test_where_they_agree_nothing_changes(self, engine):
        """
        With both engines agreeing the answer is Rego's.
        """
        for facts in (BASE, self.FACTS):
            for mode in ("cedar", "both"):
                [answer] = await CedarPolicyEngine(engine, CEDAR, mode).evaluate("context/admit", [facts])
                assert [answer] == await engine.evaluate("context/admit", [facts])

    @pytest.mark.parametrize(("mode", "extra"), [("both", ["ENT-900"]), ("cedar", [])])
    async def test_cedar_is_stricter(self, engine, mode, extra):
        """
        Where only Cedar refuses, the item is refused; with both, the disagreement is in the ruling.
        """
        lax = AnsweringPolicy(engine, "context/admit", without("ENT-"))
        [answer] = await CedarPolicyEngine(lax, CEDAR, mode).evaluate("context/admit", [self.FACTS])
        assert answer["allow"] is False
        assert codes(answer["denials"]) == ["ENT-002", "ENT-003", "ENT-004", "ENT-005", *extra]

    async def test_rego_is_stricter(self, engine):
        """
        Where only Rego refuses, both together refuse, and the disagreement is in the ruling.
        """

        def refuse(answers):
            denial = {"code": "ENT-001", "message": "x"}
            return [{**answer, "allow": False, "denials": [denial]} for answer in answers]

        strict = AnsweringPolicy(engine, "context/admit", refuse)
        [answer] = await CedarPolicyEngine(strict, CEDAR, "both").evaluate("context/admit", [BASE])
        assert codes(answer["denials"]) == ["ENT-001", "ENT-900"]

    async def test_cedar_decides_alone(self):
        """
        Where Cedar decides alone, the Rego area neither permits nor refuses; the rest is Rego's as before.
        """
        engine = CedarPolicyEngine(RegorusPolicyEngine(without_rego_entitlement(BUNDLE)), CEDAR, "cedar")
        restricted = merged(BASE, {"item": {"data_classification": "RESTRICTED"}})
        good, foreign, secret = await engine.evaluate("context/admit", [BASE, self.FACTS, restricted])
        assert good["allow"] is True
        assert codes(foreign["denials"]) == ["ENT-002", "ENT-003", "ENT-004", "ENT-005"]
        assert codes(secret["denials"]) == ["CLS-001", "ENT-006"]
        assert engine.version.revision == BUNDLE.revision

    async def test_cedar_alone_needs_the_embedded_engine(self, settings):
        """
        A policy server always decides the Rego area too, so Cedar alone is not to be had with it.
        """
        chosen = settings.model_copy(update={"entitlement_engine": "cedar", "policy_engine": "opa"})
        with pytest.raises(ConfigurationError, match="decides alone"):
            async with running(chosen):
                pass

    @pytest.mark.parametrize("mode", ["both", "cedar"])
    async def test_a_story(self, settings, story, mode):
        """
        With Cedar alone and with both the story comes out the same, and the records name the engines.
        """
        chosen = settings.model_copy(update={"entitlement_engine": mode})
        async with running(chosen) as gateway:
            request, person = story("npa-risk", "request"), story("npa-risk", "subject")
            await gateway.pipeline.assemble(
                Asked(PackRequest.model_validate(request), Subject.model_validate(person), NOW)
            )
            ruled = records(gateway, kind="item.ruled")
            assert {record.policy.engine for record in ruled} == {
                "regorus+cedar" if mode == "both" else "regorus+cedar-alone"
            }
            expected = json.loads((HOME / "examples/npa-risk/expected.json").read_text())
            denied = {name for name, one in expected.items() if one["outcome"] == "denied"}
            assert {record.item.id for record in ruled if record.outcome == "denied"} == denied
            assert not [record for record in ruled if "ENT-900" in record.codes]


async def test_what_may_be_found_is_what_both_permit():
    """
    What Cedar refuses is not found, whatever Rego says, and what Rego refuses neither.
    """
    engine = CedarPolicyEngine(RegorusPolicyEngine(BUNDLE), CEDAR, "both")
    theirs = [case.facts for case in CASES][:20]
    found = await engine.evaluate("context/reach", theirs)
    admitted = await engine.evaluate("context/admit", theirs)
    assert [one["allow"] for one in found] == [one["allow"] for one in admitted]
    assert {one["allow"] for one in found} == {True, False}

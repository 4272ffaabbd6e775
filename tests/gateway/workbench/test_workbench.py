"""What an officer relies on: checks, cases, explanations, differences and simulations."""

import asyncio
import json
import os
import shutil

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.gateway import running
from gateway.bootstrap.policies import failing_rego_tests
from gateway.cli.checking.exits import FAILS, MAY_NOT_DECIDE
from gateway.errors import BundleInvalidError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME, Settings
from gateway.workbench.cases import load_cases, merged, rules_of, run
from gateway.workbench.checks import check
from gateway.workbench.diff import diff
from gateway.workbench.explain import explain
from gateway.workbench.mutation import mutate
from gateway.workbench.simulate import NEWLY_RELEASED, NEWLY_WITHHELD, simulate
from ledger.query import Filter
from tests.support.bundles import BASE, TRUST, edit, with_module
from tests.support.clock import NOW
from tests.support.commands import in_folder
from tests.support.oracle import catch_up, records
from tests.support.services import OPA, need, opa_server

POLICIES = HOME / "policies"
BUNDLE = load_bundle(POLICIES)


@pytest.fixture
def candidate(tmp_path):
    """A copy of the policies that a test may change."""
    shutil.copytree(POLICIES, tmp_path / "candidate")
    return tmp_path / "candidate"


class TestChecks:
    def test_the_shipped_bundle_may_decide(self):
        """
        Nothing is wrong with the policies that ship.
        """
        assert check(BUNDLE) == []

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("\nbad if {\n\tlevel := input.item.age_days\n\tlevel > 1\n}\n", "given a name"),
            ("\nbad if {\n\tlimit := threshold(input.item.corpus)\n\tlimit > 1\n}\n", "given a name"),
            ("\nbad if source_allowed with input as {}\n", "outside a test"),
            ("\nby_kind[kind] contains 1 if some kind in input.findings\n", "table with keys"),
            ("\nscores := [finding.score | some finding in input.findings]\n", "may be missing"),
            ("\nranks := {rank(name) | some name in input.reviews}\n", "may be missing"),
            ("\nbad if time.now_ns() > 0\n", "not the same every time"),
            ("\nbad if json.is_valid(input.now)\n", "differently than OPA"),
            ("\nbad if not {input.now}\n", "differently than OPA"),
            ("\ndefault bad(_) := true\n", "differently than OPA"),
            ("\nbad if count(deny) == 0\n", "counting refusals"),
            ('\ndeny contains {"code": "TRU-099", "message": "x"} if not source_allowed\n', "no METADATA"),
        ],
    )
    def test_what_may_not_be_written(self, line, message):
        """
        Each construct that is unsafe, or that decides wrongly, is refused with its file, line and a hint.
        """
        broken = with_module(TRUST, lambda rego: rego + line)
        [problem] = check(broken)
        assert message in problem.message
        assert problem.file == TRUST
        assert problem.hint
        assert (
            line.strip().split("\n")[0].split()[0] in broken.modules[TRUST].split("\n")[problem.line - 1]
            or problem.line > 1
        )

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("#   code: TRU-001", "#   code: TRU-777", "METADATA says TRU-777 and the rule says TRU-001"),
            ("# related_resources:\n#   - ref: https://controls.bank.example/AIG-001\n", "", "names no control"),
            ("# title: Source never allowed\n", "", "no METADATA with title"),
            ("permit if {", "allowed if {", "has no `permit`"),
        ],
    )
    def test_refusals_are_described(self, old, new, message):
        """
        A refusal says what it means, which control it implements, and the same code twice; an area has a permit.
        """
        text = BUNDLE.modules[TRUST]
        assert any(
            message in problem.message for problem in check(with_module(TRUST, lambda _: text.replace(old, new, 1)))
        )

    def test_a_code_belongs_to_one_rule(self):
        """
        No two areas share a code.
        """
        clash = with_module(TRUST, lambda rego: rego.replace("TRU-001", "JUR-001"))
        assert any("JUR-001 is used in" in problem.message for problem in check(clash))

    async def test_a_bundle_that_may_not_decide_is_not_loaded(self, settings, candidate):
        """
        The gateway does not start with a bundle that fails a check.
        """
        edit(candidate, "trust/trust.rego", "# METADATA\n# title: Trust", "# METADATA\n# title: Trust")
        with (candidate / "context/trust/trust.rego").open("a") as file:
            file.write("\nby_kind[kind] contains 1 if some kind in input.findings\n")
        with pytest.raises(BundleInvalidError, match="may not decide"):
            async with running(settings.model_copy(update={"policies_dir": candidate})):
                pass


class TestCases:
    def test_every_line_of_an_area_is_held_by_a_case(self):
        """
        The shipped cases hold, and changing any line of an area makes one of them fail.
        """
        cases = load_cases(POLICIES)
        assert run(RegorusPolicyEngine(BUNDLE, rules_of(cases)), cases) == []
        mutation = mutate(BUNDLE, cases, RegorusPolicyEngine, tests=failing_rego_tests, areas=["jurisdiction"])
        assert mutation.survivors == ()
        assert mutation.conditions > 50

    def test_a_missing_case_is_named(self):
        """
        Without the case that needs it, a condition's loss goes unnoticed, and is listed with its place.
        """
        cases = [case for case in load_cases(POLICIES) if "JUR-003" not in case.codes or case.area != "jurisdiction"]
        survivors = mutate(BUNDLE, cases, RegorusPolicyEngine, areas=["jurisdiction"]).survivors
        [lost] = [one for one in survivors if one.rule == "permit"]
        line = BUNDLE.modules[lost.file].splitlines()[lost.line - 1]
        assert (lost.condition, line) == ("without `jurisdiction_known`", "\tjurisdiction_known")

    def test_a_wrong_expectation_is_told_in_words(self):
        """
        A case that fails says what should be and what is.
        """
        [case, *_] = load_cases(POLICIES)
        wrong = replace(case, permitted=False, codes=("X-1",))
        [failure] = run(RegorusPolicyEngine(BUNDLE, rules_of([wrong])), [wrong])
        assert "should be refused with X-1, is allowed" in str(failure)

    def test_cases_that_cannot_be_read(self, candidate):
        """
        A file of cases with a part missing is named.
        """
        (candidate / "context/trust/cases.yaml").write_text("allowed: []\n")
        with pytest.raises(BundleInvalidError, match=r"trust/cases\.yaml"):
            load_cases(candidate)

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("refused:", "refusd:", "has no `refused`"),
            ("nothing_known:", "warned: []\nnothing_knwon: {}\nnothing_known:", "`nothing_knwon` is no part"),
            ("area: trust", "area: pii", "says that it is about pii"),
            ("    change: {}\n", "    chnage: {}\n", "no word of such a case"),
            ("    change: {}\n", "    change: {}\n    codes: [TRU-001]\n", "no word of such a case"),
        ],
    )
    def test_a_misspelt_case_is_not_passed_over(self, candidate, old, new, message):
        """
        A word that nobody reads would be a case that says nothing, so it is refused.
        """
        edit(candidate, "trust/cases.yaml", old, new)
        with pytest.raises(BundleInvalidError, match=message):
            load_cases(candidate)

    def test_what_an_entrypoint_lets_through_is_a_failure(self, candidate):
        """
        A case that its area refuses fails where the entrypoint no longer asks the area.
        """
        edit(candidate, "context.rego", "\tdata.context.exposure.permit\n", "")
        cases = load_cases(candidate)
        failures = run(RegorusPolicyEngine(load_bundle(candidate), rules_of(cases)), cases)
        assert [str(failure) for failure in failures] == [
            "exposure: an orchestrator and a record in plain text: `admit` does not refuse it with EXP-001."
        ]

    @pytest.mark.parametrize(
        ("area", "old", "new", "told"),
        [
            ("contract", "    codes: [KB-EMPTY]\n", "    codes: [CONFLICT]\n", "`warn` should say CONFLICT"),
            ("injection", "    codes: [INJ-003]\n", "    codes: []\n", "`set_aside` should say nothing"),
            (
                "trust",
                "answers: {obligations: [{type: cite}]}",
                "answers: {obligations: []}",
                "`obligations` should be",
            ),
        ],
    )
    def test_what_else_a_case_says(self, candidate, area, old, new, told):
        """
        Warnings, what is set aside, and further answers are held to the case too.
        """
        edit(candidate, f"{area}/cases.yaml", old, new)
        cases = load_cases(candidate)
        [failure] = run(RegorusPolicyEngine(load_bundle(candidate), rules_of(cases)), cases)
        assert told in str(failure)


class TestExplain:
    def test_the_checklist(self):
        """
        A refused item shows which conditions fail, on which facts, with which control, and what would help.
        """
        facts = merged(BASE, {"item": {"expiry_date": "2026-01-01"}})
        explanation = explain(BUNDLE, facts, RegorusPolicyEngine)
        failing = [(c.area, c.name) for c in explanation.conditions if not c.holds]
        assert failing == [("freshness", "before_expiry")]
        [condition] = [c for c in explanation.conditions if c.name == "before_expiry"]
        assert {"item.expiry_date": "2026-01-01", "now": BASE["now"]} == condition.facts
        assert [(r.code, r.controls) for r in explanation.reasons] == [
            ("FRS-004", ("https://controls.bank.example/GDO-004",))
        ]
        assert explanation.change == {"item.expiry_date": None}

    def test_a_change_of_two_facts(self):
        """
        Where no single fact would help, two are named.
        """
        facts = merged(BASE, {"item": {"expiry_date": "2026-01-01", "version": None}})
        change = explain(BUNDLE, facts, RegorusPolicyEngine).change or {}
        assert len(change) == 2
        assert "item.expiry_date" in change

    def test_a_released_item_needs_no_change(self):
        """
        What is released has every tick.
        """
        explanation = explain(BUNDLE, BASE, RegorusPolicyEngine)
        assert all(condition.holds for condition in explanation.conditions)
        assert (explanation.outcome, explanation.change) == ("released", None)


class TestDiff:
    def test_tables_and_rules(self, candidate):
        """
        Each change of a table row, a condition and a refusal is one sentence.
        """
        assert diff(BUNDLE, BUNDLE) == []
        edit(candidate, "trust/data.yaml", "web_purposes: [general_research]", "web_purposes: [risk_assessment]")
        edit(candidate, "entitlement/data.yaml", "  admin: INTERNAL\n", "")
        edit(candidate, "freshness/data.yaml", "system_of_record: 300", "system_of_record: 600")
        edit(candidate, "jurisdiction/jurisdiction.rego", "\twithin_request\n", "")
        edit(candidate, "pii/pii.rego", "# title: Not screened", "# title: Unscreened")
        sentences = diff(BUNDLE, load_bundle(candidate))
        for expected in (
            "table context.trust.web_purposes: general_research is removed.",
            "table context.trust.web_purposes: risk_assessment is added.",
            "table context.entitlement.clearance: the row admin (INTERNAL) is removed.",
            "table context.freshness.live_within_seconds.system_of_record: 300 becomes 600.",
            "context/jurisdiction/jurisdiction.rego: removed: within_request",
            "context/pii/pii.rego: the refusal PII-001 (Unscreened) is described differently.",
        ):
            assert expected in sentences
        assert len(sentences) == 6

    def test_modules(self):
        """
        A module that comes or goes is named.
        """
        less = replace(BUNDLE, modules={n: r for n, r in BUNDLE.modules.items() if n != TRUST})
        assert [f"{TRUST} is removed."] == diff(BUNDLE, less)
        assert [f"{TRUST} is added."] == diff(less, BUNDLE)


@pytest.fixture
async def past(gateway, story):
    """A gateway whose ledger holds a decided story."""
    request, person = story("npa-risk", "request"), story("npa-risk", "subject")
    await gateway.pipeline.assemble(Asked(PackRequest.model_validate(request), Subject.model_validate(person), NOW))
    catch_up(gateway)
    return gateway


def inputs(gateway):
    return gateway.ledger.parts.evidence.inputs


class TestSimulate:
    async def test_the_same_bundle_changes_nothing(self, past):
        """
        Deciding the past again under the bundle that decided it flips nothing.
        """
        result = simulate(past.store, inputs(past), RegorusPolicyEngine(BUNDLE), Filter())
        assert len(records(past, kind="item.ruled")) == result.decisions == result.unchanged
        assert not result.flips

    async def test_what_flips_and_for_whom(self, past, candidate):
        """
        A candidate's newly released and newly withheld items are counted by role, jurisdiction, source and rule.
        """
        edit(candidate, "trust/data.yaml", "web_purposes: [general_research]", "web_purposes: [risk_assessment]")
        edit(candidate, "trust/data.yaml", "  email: {trust_class: UNTRUSTED, authority_tier: 5}\n", "")
        result = simulate(past.store, inputs(past), RegorusPolicyEngine(load_bundle(candidate)), Filter())
        assert result.flips[NEWLY_RELEASED] == 1
        assert result.flips[NEWLY_WITHHELD] == 1
        assert result.by_source[NEWLY_RELEASED, "general_web"] == 1
        assert result.by_role[NEWLY_RELEASED, "analyst"] == 1
        assert result.by_code[NEWLY_RELEASED, "TRU-003"] == 1
        flip = next(flip for flip in result.examples if flip.kind == NEWLY_RELEASED)
        # As its record calls it: what is read on the web may be called after anybody.
        assert flip.item_id.startswith("label:")
        assert (flip.before, flip.codes) == ("denied", ("TRU-003",))

    async def test_limits_and_erasure(self, past):
        """
        A limit is kept, and decisions whose input is gone are counted as erased.
        """
        assert simulate(past.store, inputs(past), RegorusPolicyEngine(BUNDLE), Filter(), limit=5).decisions == 5
        past.store._connection.execute("DELETE FROM asides")
        result = simulate(past.store, inputs(past), RegorusPolicyEngine(BUNDLE), Filter())
        assert result.decisions == result.erased > 0
        assert simulate(past.store, inputs(past), RegorusPolicyEngine(BUNDLE), Filter(tenant="other")).decisions == 0


class TestCommands:
    @pytest.fixture
    def command(self, tmp_path):
        looked_in = f"{Path(OPA).parent if OPA else ''}:{os.environ['PATH']}"
        return partial(in_folder(tmp_path), "policy", CTXGATE_STATE_DIR=str(tmp_path / "state"), PATH=looked_in)

    def test_check_test_lint_and_docs(self, command, candidate):
        """
        On the shipped policies all is well; on a broken copy each command says where and why.
        """
        need(OPA is not None, "opa")
        for name in (("check",), ("test", "--quick"), ("lint",)):
            done = command(*name)
            assert done.returncode == 0, done.stdout + done.stderr
        assert "`JUR-001`" in command("docs").stdout
        edit(candidate, "jurisdiction/data.yaml", "[external_official, ind", "[external_oficial, ind")
        broken = command("test", candidate, "--quick")
        assert broken.returncode == MAY_NOT_DECIDE
        assert (
            "context/jurisdiction/data.yaml:43:22 must_name_a_corpus/0: external_oficial is no source" in broken.stdout
        )
        edit(candidate, "jurisdiction/data.yaml", "[external_oficial, ind", "[external_official, ind")
        edit(candidate, "entitlement/data.yaml", "analyst: CONFIDENTIAL", "analyst: PUBLIC")
        broken = command("test", candidate, "--quick")
        assert broken.returncode == FAILS
        assert "classification: internal for an analyst: should be allowed" in broken.stdout
        edit(candidate, "trust/trust.rego", "#   code: TRU-001", "#   code: TRU-777")
        broken = command("check", candidate)
        assert broken.returncode == MAY_NOT_DECIDE
        assert "Write the same code in both places." in broken.stdout

    @pytest.mark.soak
    def test_every_change_of_a_line_is_noticed_or_known(self, command):
        """
        Of the shipped rules no line and no alternative can be changed without a case that notices it, or a reason why none can.
        """
        done = command("test")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "28 areas, 4 of which only warn: " in done.stdout

    def test_an_officer_s_case_is_yaml_and_nothing_else(self, command, candidate):
        """
        A case that is added in YAML is run on both engines as it stands; the Rego file made from the cases stays untouched.
        """
        need(OPA is not None, "opa")
        made = (candidate / "context/cases_test.rego").read_bytes()
        case = '  - case: "a sheet"\n    change: {item: {source_type: reference_data}}\nrefused:\n'
        edit(candidate, "trust/cases.yaml", "refused:\n", case)
        done = command("test", candidate, "--quick")
        assert done.returncode == 0, done.stdout
        assert made == (candidate / "context/cases_test.rego").read_bytes()
        wrong = case.replace("reference_data", "hearsay").replace("a sheet", "a rumour")
        edit(candidate, "trust/cases.yaml", "refused:\n", wrong)
        done = command("test", candidate, "--quick")
        assert done.returncode == FAILS
        assert "trust: a rumour: should be allowed, is refused with TRU-001" in done.stdout

    def test_areas(self, command, candidate):
        """
        The list is shown in its order with who asks each area; the lines that ask them are written from it.
        """
        shown = command("areas", candidate).stdout
        assert shown.index("scoping") < shown.index("entitlement") < shown.index("grounding")
        assert "admit, release" in shown
        assert "asks them already" in command("areas", candidate, "--write").stdout
        edit(candidate, "context.rego", "\tdata.context.exposure.permit\n", "")
        assert "not those of the list" in command("check", candidate).stdout
        assert "written anew" in command("areas", candidate, "--write").stdout
        assert command("check", candidate).returncode == 0

    def test_explain_diff_and_simulate(self, command, candidate, tmp_path, story):
        """
        From an item, from a decision in the ledger, and from the whole ledger.
        """
        item = next(i for i in story("npa-risk", "request")["items"] if i["id"] == "hkma-circular")
        (tmp_path / "item.json").write_text(json.dumps(item))
        person = HOME / "examples/npa-risk/subject.json"
        shown = command("explain", "--item", tmp_path / "item.json", "--as", person, "--now", "2026-03-01T09:15:00Z")
        assert "JUR-002" in shown.stdout
        assert "It would be released if" in shown.stdout
        assert "Assumed: agent_id CLASSIFIER, purpose risk_assessment, jurisdictions HK." in shown.stdout

        async def decide():
            settings = Settings(state_dir=tmp_path / "state", detector_workers=0)
            async with running(settings) as gateway:
                request = PackRequest.model_validate(story("npa-risk", "request"))
                await gateway.pipeline.assemble(
                    Asked(request, Subject.model_validate(story("npa-risk", "subject")), NOW)
                )
                return records(gateway, kind="item.ruled", item_id="web-article")[0].decision_id

        decision_id = asyncio.run(decide())
        assert "TRU-003" in command("explain", "--decision", decision_id).stdout
        assert command("explain").returncode == 1
        assert command("explain", "--decision", "none").returncode == 1

        edit(candidate, "trust/data.yaml", "web_purposes: [general_research]", "web_purposes: [risk_assessment]")
        edit(candidate, "../registry/budgets/data.yaml", "relevance_weight: 0.6", "relevance_weight: 0.7")
        told = command("diff", POLICIES, candidate).stdout
        assert "web_purposes: risk_assessment is added." in told
        assert "weight of relevance: 0.6 becomes 0.7." in told
        assert "Nothing that decides differs" in command("diff", POLICIES, POLICIES).stdout
        simulated = command("simulate", candidate, "--fail-on", "newly-released")
        assert simulated.returncode == 4
        assert f": denied → released TRU-003 ({decision_id})" in simulated.stdout
        assert "weight of relevance: 0.6 becomes 0.7." in simulated.stdout
        assert command("simulate", POLICIES, "--fail-on", "newly-released").returncode == 0

    def test_parity(self, command):
        """
        A running OPA server is compared with the embedded engine, case by case.
        """
        need(OPA is not None, "opa")
        with opa_server(POLICIES) as url:
            assert "same documents" in command("parity", "--url", url).stdout
        assert command("parity", "--url", "http://127.0.0.1:9").returncode == 1

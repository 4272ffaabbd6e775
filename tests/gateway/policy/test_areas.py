"""The list of areas: what it drives, what is refused where it is not true, and why nothing is looked up by name."""

import functools
import json
import re
import shutil

from dataclasses import replace

import pytest
import regorus

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.errors import BundleInvalidError
from gateway.policy.annotations import conditions, refusals, with_conditions
from gateway.policy.areas import LIST, areas_of, lines, written
from gateway.policy.bundle import load_bundle
from gateway.policy.codes import GATEWAY_CODES, rows
from gateway.policy.rego.reader import modules
from gateway.settings import HOME
from gateway.workbench.case_tests import FILE, case_tests, with_base_input
from gateway.workbench.cases import load_cases, merged
from gateway.workbench.checks import check
from gateway.workbench.explain import explain
from gateway.workbench.mutants.edits import edits
from gateway.workbench.mutants.trial import Trial
from gateway.workbench.mutation import module_of, mutate
from gateway.workbench.scaffold import write_areas
from tests.support.bundles import BASE, edit, with_module

POLICIES = HOME / "policies"
BUNDLE = load_bundle(POLICIES)
AREAS = areas_of(BUNDLE)
CASES = load_cases(POLICIES)
EXPLAINED = {
    code: (area.name, refusal.conditions)
    for area in AREAS.listed
    for refusal in refusals(BUNDLE.modules[module_of(area)])
    for code in refusal.codes
}
"""For every code of a refusal: its area, and the conditions whose absence it explains."""


@functools.cache
def compiled(rules):
    return RegorusPolicyEngine(BUNDLE, rules)


def once(_, rules):
    """Compiles the shipped bundle once for the same rules."""
    return compiled(tuple(rules))


@pytest.fixture
def candidate(tmp_path):
    """A copy of the policies that a test may change."""
    shutil.copytree(POLICIES, tmp_path / "candidate")
    return tmp_path / "candidate"


ASKED = [(case, entrypoint) for case in CASES for entrypoint in case.entrypoints if case.facts]


class TestExplain:
    @pytest.mark.parametrize(("case", "entrypoint"), ASKED, ids=[f"{c.area}: {c.name}: {e}" for c, e in ASKED])
    def test_every_refusal_has_its_cross(self, case, entrypoint, monkeypatch):
        """
        For every case of every area: each refusal of the answer has a cross at the very condition that it explains.
        """
        monkeypatch.setattr("gateway.workbench.explain._smallest_change", lambda *_: None)
        explanation = explain(BUNDLE, case.facts, once, entrypoint)
        crosses = {(line.area, line.name) for line in explanation.conditions if not line.holds}
        if case.permitted is False:
            assert set(case.codes) <= {reason.code for reason in explanation.reasons}
        for reason in explanation.reasons:
            area, names = EXPLAINED[reason.code]
            assert {(area, name) for name in names} & crosses, reason.code

    @pytest.mark.parametrize(
        ("change", "code", "line"),
        [
            (
                {"agent": {"archetype": "orchestrator"}, "item": {"section": "entity"}},
                "EXP-001",
                ("exposure", "members_can_be_listed"),
            ),
            ({"agent": {"archetype": "orchestrator"}}, "CTR-005", ("sections", "section_permitted")),
            (
                {"item": {"section": "prior_result", "source_id": "agent:CLASSIFIER", "meets_schema": True}},
                "CTR-006",
                ("sections", "result_structured"),
            ),
        ],
    )
    def test_what_was_ticked_although_it_refused(self, change, code, line):
        """
        Sections and exposure show a cross like any other area, and a change that would help is proposed.
        """
        facts = {
            **merged(BASE, change),
            "screened": ["pii/patterns", "pii/structured", "pii/full", "injection", "rendering"],
        }
        explanation = explain(BUNDLE, facts, once)
        assert [reason.code for reason in explanation.reasons] == [code]
        assert [(one.area, one.name) for one in explanation.conditions if not one.holds] == [line]
        assert explanation.change

    def test_every_area_that_is_asked_is_shown(self):
        """
        The checklist has the areas of the list, in its order.
        """
        for entrypoint in AREAS.entrypoints():
            shown = dict.fromkeys(line.area for line in explain(BUNDLE, BASE, once, entrypoint).conditions)
            assert [area.name for area in AREAS.asked_by(entrypoint) if area.refuses] == list(shown)


class TestMutation:
    def test_no_area_is_passed_over(self):
        """
        The areas of the list are counted, and the rules of each, and of the entrypoints, have lines to change.
        """
        mutation = mutate(BUNDLE, [], RegorusPolicyEngine, areas=["sections"])
        assert len(AREAS.listed) == mutation.areas
        assert mutation.silent == sum(not area.refuses for area in AREAS.listed)
        changed = {name for name, module in modules(BUNDLE).items() if any(edits(module))}
        assert {module_of(area) for area in AREAS.listed} <= changed
        assert "context/context.rego" in changed

    @pytest.mark.parametrize(
        "text",
        [
            "permit if {{ exceptions_current }}\n",
            "permit if count([1]) > 0\n",
            "",
            "permit := true\n",
            "permit if a\n\npermit if b\n",
        ],
    )
    def test_a_checklist_that_cannot_be_read_is_told(self, text):
        """
        A bundle may not decide where one of the checklists cannot be read.
        """
        name = "context/exceptions/exceptions.rego"
        broken = with_module(name, lambda rego: rego.replace("permit if exceptions_current\n", text))
        assert any(problem.file == name for problem in check(broken))

    def test_a_lost_condition_of_the_entrypoint_is_noticed(self):
        """
        Without the cases of an area, nothing would notice that the entrypoints no longer ask it.
        """
        few = [case for case in CASES if case.area == "attestation"]
        [change] = [
            one
            for one in edits(modules(BUNDLE)["context/context.rego"])
            if "sections.permit" in one.what and one.rule == "_admit_permitted" and "alternative" not in one.what
        ]
        text = change.applied(modules(BUNDLE)["context/context.rego"])
        assert not Trial(BUNDLE, few, RegorusPolicyEngine).noticed_by("context/context.rego", text)
        assert (
            Trial(BUNDLE, CASES, RegorusPolicyEngine).noticed_by("context/context.rego", text).startswith("sections: ")
        )


class TestReader:
    def test_both_forms_of_permit(self):
        """
        One statement on a line of its own or behind `if` is read; comments and empty lines are no conditions.
        """
        assert conditions("package a\n\npermit if one\n") == ["one"]
        assert conditions("package a\n\npermit if {\n\tone # why\n\n\t# said before\n\ttwo\n}\n") == ["one", "two"]

    def test_a_checklist_is_written_as_it_is_read(self):
        """
        What is written is read again; without a condition the rule always holds.
        """
        rego = "package a\n# before\npermit if one\n\none if input.a\n"
        more = with_conditions(rego, ["one", "two"])
        assert conditions(more) == ["one", "two"]
        assert more == "package a\n# before\npermit if {\n\tone\n\ttwo\n}\n\none if input.a\n"
        assert conditions(with_conditions(rego, [])) == ["true"]


class TestList:
    def test_context_asks_exactly_the_listed(self):
        """
        The lines of the shipped `context.rego` are those of the list.
        """
        assert lines(AREAS) == written(BUNDLE.modules["context/context.rego"])

    @pytest.mark.parametrize(
        ("file", "old", "new", "message", "where"),
        [
            (
                "areas/data.yaml",
                "  - {name: trust, entrypoint: admit, title: Trust, waivable: true}\n",
                "",
                "the area trust is not in the list",
                "context/trust/trust.rego",
            ),
            ("areas/data.yaml", "name: trust,", "name: thrust,", "thrust is listed, and there is no", LIST),
            (
                "areas/data.yaml",
                "{name: pii, entrypoint: release",
                "{name: pii, entrypoint: relase",
                "is no entrypoint",
                LIST,
            ),
            (
                "areas/data.yaml",
                "title: Scope}",
                "title: Scopes}",
                "calls the area `Scopes`",
                "context/scoping/scoping.rego",
            ),
            (
                "areas/data.yaml",
                "  - {name: grounding, entrypoint: citation, title: Grounding}\n",
                "",
                "no area belongs to `citation`",
                LIST,
            ),
            (
                "areas/data.yaml",
                "  - {name: scoping, entrypoint: scope, title: Scope}\n",
                2 * "  - {name: scoping, entrypoint: scope, title: Scope}\n",
                "listed twice",
                LIST,
            ),
            ("areas/data.yaml", "{release: admit}", "{release: submit}", "names no entrypoints", LIST),
            (
                "areas/data.yaml",
                "title: Conflicts between sources, refuses: false, warns: true}",
                "title: Conflicts between sources, warns: true}",
                "has no `permit`",
                "context/conflicts/conflicts.rego",
            ),
            (
                "areas/data.yaml",
                "title: Exposure}",
                "title: Exposure, refuses: false}",
                "has a `permit` or a `deny`",
                "context/exposure/exposure.rego",
            ),
            (
                "areas/data.yaml",
                "title: Exposure}",
                "title: Exposure, warns: true}",
                "its rules say otherwise",
                "context/exposure/exposure.rego",
            ),
            (
                "areas/data.yaml",
                "{name: pii, entrypoint: release, title",
                "{name: pii, entrypoint: release, titel",
                "cannot be read",
                LIST,
            ),
            ("areas/data.yaml", "list:", "lists:", "no list of its areas", LIST),
            (
                "context.rego",
                "\tdata.context.classification.permit\n",
                "",
                "not those of the list",
                "context/context.rego",
            ),
            (
                "context.rego",
                "\tnot refusal.code in data.context.exceptions.waived\n",
                "",
                "not those of the list",
                "context/context.rego",
            ),
            (
                "context.rego",
                "# End of what is written",
                "# The end of what is written",
                "comments between which",
                "context/context.rego",
            ),
            (
                "trust/trust.rego",
                "package context.trust",
                "package context.thrust",
                "the area is not where it is looked for",
                "context/trust/trust.rego",
            ),
            (
                "trust/trust.rego",
                "\tsource_known\n",
                "\tsource_knwon\n",
                "no named statement",
                "context/trust/trust.rego",
            ),
            (
                "trust/trust.rego",
                "\tsource_known\n",
                "\tinput.item.version\n",
                "no named statement",
                "context/trust/trust.rego",
            ),
            (
                "trust/trust.rego",
                "\tsource_known\n",
                "\tinput.item.version == 1\n",
                "cannot be read",
                "context/trust/trust.rego",
            ),
            ("notices/data.yaml", "    owner: AI Governance\n", "", "QUARANTINED.owner is missing", "context"),
            (
                "entitlement/data.yaml",
                "  ENT-900:",
                "  ENT-901:",
                "gives the code ENT-900",
                "context/entitlement/data.yaml",
            ),
            ("entitlement/data.yaml", "  ENT-900:", "  ENT-001:", "given by a rule and by the gateway", "context"),
        ],
    )
    def test_a_list_that_is_not_true(self, candidate, file, old, new, message, where):
        """
        What the list, the areas, the lines that ask them or the tables of codes say wrongly is told with file and hint.
        """
        edit(candidate, file, old, new)
        [problem] = [one for one in check(load_bundle(candidate)) if message in one.message]
        assert problem.file == where
        assert problem.hint

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("context/trust/more.rego", "package context.trust\n\npermit if input.vip\n", "stands in a second file"),
            ("context/more.rego", "package context\n\n_admit_permitted if input.vip\n", "by more than the areas"),
            ("context/context.rego", "\n_admit_permitted if input.vip\n", "by more than the areas"),
            ("context/trust/trust.rego", "\ndefault permit := true\n", "has a default"),
            ("context/trust/trust.rego", "\npermit if input.vip\n", "written more than once"),
        ],
    )
    def test_nothing_permits_beside_the_lists(self, name, text, message):
        """
        A second way to be permitted, beside a checklist or beside the list of areas, is refused.
        """
        modules = {**BUNDLE.modules, name: BUNDLE.modules.get(name, "") + text}
        assert any(message in problem.message for problem in check(replace(BUNDLE, modules=modules)))

    def test_the_line_of_the_list_is_told(self, candidate):
        """
        A problem with one line of the list is told with that line.
        """
        edit(candidate, "areas/data.yaml", "name: trust,", "name: thrust,")
        [problem] = [one for one in check(load_bundle(candidate)) if one.rule == "thrust"]
        line = (candidate / "context/areas/data.yaml").read_text().split("\n")[problem.line - 1]
        assert "name: thrust," in line

    def test_the_lines_are_written_from_the_list(self, candidate):
        """
        After the list is changed, the lines are written anew, and the bundle may decide again.
        """
        line = "  - {name: exposure, entrypoint: admit, title: Exposure}\n"
        edit(candidate, "areas/data.yaml", line, "")
        edit(candidate, "areas/data.yaml", "  - {name: entitlement", line + "  - {name: entitlement")
        assert any("not those of the list" in problem.message for problem in check(load_bundle(candidate)))
        assert write_areas(candidate)
        assert check(load_bundle(candidate)) == []
        assert not write_areas(candidate)

    def test_an_entrypoint_may_not_include_one_that_includes_another(self, candidate):
        """
        What an entrypoint includes is told in one step, so that nothing can go round in a circle.
        """
        edit(candidate, "areas/data.yaml", "{release: admit}", "{release: admit, admit: release}")
        with pytest.raises(BundleInvalidError, match="includes none itself"):
            areas_of(load_bundle(candidate))


class TestLookedUpByName:
    """Why the areas are written out (docs/adr/0013-areas.md): should one of these fail, look again."""

    MODULES = (
        ("a.rego", "package areas.a\npermit if input.a\n"),
        ("b.rego", "package areas.b\npermit if input.b\n"),
        (
            "c.rego",
            "package c\ndefault allow := false\nallow if { every area in data.l.areas { data.areas[area].permit } }\n",
        ),
    )
    DATA = json.dumps({"l": {"areas": ["a", "b"]}})

    def test_the_compiled_program_mistakes_one_area_for_another(self):
        """
        With one area that permits and one that does not, the compiled program lets through what the interpreter refuses.
        """
        program = regorus.Program.compile_from_modules(self.DATA, list(self.MODULES), ["data.c.allow"])
        machine = regorus.Rvm()
        machine.load_program(program)
        machine.set_data_json(self.DATA)
        machine.set_input_json('{"a": true}')
        interpreter = regorus.Engine()
        for name, rego in self.MODULES:
            interpreter.add_policy(name, rego)
        interpreter.add_data_json(self.DATA)
        interpreter.set_input_json('{"a": true}')
        assert json.loads(interpreter.eval_rule_as_json("data.c.allow")) is False
        assert json.loads(machine.execute_entry_point("data.c.allow")) is True

    @pytest.mark.parametrize("line", ["data.context[area].permit", "data[name].permit"])
    def test_so_a_bundle_that_does_it_is_refused(self, line):
        """
        The check refuses a rule that looks an area up by a name that is not written out.
        """
        broken = with_module(
            "context/context.rego", lambda rego: rego + f'\n_any if {{\n\tsome area in ["trust"]\n\t{line}\n}}\n'
        )
        assert any("not written out" in problem.message for problem in check(broken))


class TestCodes:
    def test_every_code_of_the_gateway_is_described(self):
        """
        What the gateway says itself has a title, a meaning, an owner, a control and words, in the area it belongs to.
        """
        assert {one.code: one.area for one in rows(BUNDLE)} == GATEWAY_CODES

    def test_the_gateway_gives_no_other_codes(self):
        """
        A code of policy's kind that stands in Python is one of those, or the code of a rule that Python asks for.
        """
        emitted = set(EXPLAINED) | {"SHA-256"}
        literal = re.compile(r'"((?!GW-|EXC-)[A-Z]{3}-\d{3})"|\(\s*code="([A-Z-]+)"')
        for folder in ("gateway", "adapters"):
            for path in (HOME / folder).rglob("*.py"):
                found = {code for pair in literal.findall(path.read_text()) for code in pair if code} - emitted
                assert found <= GATEWAY_CODES.keys(), path

    def test_authzen_says_what_the_table_says(self):
        """
        The refusal that is given without asking policy has the words of its row.
        """
        from gateway.api import authzen

        [row] = [one.row for one in rows(BUNDLE) if one.code == "AZN-001"]
        assert row.message == authzen.OTHER_SUBJECT_MESSAGE


class TestCaseTests:
    def test_they_are_made_from_the_cases(self, candidate):
        """
        A case that is added in YAML is in the Rego tests made anew, which are otherwise those that are kept.
        """
        assert case_tests(BUNDLE) == (POLICIES / FILE).read_text()
        edit(
            candidate,
            "trust/cases.yaml",
            "refused:\n",
            '  - case: "a sheet"\n    change: {item: {source_type: reference_data}}\nrefused:\n',
        )
        assert '"a sheet"' in case_tests(load_bundle(candidate))

    def test_a_bundle_without_cases_stays_as_it_is(self):
        """
        Where no cases came along there is nothing to make.
        """
        bare = replace(BUNDLE, checks={})
        assert with_base_input(bare) == bare


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "  stale: [FRS-002, FRS-004, FRS-005]\n",
            "",
            {"`stale` lists no code, so its metric counts nothing.", "the entry `stale` is missing."},
        ),
        ("stale: [FRS-002,", "stale: [FRS-902,", {"`stale` lists FRS-902, which no rule gives."}),
        ("stale: [FRS-002, FRS-004, FRS-005]", "stale: 7", {"the table cannot be read.", "7 should be a list."}),
        (
            "  stale: [",
            "  stael: [",
            {"the table cannot be read.", "the entry `stale` is missing.", "there is no entry `stael` here."},
        ),
    ],
)
def test_a_metric_that_would_count_nothing_is_refused(policies, old, new, told):
    """
    A kind of incident without codes, or with a code that nothing gives, would say for ever that all is well: it is told for what it
    does to the metric, and at its place where the table has another form than its schema.
    """
    edit(policies, "notices/data.yaml", old, new)
    problems = check(load_bundle(policies))
    assert sorted(problem.message for problem in problems) == sorted(told)
    assert {problem.file for problem in problems} == {"context/notices/data.yaml"}


def test_the_shipped_bundle_counts_no_missing_label_as_a_violation():
    """
    What counts as a violation of trust is what is never allowed, untrusted instructions, and attestations that do not hold.
    """
    listed = BUNDLE.data["context"]["notices"]["incidents"]["trust"]
    assert {"TRU-001", "TRU-005", "ATT-*"} <= set(listed)
    assert not {"TRU-002", "TRU-003", "TRU-004", "INJ-001"} & set(listed)

"""Slips of the pen in tables and cases: each is refused at its place, with what was meant."""

import re

import pytest

from gateway.errors import BundleInvalidError
from gateway.policy.archive import build, read
from gateway.policy.bundle import bundle_of
from gateway.policy.vetting.check import MOST, misplaced
from gateway.workbench.checks import check
from tests.support.bundles import files
from tests.support.effort import Effort

EXCEPTIONS = "context/exceptions/data.yaml"
ENTITLEMENT = "context/entitlement/data.yaml"


def changed(*changes):
    return bundle_of({name: text.encode() for name, text in files(changes).items()})


def slips(*changes):
    return misplaced(changed(*changes))


def test_the_shipped_bundle_has_none():
    """
    Nothing is wrong with the tables and cases as they are shipped.
    """
    assert slips() == []


@pytest.mark.parametrize(
    ("name", "old", "new", "at", "says", "hint"),
    [
        (EXCEPTIONS, '"2026-06-30"', '"31/12/2020"', "expires", "31/12/2020 is no date", "Did you mean 2020-12-31?"),
        (EXCEPTIONS, '"2026-06-30"', "31/12/2020", "expires", "31/12/2020 is no date", "Did you mean 2020-12-31?"),
        (EXCEPTIONS, '"2026-06-30"', "2026-13-45", "expires", "2026-13-45 is no date", "Write a day, such as"),
        (EXCEPTIONS, '"2026-06-30"', "20260630", "expires", "20260630 is no date", "Did you mean 2026-06-30?"),
        (EXCEPTIONS, '"2026-06-30"', '"2026-06-30T00:00:00+08:00"', "expires", "is no date", "2026-06-29T16:00:00Z?"),
        (EXCEPTIONS, '"2026-06-30"', "null", "expires", "should be a valid string", ""),
        (EXCEPTIONS, '"2026-06-30"', "[2026-06-30]", "expires", "should be a valid string", ""),
        (EXCEPTIONS, '    expires: "2026-06-30"\n', "", "- id: EXC-2026-001", "needs `expires`", ""),
        (EXCEPTIONS, "expires: ", "expiers: ", "expiers", "no `expiers`", "Did you mean expires?"),
        (EXCEPTIONS, "{agent: RISK, ", "{agnet: RISK, ", "scope", "no `agnet`", "Did you mean agent?"),
        (EXCEPTIONS, "agent: RISK,", "agent: RSIK,", "scope", "RSIK is no agent", "Did you mean RISK?"),
        (EXCEPTIONS, "purpose: risk_assessment", "purpose: risk_asessment", "scope", "no purpose", "risk_assessment?"),
        (EXCEPTIONS, "id: EXC-2025-007", "id: EXC-2026-001", "- id: EXC-2026-001", "stands twice", "the next one"),
        (EXCEPTIONS, "waivable: [", "waivable: [ENT-001, ", "waivable", "ENT-001 is no code of a refusal that may", "No exception waives it"),
        (EXCEPTIONS, "FRS-005, ", "FSR-005, ", "waivable", "FSR-005 is no code", "Did you mean FRS-00"),
        (EXCEPTIONS, "codes: [FRS-004]", "codes: [FRS-001]", "codes", "FRS-001 is no code of the list `waivable`", ""),
        (EXCEPTIONS, "waivable: [", "waivabel: [", "waivabel", "nothing reads a table `waivabel`", "Did you mean waivable?"),
        (ENTITLEMENT, "coo: RESTRICTED", "coo: RESTRCTED", "coo", "RESTRCTED is no classification", "RESTRICTED?"),
        (ENTITLEMENT, "coo: RESTRICTED", "coo: true", "coo", "`true` without quotes is no classification", ""),
        (ENTITLEMENT, "FINANCE: [NPA]", "FINANCE: [NPP]", "FINANCE", "NPP is no domain", ""),
        (ENTITLEMENT, "[MASTER_COO, ", "[MASTER_CEO, ", "named_agents", "MASTER_CEO is no agent", "MASTER_COO?"),
        ("context/notices/data.yaml", "[KB-EMPTY", "[KB-EMTPY", "tell_the_model", "KB-EMTPY is no code", "KB-EMPTY?"),
        ("context/trust/data.yaml", "[source_id, version]", "[source_id, verison]", "agent_output", "no label", "version?"),
        ("context/pii/data.yaml", "HK_HKID: replace}", "HK_HKIDD: replace}", "HK", "HK_HKIDD is no type", "HK_HKID?"),
        ("context/scoping/data.yaml", "[routing, ", "[rooting, ", "orchestrator", "rooting is no purpose", "routing?"),
        ("registry/sources/data.yaml", "domains: [NPA]", "domains: [NAP]", "domains", "NAP is no domain", "NPA?"),
        ("registry/agents/data.yaml", "archetype: worker", "archetype: wroker", "IDEATION", "no archetype", "worker?"),
        ("context/limits/data.yaml", "turns_section: conv", "turns_section: conf", "turns", "no section", "conversation?"),
        ("context/limits/data.yaml", "turns_section", "approvals: [{day: 30/06/2027}]\nturns_section", "approvals", "", ""),
        ("context/freshness/cases.yaml", "'2026-03-02'", "02/03/2026", "change", "is no date", "2026-03-02 or 2026-02-03?"),
        ("context/freshness/cases.yaml", "codes: [FRS-004]", "codes: [FRS-040]", "codes", "no rule gives", "FRS-004?"),
        ("context/freshness/cases.yaml", "change: {}", "chnage: {}", "chnage", "no word of a case", "change?"),
        ("context/freshness/cases.yaml", "{item: {effective", "{itme: {effective", "change", "no question tells", "item?"),
        ("context/freshness/cases.yaml", "{expiry_date:", "{expire_date:", "change", "no question tells", "expiry_date?"),
        ("context/cases.base.yaml", "now: ", "nwo: ", "nwo", "no question tells `nwo`", "Did you mean now?"),
    ],
)  # fmt: skip
def test_a_slip_is_refused_where_it_was_made(name, old, new, at, says, hint):
    """
    Whoever checks, tests, proposes, activates or starts with it is told the file, the line and the column of the slip, and what
    was meant.
    """
    bundle = changed((name, old, new))
    found = [one for one in check(bundle) if says in one.message and hint in one.hint and one.file == name]
    assert found
    text = files([(name, old, new)])[name].split("\n")[found[0].line - 1]
    assert text.strip().startswith(at) or at in text
    assert 0 < found[0].column <= len(text)
    assert str(found[0]).startswith(f"{name}:{found[0].line}:{found[0].column}: ")


@pytest.mark.parametrize("day", ["2026-06-30", '"2026-06-30"', "2026-06-30T10:00:00Z", "'2026-06-30T10:00:00.5Z'"])
def test_a_date_needs_no_quotes(day):
    """
    A day or a time in UTC is one date, quoted or not, and rules are told it as a text.
    """
    bundle = changed((EXCEPTIONS, '"2026-06-30"', day))
    assert check(bundle) == []
    assert bundle.data["context"]["exceptions"]["granted"][0]["expires"] == day.strip("\"'")


def test_a_table_that_is_gone_is_named():
    """
    A table that rules read and that is not there is named, with how many rules read it, and where the first stands.
    """
    text = files()[ENTITLEMENT]
    start, end = text.index("department_domains:"), text.index("# The entitlement that opens")
    found = slips((ENTITLEMENT, text[start:end], ""))
    [one] = found
    assert re.fullmatch(
        r"there is no table `department_domains`, and \d rules read it, first context/\w+/\w+\.rego:\d+:\d+\.",
        one.message,
    )


def test_a_table_that_a_rule_reads_whole_is_read():
    """
    Where a rule reads all tables of an area, or imports them, none of them is called unread.
    """
    more = (ENTITLEMENT, "clearance:\n", "extra: 1\nclearance:\n")
    assert [one.message for one in slips(more)] == ["nothing reads a table `extra`."]
    module = "package context.pii\n", "package context.pii\n\nimport data.context.entitlement\n"
    schema = ("context/entitlement/schema.json", '"properties": {\n', '"properties": {\n    "extra": {},\n')
    assert slips(more, schema, ("context/pii/pii.rego", *module)) == []


@pytest.mark.parametrize(
    "table", ["granted: 7", "granted: [7]", "granted: [{scope: 7, codes: {a: b}}]", "granted: null"]
)
def test_what_is_no_exception_at_all(table):
    """
    Tables of any other shape are refused; none is an accident.
    """
    text = files()[EXCEPTIONS]
    found = slips((EXCEPTIONS, text[text.index("granted:") :], f"{table}\n"))
    assert {one.file for one in found} == {EXCEPTIONS}


def test_a_place_is_line_and_column():
    """
    The place is that of the value, also within a list on one line.
    """
    found = slips((EXCEPTIONS, "waivable: [FRS-002, ", "waivable: [FRS-002, ENT-001, "))
    line = files()[EXCEPTIONS].split("\n").index("waivable: [FRS-002, FRS-004, FRS-005, TRU-003, TRU-004]") + 1
    assert [(one.line, one.column) for one in found] == [(line, 21)]


def test_no_archive_is_read_with_a_slip():
    """
    An archive whose tables have a date that is none is refused when it is read, whoever built it.
    """
    archive = build(changed((EXCEPTIONS, '"2026-06-30"', '"31/12/2020"')), None)
    with pytest.raises(BundleInvalidError, match=r"exceptions/data.yaml:\d+:14: .* 31/12/2020 is no date.*2020-12-31"):
        read(archive, None)


def test_slips_are_told_of_up_to_a_number_and_cost_in_proportion():
    """
    However many there are, some are told of, and a table of a megabyte costs some passes.
    """

    def wrong(count):
        rows = "".join(f"  D{index}: [X{index}]\n" for index in range(count))
        return changed((ENTITLEMENT, "department_domains:\n", f"department_domains:\n{rows}"))

    assert MOST <= len(misplaced(wrong(200))) <= 2 * MOST
    Effort().within(40, lambda: misplaced(wrong(20_000)))

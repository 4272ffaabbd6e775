"""
Mistakes that officers make in tables and cases: the first command that they run, `ctxgate policy check`, says where and what.

Those of rules stand with the reader of Rego.
"""

import shutil

import pytest

from gateway.cli.checking.command import checked
from tests.support.bundles import POLICIES

CLS = "context/classification/data.yaml"
ENT = "context/entitlement/data.yaml"
EXC = "context/exceptions/data.yaml"
FRS = "context/freshness/data.yaml"
GRO = "context/grounding/data.yaml"
INJ = "context/injection/data.yaml"
JUR = "context/jurisdiction/data.yaml"
LIM = "context/limits/data.yaml"
PII = "context/pii/data.yaml"
TRU = "context/trust/data.yaml"
JUR_CASES = "context/jurisdiction/cases.yaml"
CLS_CASES = "context/classification/cases.yaml"
ENT_CASES = "context/entitlement/cases.yaml"
ANALYST = "analyst: [allowed, allowed, allowed, CLS-001]"

REPORTED = [
    ("a tab", ENT, "  analyst: CONFIDENTIAL", "\tanalyst: CONFIDENTIAL", "analyst", "not YAML"),
    ("a missing colon", ENT, "clearance:", "clearance", "", "not YAML"),
    ("a clearance", ENT, "coo: RESTRICTED", "coo: RESTRCTED", "coo:", "Did you mean RESTRICTED?"),
    ("a domain", ENT, "FINANCE: [NPA]", "FINANCE: [NPP]", "FINANCE", "NPP is no domain"),
    ("a key twice", ENT, "  checker:", "  analyst: PUBLIC\n  checker:", "analyst: PUBLIC", "stands twice"),
    (
        "a code that is none",
        JUR_CASES,
        "codes: [JUR-002]",
        "codes: [JUR-020]",
        "JUR-020",
        "no rule gives the code JUR-020",
    ),
    ("a percent sign", FRS, "percent: 80", 'percent: "80%"', "warn_after", "Did you mean 80"),
    ("a month that is none", EXC, '"2026-06-30"', '"2026-13-45"', "expires", "2026-13-45 is no date"),
    ("a day first", EXC, '"2026-06-30"', '"30/06/2027"', "expires", "Did you mean 2027-06-30?"),
    ("a day first, no quotes", EXC, '"2026-06-30"', "30/06/2027", "expires", "Did you mean 2027-06-30?"),
    ("yes", ENT, "coo: RESTRICTED", "coo: yes", "coo: yes", "takes for a truth value"),
    ("Norway", JUR, "  SG:\n", "  NO:\n    name: Norway\n  SG:\n", "NO:", "takes for a truth value"),
    ("chnage", JUR_CASES, "change: {}", "chnage: {}", "chnage", "Did you mean change?"),
    ("domian", CLS_CASES, "{domain: ALL", "{domian: ALL", "domian", "Did you mean domain?"),
    ("a table that is gone", JUR, "group_wide: GLOBAL\n", "", "", "group_wide"),
]

OTHERS = [
    ("an expiry that is left out", EXC, '    expires: "2026-06-30"\n', "", "EXC-2026-001", "needs `expires`"),
    ("an owner in another word", EXC, "owner: Head of Product", "onwer: Head of Product", "onwer", "Did you mean owner?"),
    ("a time of another zone", EXC, '"2026-06-30"', '"2026-06-30T00:00:00+08:00"', "expires", "2026-06-29T16:00:00Z"),
    ("an id twice", EXC, "id: EXC-2025-007", "id: EXC-2026-001", "EXC-2026-001", "stands twice"),
    ("a number in words", FRS, "system_of_record: 300", "system_of_record: five minutes", "system_of_record", "whole number"),
    ("a negative number", FRS, "system_of_record: 300", "system_of_record: -300", "system_of_record", "out of range"),
    ("a fraction", FRS, "percent: 80", "percent: 80.5", "warn_after", "whole number"),
    ("a percentage for a score", INJ, "UNTRUSTED: {quarantine: 0.5,", "UNTRUSTED: {quarantine: 50,", "UNTRUSTED", "out of range"),
    ("a threshold in other words", INJ, "TRUSTED: {quarantine:", "TRUSTED: {quarantin:", "TRUSTED", "Did you mean quarantine?"),
    ("one half of a row", INJ, "{quarantine: 0.5, deny: 1.01}", "{quarantine: 0.5}", "UNTRUSTED", "`deny` is missing"),
    ("a word for a list", TRU, "web_purposes: [general_research]", "web_purposes: general_research", "web_purposes", "a list"),
    ("a name twice in a list", TRU, "cited: [bank_sop,", "cited: [bank_sop, bank_sop,", "cited", "stands twice"),
    ("a tier that there is not", TRU, "bank_sop: {trust_class: TRUSTED, authority_tier: 2}", "bank_sop: {trust_class: TRUSTED, authority_tier: 6}", "bank_sop", "at most 5"),
    ("a class in small letters", TRU, "email: {trust_class: UNTRUSTED", "email: {trust_class: untrusted", "email", "Did you mean UNTRUSTED?"),
    ("an operator", PII, "HK_HKID: replace}", "HK_HKID: repalce}", "HK:", "Did you mean replace?"),
    ("letters in a rank", CLS, "PUBLIC: 0,", "PUBLIC: O,", "levels", "whole number"),
    ("a table in other words", LIM, "turns_section:", "turn_section:", "turn_section", "Did you mean turns_section?"),
    ("true in quotes", GRO, "classification_criteria: {cite: true,", 'classification_criteria: {cite: "true",', "classification_criteria", "true or false"),
    ("a part of a citation", GRO, "parts: [version, section]}", "parts: [verison, section]}", "classification_criteria", "Did you mean version?"),
    ("a cell too few", CLS_CASES, ANALYST, "analyst: [allowed, allowed, CLS-001]", "case:", "one cell for each column"),
    ("a cell in other words", CLS_CASES, ANALYST, "analyst: [allowed, allowed, alowed, CLS-001]", "analyst", "Did you mean allowed?"),
    ("a row in other words", CLS_CASES, ANALYST, ANALYST.replace("analyst", "anlyst"), "rows", "Did you mean analyst?"),
    ("a role in a case", ENT_CASES, "archetype: reviewer", "archetype: reveiwer", "reveiwer", "Did you mean reviewer?"),
    ("a case without codes", JUR_CASES, "    codes: [JUR-003]\n", "", "held and asked", "has no `codes`"),
    ("a part in other words", JUR_CASES, "refused:\n", "refusd:\n", "refusd", "Did you mean refused?"),
    ("a name twice", JUR_CASES, 'case: "no jurisdiction"', 'case: "outside the request"', "outside the request", "two cases have this name"),
    ("a text for a list", JUR_CASES, "{jurisdictions: [SG, HK]}, subject", "{jurisdictions: SG}, subject", "SG", "a list"),
    ("a value that is known by now", JUR_CASES, "    unknown: [FR]\n", "    unknown: [HK]\n", "", "HK"),
    ("an agent's contract", "registry/agents/data.yaml", "contract: RISK-1.1.0", "contract: RISK-1.1.1", "RISK:", "RISK-1.1.0?"),
    ("a field of a contract", "registry/contracts/data.yaml", "status: ACTIVE, required_sources", "staus: ACTIVE, required_sources", "", "staus"),
]  # fmt: skip


@pytest.fixture(scope="module")
def policies(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes") / "policies"
    shutil.copytree(POLICIES, folder)
    return folder


@pytest.mark.parametrize(("name", "file", "old", "new", "at", "says"), [*REPORTED, *OTHERS], ids=lambda one: None)
def test_each_is_told_of_at_its_place(policies, name, file, old, new, at, says):
    """
    An officer who makes this mistake is told the file, the line where it stands and what was expected, by the first command.
    """
    path = policies / file
    text = path.read_text()
    assert old in text, name
    path.write_text(text.replace(old, new, 1))
    try:
        result, _ = checked(policies)
        found = [one for one in result.findings if says in f"{one.message} {one.hint}" and one.file == file]
        assert found, (name, [str(one) for one in result.findings][:5])
        lines = path.read_text().split("\n")
        assert any(at in lines[one.line - 1] for one in found), (name, found, lines[found[0].line - 1])
    finally:
        path.write_text(text)


def test_nothing_is_said_of_what_is_right(policies):
    """
    The shipped tables and cases, and a day without quotes, are not complained of.
    """
    assert checked(policies)[0].findings == ()
    path = policies / EXC
    text = path.read_text()
    path.write_text(text.replace('"2026-06-30"', "2026-06-30"))
    assert checked(policies)[0].findings == ()
    path.write_text(text)

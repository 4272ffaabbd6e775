"""
What an officer hears of the commonest mistakes in rules, from the first command: where, in which rule, and what was meant.

Each is made in a copy of the shipped policies, and `ctxgate policy check` is asked.
"""

import shutil

import pytest

from gateway.cli.checking.exits import MAY_NOT_DECIDE
from gateway.settings import HOME
from tests.support.bundles import POLICIES
from tests.support.commands import in_folder

_AREA = "context/jurisdiction/jurisdiction.rego"
_TRUST = "context/trust/trust.rego"
_BLOCK = """# METADATA
# title: Outside the requester's jurisdictions
# description: The requester may not read data of the item's jurisdiction.
# related_resources:
#   - ref: https://controls.bank.example/DPO-015
# custom:
#   code: JUR-002
"""
_READ = "data.context.jurisdiction.jurisdictions[input.item.jurisdiction]"

_MISTAKES = {
    "a code that METADATA does not name": (
        (_AREA, "# custom:\n#   code: JUR-002\n", ""),
        [f"{_AREA}:39", "Outside the requester's jurisdictions", "METADATA has no `code`", "the rule says JUR-002"],
    ),
    "a refusal without METADATA": (
        (_AREA, _BLOCK, ""),
        [f"{_AREA}:34", "the rule `deny`", "the refusal JUR-002 has no METADATA"],
    ),
    "one code for two refusals": (
        (_AREA, "code: JUR-002", "code: JUR-001"),
        [
            f"{_AREA}:34",
            "the code JUR-001 stands twice, lines 23 and 34",
            "METADATA says JUR-001 and the rule says JUR-002",
        ],
    ),
    "a brace too many": (
        (_AREA, "\tcorpus_in_use\n}\n", "\tcorpus_in_use\n}}\n"),
        [f"{_AREA}:21:2", "the rules", "expecting identifier"],
    ),
    "a misspelt field of the input": (
        (_AREA, "within_request if input.item.jurisdiction in", "within_request if input.item.juristiction in"),
        [
            "the rule `within_request`",
            "`input.item.juristiction`, which no question tells",
            "Did you mean jurisdiction?",
        ],
    ),
    "a misspelt table": (
        (_AREA, _READ, _READ.replace("jurisdiction.jurisdictions", "jurisdiction.jurisdicitons")),
        ["there is no table `jurisdicitons`, and a rule reads it", f"first {_AREA}:", "finds nothing under it"],
    ),
    "a condition that nobody wrote": (
        (_AREA, "\twithin_requester\n", "\twithin_requestor\n"),
        [f"{_AREA}:17:2", "`within_requestor`", "is no named statement of this area", "Did you mean within_requester?"],
    ),
    "a function that asks the network": (
        (
            _AREA,
            "\tcorpus_in_use\n}\n",
            '\tcorpus_in_use\n}\n\ncountry if http.send({"url": "x"}).status_code == 200\n',
        ),
        [f"{_AREA}:23:12", "the rule `country`", "the function `http.send` is used"],
    ),
    "a table that a rule builds": (
        (
            _AREA,
            "\tcorpus_in_use\n}\n",
            "\tcorpus_in_use\n}\n\nby_place[place] := 1 if some place in input.request.jurisdictions\n",
        ),
        [f"{_AREA}:23:1", "the rule `by_place` builds a table with keys"],
    ),
    "a value that may be missing": (
        (
            _AREA,
            "\tcorpus_in_use\n}\n",
            "\tcorpus_in_use\n}\n\nrecent if {\n\tage := input.item.age_seconds\n\tage < 3\n}\n",
        ),
        [f"{_AREA}:24:2", "the rule `recent`", "`input.item.age_seconds`", "some age in [input.item.age_seconds]"],
    ),
    "a table that is gone": (
        ("context/trust/data.yaml", "web_purposes: [general_research]\n", ""),
        ["there is no table `web_purposes`, and a rule reads it", f"first {_TRUST}:"],
    ),
    "a second list of conditions": (
        (
            _AREA,
            "# METADATA\n# title: Outside the request\n",
            "permit if corpus_open\n\n# METADATA\n# title: Outside the request\n",
        ),
        [f"{_AREA}:14", "`permit` is written more than once"],
    ),
}


@pytest.fixture
def policies(tmp_path):
    shutil.copytree(POLICIES, tmp_path / "policies")
    return tmp_path / "policies"


@pytest.mark.parametrize(("mistake", "told"), _MISTAKES.values(), ids=_MISTAKES.keys())
def test_a_mistake_is_told_with_its_place_and_what_was_meant(policies, tmp_path, mistake, told):
    """
    The first command that an officer runs says in which file, line and rule the mistake is, and what to write.
    """
    name, old, new = mistake
    text = (policies / name).read_text()
    assert old in text
    (policies / name).write_text(text.replace(old, new, 1))

    answer = in_folder(tmp_path)("policy", "check", "policies")

    assert answer.returncode == MAY_NOT_DECIDE
    said = " ".join(answer.stdout.split())
    assert [one for one in told if one not in said] == []
    assert "Traceback" not in answer.stdout + answer.stderr


def test_a_rule_that_is_no_rego_is_not_written(policies, tmp_path):
    """
    An officer who says in English when a rule holds hears so, and the files stay as they were.
    """
    before = {path: path.read_bytes() for path in policies.rglob("*") if path.is_file()}
    told = in_folder(tmp_path)(
        *("policy", "new", "rule", "trust", "--code", "TRU-099", "--title", "T", "--description", "D."),
        *("--control", "https://controls.bank.example/X-1", "--condition", "of_orm"),
        *("--holds-if", "item.domain is ORM", "--bundle", "policies"),
    )

    assert told.returncode == 1
    assert "of_orm" not in (policies / _TRUST).read_text()
    assert before == {path: path.read_bytes() for path in policies.rglob("*") if path.is_file()}


def test_shipped_policies_have_none(tmp_path):
    """
    The shipped rules make none of these mistakes.
    """
    assert in_folder(tmp_path)("policy", "check", str(HOME / "policies")).returncode == 0

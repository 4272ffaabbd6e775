import json
import shutil

import pytest

from tests.support.bundles import POLICIES

ONE = """
invariants:
  - id: INV-900
    title: No analyst reads of Hong Kong
    says: Analysts are given nothing of Hong Kong.
    control: https://controls.bank.example/X
    owner: somebody
    never: {item.jurisdiction: HK, subject.role: analyst}
"""


@pytest.fixture
def policies(tmp_path):
    folder = tmp_path / "policies"
    shutil.copytree(POLICIES, folder)
    (folder / "context/invariants.yaml").write_text(ONE)
    return folder


def test_an_officer_is_shown_the_request_that_breaks_an_invariant(run, policies):
    """The command ends with 1, names what is broken in words, and the facts that break it, as text and as a document."""
    done = run("policy", "prove", policies, "--no-opa")
    assert done.returncode == 1, done.stderr
    assert "INV-900 No analyst reads of Hong Kong" in done.stdout
    assert 'item.jurisdiction = "HK"' in done.stdout
    assert "0 of 1 invariants hold" in done.stdout
    shown = json.loads(run("policy", "prove", policies, "--no-opa", "--json").stdout)["shown"][0]
    assert shown["counterexample"]["input"]["subject"]["role"] == "analyst"


def test_an_officer_sees_that_nothing_is_decided_differently(run, policies):
    """Two folders that differ in no rule and no table are shown to decide alike."""
    done = run("policy", "diff", "--exact", POLICIES, policies)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("no input is decided differently") == 2

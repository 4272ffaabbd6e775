"""`ctxgate kb eval`."""

import json
import shutil

from contextlib import asynccontextmanager
from xml.etree import ElementTree as ET

import pytest

from gateway.cli.kb import opened
from gateway.policy.bundle import load_bundle
from tests.support.bundles import edit
from tests.support.golden import GOLDEN, SmallFindable, SmallFinder, generous_policies, with_titles


@pytest.fixture
def policies(tmp_path):
    """A bundle whose alarms the small finder stays within."""
    return generous_policies(tmp_path / "policies")


@pytest.fixture
def kb(run, policies, tmp_path, monkeypatch):
    """The command over a finder of a bundle that a test may doctor; the golden set is a copy."""
    shutil.copy(GOLDEN, tmp_path / "golden.yaml")

    @asynccontextmanager
    async def searched(_):
        finder = SmallFinder(load_bundle(policies), first=with_titles, second=kb_.second)
        yield SmallFindable(finder)

    def kb_(*arguments):
        return run("kb", "eval", *arguments, CTXGATE_POLICIES_DIR=str(policies), CTXGATE_STATE_DIR=str(tmp_path / "s"))

    kb_.second = with_titles
    monkeypatch.setattr(opened, "opened", searched)
    return kb_


def test_figures_beside_their_thresholds(kb, tmp_path):
    """
    Every figure is printed with target and alarm; JSON and JUnit hold the same, and no text of a question.
    """
    shown = kb("golden.yaml")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "hit_rate" in shown.stdout
    told = kb("golden.yaml", "--json", "--junit", "j.xml")
    [document] = json.loads(told.stdout)
    assert told.returncode == 0
    assert document["figures"]["leaked"] == 0
    assert len(document["questions"]) == 56
    assert "litigation-and-shredding" in told.stdout
    assert "lawyers" not in told.stdout + shown.stdout
    suite = ET.parse(tmp_path / "j.xml").getroot()[0]  # noqa: S314 - our own
    assert suite.get("failures") == "0"


def test_baseline_and_drift(kb, tmp_path):
    """
    A stored baseline is compared with from then on, and a fall ends with 4.
    """
    assert kb("golden.yaml", "--store").returncode == 0
    assert (tmp_path / "golden.baseline.json").is_file()
    again = kb("golden.yaml")
    assert again.returncode == 0
    assert "56 questions compared" in again.stdout
    kb.second = lambda _, chunks: [float(at + 1) for at in range(len(chunks))]
    fallen = kb("golden.yaml", "--baseline", "golden.baseline.json")
    assert "drift" in fallen.stdout
    assert fallen.returncode in {4, 8}


def test_alarm(kb, policies):
    """
    A figure beyond its alarm ends with 8.
    """
    table = policies / "registry/quality/data.yaml"
    table.write_text(table.read_text().replace("alarm: 0.2}", "alarm: 0.99}"))
    assert kb("golden.yaml").returncode == 8


def test_leaks(kb, policies, tmp_path):
    """
    What must not be found ends with 10, names the question, and becomes no baseline.
    """
    edit(policies, "entitlement/data.yaml", "admin: INTERNAL", "admin: CONFIDENTIAL")
    leaking = kb("golden.yaml", "--store")
    assert leaking.returncode == 10
    assert "admin-model-policy finds" in leaking.stdout
    assert not (tmp_path / "golden.baseline.json").exists()


def test_what_is_wrong_with_a_set(kb, tmp_path):
    """
    A slip is told with file, line and hint and ends with 7, before anything is searched; a document that is not there too.
    """
    file = tmp_path / "golden.yaml"
    text = file.read_text()
    assert kb("golden.yaml", "--check").returncode == 0
    file.write_text(text.replace("role: analyst", "role: analist", 1))
    told = kb("golden.yaml", "--check")
    assert told.returncode == 7
    assert "golden.yaml:10:" in told.stderr
    assert "Did you mean analyst?" in told.stderr
    file.write_text(text.replace("[risk-appetite-2026]", "[risk-apetite-2026]", 1))
    assert kb("golden.yaml", "--check").returncode == 0
    told = kb("golden.yaml")
    assert told.returncode == 7
    assert "Did you mean risk-appetite-2026?" in told.stderr


def test_nothing_to_ask(run, tmp_path):
    """
    Without a golden set, and without documents, the command says so.
    """
    state = {"CTXGATE_STATE_DIR": str(tmp_path / "s")}
    assert "CTXGATE_KNOWLEDGE_GOLDEN" in run("kb", "eval", **state).stderr
    assert run("kb", "eval", GOLDEN, **state).returncode != 0

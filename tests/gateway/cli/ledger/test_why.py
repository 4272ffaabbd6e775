"""`ctxgate ledger why`, `replay`, `proof`, `checkpoint`: one decision explained, repeated and proved."""

import json

import pytest

from typer.testing import CliRunner

from gateway.cli import application
from gateway.errors import NotFoundError


@pytest.fixture
def ask(ledger, tmp_path, monkeypatch):
    """The commands in this process, on a copy of the story's ledger."""
    monkeypatch.chdir(tmp_path)
    runner, app = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1"}), application(["ledger"])
    return lambda *arguments: runner.invoke(app, ["ledger", *arguments])


def test_one_item_of_the_newest_requests(ask):
    """
    By the name of an item its own records are told, with the title of the rule that refused it and how far that is proved.
    """
    told = ask("why", "hkma-circular", "--tenant", "gfm").stdout
    assert "Item hkma-circular" in told
    assert "was refused (" in told
    assert "JUR-002" in told
    assert "proved against the signed checkpoint" in told
    assert "sop-4.2.1" not in told


def test_another_tenant_is_told_nothing(ask):
    """
    A name leads nowhere in a tenant that it is not of.
    """
    done = ask("why", "hkma-circular", "--tenant", "other")
    assert isinstance(done.exception, NotFoundError)


def test_a_decision_is_repeated_and_proved(ask, tmp_path):
    """
    One decision is made again by the bundle that made it, and its proof names the index of its record.
    """
    pack = json.loads((tmp_path / "pack.json").read_text())
    decision = pack["sections"][0]["items"][0]["decision_id"]
    verdicts = ["MATCH 1", "MISMATCH 0", "ERASED 0", "DAMAGED 0", "UNAVAILABLE 0"]
    assert ask("replay", decision).stdout.splitlines()[:5] == verdicts
    assert ask("proof", decision).stdout.startswith("c2sp.org/tlog-proof@v1\nindex ")
    assert ask("replay", "--limit", "5").stdout.startswith("MATCH 4 rulings, requests 1\n")


def test_each_question_is_on_record(ask):
    """
    Telling and replaying are readings, and readings are records.
    """
    ask("why", "hkma-circular")
    ask("replay", "--limit", "1")
    codes = ask("query", "--kind", "ledger.read", "--json").stdout
    assert "FILTER-WHY" in codes
    assert "FILTER-REPLAY" in codes


def test_the_checkpoint_is_brought_up_to_date(ask):
    """
    The newest checkpoint covers what was recorded a moment ago.
    """
    before = int(ask("checkpoint").stdout.splitlines()[1])
    ask("query", "--limit", "1")
    assert int(ask("checkpoint").stdout.splitlines()[1]) > before

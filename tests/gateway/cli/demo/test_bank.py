"""`ctxgate demo bank`: the bank, its servers, one question, and the way of every item."""

import json

import yaml

from bank.rows import text
from gateway.cli.demo.bank import BANK, free_port, installed
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of

TOOLS = ["get_npa_by_id", "get_risk_checks", "get_form_data", "get_external_parties", "get_market_risk_factors"]


def test_the_bank_in_one_command(process, tmp_path):
    """
    The command writes the bank, finds every tool as it was accepted, shows which were called and what became of their items,
    writes the pack, and verifies the ledger; nothing that it started is left behind.
    """
    done = process("demo", "bank", COLUMNS="200")
    assert done.returncode == 0, done.stderr
    for words in ("8 of 8", "5 of 5", "4 of 4", "Run a risk assessment for NPA-2026-00142", "The ledger verifies"):
        assert words in done.stdout, done.stdout
    for tool in TOOLS:
        assert f"tool:{tool}" in done.stdout
    pack = json.loads((tmp_path / "pack.json").read_text())
    assert [call["name"] for call in pack["runtime_state"]["tools_called"]] == TOOLS


def test_the_rows_are_those_of_the_servers():
    """
    The table of the bank's tools is what the servers' own descriptions come to, pins included.
    """
    kept = (BANK / "tools.yaml").read_text()
    assert "".join(line for line in kept.splitlines(keepends=True) if not line.startswith("#")) == text()


def test_the_overlay(tmp_path):
    """
    The bank's sources and tools stand in its bundle, which may decide; what the bank says nothing about is the shipped one's.
    """
    bank = installed(tmp_path, free_port())
    registry = registry_of(load_bundle(bank.policies))
    assert {name for name, source in registry.sources.items() if source.calls_tools} == {
        "sor-npa",
        "sor-orm",
        "sor-desk",
        "sor-dce",
    }
    assert sum(tool.result is not None for tool in registry.tools.values()) == 20
    assert registry.sources["knowledge-base"].kind == "brought"
    assert set(yaml.safe_load(bank.connections.read_text())["sources"]) == {"sor-npa", "sor-orm", "sor-desk", "sor-dce"}


def test_a_bank_that_is_there(tmp_path):
    """
    A bank that was written is not written again.
    """
    seen = [installed(tmp_path, free_port()).database.stat().st_mtime_ns for _ in range(2)]
    assert len(set(seen)) == 1

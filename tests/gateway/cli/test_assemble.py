"""`ctxgate assemble` and `ctxgate demo`."""

import json

from tests.support.commands import STORY


def test_from_request_to_verified_ledger(process, run, tmp_path):
    """
    Sign, assemble, query, show, verify and check the receipt, each with its own command.
    """
    out, signed = tmp_path / "pack.json", tmp_path / "signed.json"
    made = process("dev", "sign", STORY / "request.json", "--out", signed, "--now", "2026-03-01T09:15:00Z")
    assert "UNSAFE" in made.stderr
    done = process(
        "assemble",
        signed,
        "--as",
        STORY / "subject.json",
        "--out",
        out,
        "--now",
        "2026-03-01T09:15:00Z",
    )
    assert done.returncode == 0, done.stderr
    pack = json.loads(out.read_text())
    assert pack["receipt"]

    lines = run("ledger", "query", "--kind", "item.ruled", "--outcome", "denied", "--json").stdout.splitlines()
    assert pack["withheld"]["count"] == len(lines)
    decision_id = json.loads(lines[0])["decision_id"]
    assert decision_id in run("ledger", "show", decision_id).stdout
    assert "JUR-001" in run("ledger", "query", "--code", "JUR-001").stdout
    assert "The ledger verifies" in run("ledger", "verify").stdout
    vkey = run("ledger", "vkey").stdout.strip()
    assert "The receipt holds" in run("ledger", "verify-receipt", out, "--vkey", vkey).stdout

    out.write_text(out.read_text().replace("50", "51", 1))
    broken = run("ledger", "verify-receipt", out)
    assert broken.returncode == 3
    assert "LEDGER" in broken.stderr


def test_the_demo_shows_every_candidate(process):
    """
    The bundled story prints each candidate, the budget, the drop report and the verdict on the ledger.
    """
    done = process("demo", "orm-incident-hk")
    assert done.returncode == 0, done.stderr
    for text in (
        "upload-poisoned",
        "quarantined",
        "INJ-003",
        "Drop report",
        "response headroom",
        "The ledger verifies",
    ):
        assert text in done.stdout

"""An auditor's own station: a database role that only reads, no keys, and every command of docs/auditors.md."""

import json
import os
import subprocess

import pytest

from tests.support.commands import COMMAND, STORY, VERIFY, in_folder, officer, verify_export
from tests.support.services import need
from tools.loopback import free_port, until_up


@pytest.fixture
def served(postgres, tmp_path):
    """A gateway on PostgreSQL with the bundled story in its ledger, and an auditor's folder with its verifier key and a token."""
    need(postgres is not None, "PostgreSQL")
    name, port = postgres.new_ledger(), free_port()
    bank, desk = tmp_path / "bank", tmp_path / "desk"
    bank.mkdir()
    (desk / ".ctxgate/keys").mkdir(parents=True)
    database = {"CTXGATE_LEDGER_URL": postgres.url(name, "gateway"), "CTXGATE_DETECTOR_WORKERS": "0"}
    run = in_folder(bank)
    assert run("demo", **database).returncode == 0
    officer(run, bank, "auditor", "ledger:read ledger:export")
    (desk / "token").write_text((bank / "auditor.token").read_text())
    keys = run("ledger", "vkey", "--sizes", **database).stdout
    (desk / ".ctxgate/keys/ledger.vkeys").write_text(keys)
    server = subprocess.Popen(
        [*COMMAND, "serve", "--port", str(port)],
        cwd=bank,
        env={**os.environ, **database},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until_up(server, f"http://127.0.0.1:{port}/readyz")
        station = {
            "CTXGATE_LEDGER_URL": postgres.url(name, "auditor"),
            "CTXGATE_AUDITOR_GATEWAY": f"http://127.0.0.1:{port}",
            "CTXGATE_AUDITOR_TOKEN": str(desk / "token"),
        }
        yield desk, lambda *command, **more: in_folder(desk)(*command, **{**station, **more})
    finally:
        server.terminate()
        server.wait(20)


def test_every_command_of_an_auditor(served):
    """
    Asking, explaining, counting, deciding again, proving, verifying and exporting work with a role that only reads; each reading
    is on record by the gateway, no file of a key is made on the way, and what writes is refused.
    """
    desk, ask = served
    person = json.loads((STORY / "subject.json").read_text())
    name, tenant = person["sub"], person["tenant"]

    def answered(*command):
        done = ask("ledger", *command)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout

    [sealed] = answered("query", "--kind", "pack.sealed", "--json").splitlines()
    pack = json.loads(sealed)
    assert len(answered("query", "--user", name, "--tenant", tenant, "--json").splitlines()) > 40
    assert pack["decision_id"] in answered("show", pack["decision_id"])
    assert "item.ruled" in answered("stats", "--by", "kind", "--period", "day")
    assert pack["pack"]["id"] in answered("why", pack["pack"]["id"])
    assert "MATCH 3" in answered("replay", "--tenant", tenant, "--limit", "3")
    assert answered("proof", pack["decision_id"]).startswith("c2sp.org/tlog-proof@v1\n")
    assert answered("checkpoint").startswith("ctxgate.local/ledger\n")
    assert "The ledger verifies" in answered(*VERIFY[1:], "--waive", "pin")
    answered("export", "out")
    checked = verify_export(desk / "out", "--waive", "manifest")
    assert checked.returncode == 0, checked.stdout
    assert list((desk / "out/bundles").glob("*.bundle"))

    readings = [json.loads(line)["codes"] for line in answered("query", "--kind", "ledger.read", "--json").splitlines()]
    for code in ("FILTER-KIND", "FILTER-SUBJECT", "FILTER-BY", "FILTER-WHY", "FILTER-REPLAY", "FILTER-EXPORT"):
        assert any(code in codes for codes in readings), code

    for command in (("keygen", "--rotate"), ("accept-rollback", "--reason", "x")):
        assert ask("ledger", *command).returncode != 0
    refused = ask("ledger", "query", CTXGATE_AUDITOR_GATEWAY="http://127.0.0.1:1")
    assert (refused.returncode, "GW-443" in refused.stderr) == (1, True)
    made = sorted(path.name for path in (desk / ".ctxgate").rglob("*") if path.is_file())
    assert made == ["ledger.vkeys"], "nothing else was made"

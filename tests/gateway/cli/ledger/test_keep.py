"""Keeping the ledger: erasure, rotation, rollback, migration."""

import json

from gateway.settings import HOME
from tests.support.commands import officer, verify_export
from tests.support.services import need


def test_a_person_is_forgotten(ledger, tmp_path):
    """
    After `erase` the person cannot be found by name, decisions replay as ERASED, and the ledger verifies; it takes an officer
    with a token for it, who is another person.
    """
    person = json.loads((HOME / "examples/npa-risk/subject.json").read_text())
    name, tenant = person["sub"], person["tenant"]
    asked = ("ledger", "query", "--user", name, "--tenant", tenant, "--json")
    assert len(ledger(*asked).stdout.splitlines()) > 40
    erase = ("ledger", "erase", "--subject", name, "--basis", "asked to on 3 March")
    themselves = officer(ledger, tmp_path, name.upper(), "erasure:write")
    assert "GW-154" in ledger(*erase, "--as", themselves).stderr
    assert "GW-107" in ledger(*erase, "--as", officer(ledger, tmp_path, "ann", "ledger:read")).stderr
    assert "GW-105" in ledger(*erase, "--as", tmp_path / "ann.json").stderr
    done = ledger(*erase, "--as", officer(ledger, tmp_path, "dpo", "erasure:write"))
    assert done.returncode == 0, done.stderr
    assert ledger(*asked).stdout == ""
    assert "ERASED 46" in ledger("ledger", "replay").stdout
    assert ledger("ledger", "verify").returncode == 0
    assert "ERASED" in ledger("ledger", "query", "--kind", "erasure").stdout


def test_a_key_is_rotated(ledger, tmp_path):
    """
    After rotation checkpoints carry the new key, old receipts verify with the old one, and that it happened is on record.
    """
    old = ledger("ledger", "vkey").stdout.split()
    new = ledger("ledger", "keygen", "--rotate").stdout.strip()
    assert ledger("ledger", "vkey").stdout.split() == [new, *old]
    assert ledger("ledger", "verify-receipt", "pack.json", "--vkey", old[0]).returncode == 0
    assert ledger("ledger", "verify-receipt", "pack.json", "--vkey", new).returncode == 3
    assert "ROTATED" in ledger("ledger", "query", "--kind", "key.rotated").stdout
    assert ledger("ledger", "verify").returncode == 0
    ledger("ledger", "export", "out")
    assert verify_export(tmp_path / "out", "--vkey", new).returncode == 0
    assert verify_export(tmp_path / "out", "--vkey", old[0]).returncode == 1


def test_a_rollback_is_refused_until_it_is_accepted(ledger, tmp_path):
    """
    An older copy of the ledger is refused by every command; going on from it takes a reason, which is on record.
    """
    state = tmp_path / ".ctxgate"
    copies = {path.name: path.read_bytes() for path in state.glob("ledger.sqlite*")}
    assert ledger("ledger", "query").returncode == 0
    for path in state.glob("ledger.sqlite*"):
        path.unlink()
    for name, body in copies.items():
        (state / name).write_bytes(body)
    refused = ledger("demo")
    assert refused.returncode == 3
    assert "seen before" in refused.stderr
    assert ledger("ledger", "verify").returncode == 3
    done = ledger("ledger", "accept-rollback", "--reason", "restored after the fire of 2 March")
    assert done.returncode == 0, done.stderr
    assert ledger("ledger", "verify").returncode == 0
    assert "ROLLBACK-ACCEPTED" in ledger("ledger", "query", "--kind", "lane.opened").stdout


def test_postgres(run, postgres, tmp_path):
    """
    A database is migrated once, serves the story, refuses erasure by the gateway's role and takes it from the eraser's.
    """
    need(postgres is not None, "PostgreSQL")
    name = postgres.new_ledger()
    again = run("ledger", "migrate", "--months", "1", CTXGATE_LEDGER_OWNER_URL=postgres.url(name))
    assert again.returncode == 0, again.stderr
    assert "0001" not in again.stdout
    database = {"CTXGATE_LEDGER_URL": postgres.url(name, "gateway")}
    assert run("demo", **database).returncode == 0
    assert "MATCH 46" in run("ledger", "replay", **database).stdout
    person = json.loads((HOME / "examples/npa-risk/subject.json").read_text())
    dpo = officer(run, tmp_path, "dpo", "erasure:write")
    erase = ("ledger", "erase", "--subject", person["sub"], "--basis", "x", "--as", dpo)
    assert "CTXGATE_LEDGER_ERASER_URL" in run(*erase, **database).stderr
    done = run(*erase, **database, CTXGATE_LEDGER_ERASER_URL=postgres.url(name, "eraser"))
    assert done.returncode == 0, done.stderr
    assert "ERASED 46" in run("ledger", "replay", **database).stdout
    assert run("ledger", "verify", **database).returncode == 0
    assert run("ledger", "query", CTXGATE_LEDGER_URL="postgresql://nobody@127.0.0.1:1/none").returncode == 3

"""The auditor's and the platform engineer's commands, as processes."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from gateway.settings import HOME
from tests.conftest import need


def in_folder(folder):
    """`ctxgate …` in a folder."""

    def command(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-c", "from gateway.cli import main; main()", *map(str, arguments)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(HOME), "COLUMNS": "200", **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return command


@pytest.fixture
def run(tmp_path):
    return in_folder(tmp_path)


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A folder with the ledger of the bundled story."""
    folder = tmp_path_factory.mktemp("told")
    done = in_folder(folder)("demo")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def ledger(told, tmp_path):
    """The same in a folder of its own."""
    shutil.copytree(told, tmp_path, dirs_exist_ok=True)
    return in_folder(tmp_path)


def verify_export(folder, *more):
    command = [sys.executable, "-I", HOME / "tools/verify_ledger.py", folder, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_auditor_at_work(ledger, tmp_path):
    """
    Query, count, tell, replay, prove, export: each answers from the ledger of the story, and the export verifies alone.
    """
    assert "sop-4.2.1" in ledger("ledger", "query", "--kind", "item.ruled", "--tenant", "gfm").stdout
    assert len(ledger("ledger", "query", "--outcome", "denied", "--json").stdout.splitlines()) == 10
    assert ledger("ledger", "query", "--csv", "--limit", "3").stdout.startswith("index,kind")
    assert "JUR-001" in ledger("ledger", "stats", "--by", "code").stdout
    assert "released" in ledger("ledger", "stats", "--period", "day", "--kind", "item.ruled").stdout
    pack = json.loads((tmp_path / "pack.json").read_text())
    story = ledger("ledger", "why", pack["id"]).stdout
    assert "Complete: the pack commits to exactly the 46 rulings on record." in story
    assert "proved against the signed checkpoint" in story
    one = ledger("ledger", "why", "email-injected").stdout
    assert "was set aside for review" in one
    assert "npa-record" not in one
    assert "MATCH 46" in ledger("ledger", "replay").stdout
    decision = pack["sections"][0]["items"][0]["decision_id"]
    assert "MATCH 1" in ledger("ledger", "replay", decision).stdout
    assert ledger("ledger", "proof", decision).stdout.startswith("c2sp.org/tlog-proof@v1\nindex ")
    assert json.loads(ledger("ledger", "show", decision).stdout)["decision_id"] == decision
    assert ledger("ledger", "checkpoint").stdout.startswith("ctxgate.local/ledger\n")
    vkey = ledger("ledger", "vkey").stdout.strip()
    done = ledger("ledger", "export", "out")
    assert done.returncode == 0, done.stderr
    checked = verify_export(tmp_path / "out", "--vkey", vkey, "--pack", tmp_path / "pack.json")
    assert checked.returncode == 0, checked.stdout
    assert ledger("ledger", "verify-receipt", "pack.json", "--vkey", vkey).returncode == 0
    (tmp_path / "pack.json").write_text(json.dumps({**pack, "id": "pack_other"}))
    assert verify_export(tmp_path / "out", "--pack", tmp_path / "pack.json").returncode == 1
    assert ledger("ledger", "export", "out").returncode == 1
    assert ledger("ledger", "verify").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("why", "nothing"), 1),
        (("replay", "00000000-0000-7000-8000-000000000000"), 1),
        (("proof", "nothing"), 1),
        (("show", "nothing"), 1),
        (("stats", "--by", "body"), 1),
        (("query", "--user", "sarah.lim"), 1),
        (("erase", "--subject", "nobody", "--tenant", "gfm", "--basis", "x"), 1),
        (("accept-rollback", "--reason", "x"), 1),
        (("keygen",), 1),
    ],
)
def test_mistakes_end_with_a_code(ledger, arguments, status):
    """
    What cannot be answered is a code and a sentence, not a trace.
    """
    done = ledger("ledger", *arguments)
    assert done.returncode == status
    assert "GW-" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_ledger(run):
    """
    Every question says that there is no ledger, and makes none.
    """
    for arguments in (("query",), ("why", "x"), ("replay",), ("export", "out"), ("verify",), ("checkpoint",)):
        done = run("ledger", *arguments)
        assert done.returncode == 1, done.stderr
        assert "GW-170" in done.stderr


def test_a_person_is_forgotten(ledger):
    """
    After `erase` the person cannot be found by name, decisions replay as ERASED, and the ledger verifies.
    """
    person = json.loads((HOME / "examples/npa-risk/subject.json").read_text())
    name, tenant = person["sub"], person["tenant"]
    asked = ("ledger", "query", "--user", name, "--tenant", tenant, "--json")
    assert len(ledger(*asked).stdout.splitlines()) > 40
    done = ledger("ledger", "erase", "--subject", name, "--tenant", tenant, "--basis", "asked to on 3 March")
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
    erase = ("ledger", "erase", "--subject", person["sub"], "--tenant", person["tenant"], "--basis", "x")
    assert "CTXGATE_LEDGER_ERASER_URL" in run(*erase, **database).stderr
    done = run(*erase, **database, CTXGATE_LEDGER_ERASER_URL=postgres.url(name, "eraser"))
    assert done.returncode == 0, done.stderr
    assert "ERASED 46" in run("ledger", "replay", **database).stdout
    assert run("ledger", "verify", **database).returncode == 0
    assert run("ledger", "query", CTXGATE_LEDGER_URL="postgresql://nobody@127.0.0.1:1/none").returncode == 3


def test_a_witness_makes_its_key(run, tmp_path):
    """
    The witness's key is made once, and its verifier key is printed for trust policies.
    """
    done = run("witness", "keygen", "audit.bank.example", "--key", "witness.skey")
    assert done.stdout.startswith("audit.bank.example+")
    assert run("witness", "keygen", "audit.bank.example", "--key", "witness.skey").returncode == 1
    assert (tmp_path / "witness.skey").stat().st_mode & 0o777 == 0o600

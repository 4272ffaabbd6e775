"""Keeping the ledger: rollback, migration."""

import json

from gateway.audit.drafts import request_refused
from gateway.audit.parts import act_alone
from gateway.settings import HOME, Settings
from ledger.lane import LaneWriter, Submission
from ledger.sqlite.store import SqliteStore
from tests.support.clock import NOW
from tests.support.commands import VERIFY, officer
from tests.support.erasing import forget_by_command
from tests.support.services import need
from tests.support.strategies import REPLICA, signer
from tests.support.tampering import tamper


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
    assert ledger(*VERIFY).returncode == 3
    done = ledger("ledger", "accept-rollback", "--reason", "restored after the fire of 2 March")
    assert done.returncode == 0, done.stderr
    assert ledger(*VERIFY).returncode == 0
    assert "ROLLBACK-ACCEPTED" in ledger("ledger", "query", "--kind", "lane.opened").stdout


def test_what_was_written_before_runs_were_signed(ledger, tmp_path):
    """
    It waits unsigned and stops nothing; an operator has it signed once, which is on record with the reason, and all verifies.
    """
    file, origin = tmp_path / ".ctxgate" / "ledger.sqlite", Settings().origin
    store = SqliteStore(file)
    lane = LaneWriter(store, origin, REPLICA, signer())
    lane.commit([Submission([request_refused(act_alone(NOW, "gfm", None), ["GW-120"])[0]])])
    store.close()
    mine = f"lane = '{REPLICA.replica}'"
    tamper(file, (f"UPDATE runs SET signature = NULL WHERE {mine}",))
    assert "that wait" in ledger(*VERIFY).stdout
    taken = ("ledger", "accept-unsigned", "--reason", "left by the version before")
    done = ledger(*taken)
    assert done.returncode == 0, done.stderr
    verified = ledger(*VERIFY)
    assert (verified.returncode, "wait" in verified.stdout) == (0, False), verified.stderr
    assert "UNSIGNED-ACCEPTED" in ledger("ledger", "query", "--kind", "lane.opened").stdout
    assert "every run is signed" in ledger(*taken).stderr


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
    eraser = {"CTXGATE_LEDGER_ERASER_URL": postgres.url(name, "eraser")}
    unfinished = forget_by_command(run, tmp_path, person["sub"], **database, **eraser, CTXGATE_ERASE_SECONDS="0")
    assert "GW-420" in unfinished.stderr
    assert "CTXGATE_LEDGER_OWNER_URL" in unfinished.stderr
    done = run(
        "ledger", "erase", "--resume", "--as", dpo, **database, **eraser, CTXGATE_LEDGER_OWNER_URL=postgres.url(name)
    )
    assert done.returncode == 0, done.stderr
    assert "ERASED 46" in run("ledger", "replay", **database).stdout
    assert run(*VERIFY, **database).returncode == 0
    assert run("ledger", "query", CTXGATE_LEDGER_URL="postgresql://nobody@127.0.0.1:1/none").returncode == 3

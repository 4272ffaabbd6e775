"""`ctxgate ledger verify`: what it holds the ledger against, and how it ends."""

import shutil

from datetime import UTC, datetime

import pytest

from adapters.ledger.ed25519 import make_signing_key
from ledger.sqlite.store import SqliteStore
from ledger.tlog.checkpoint import read_checkpoint
from ledger.tlog.note import COSIGNATURE, cosign, sign
from tests.support.commands import VERIFY
from tests.support.services import need


@pytest.fixture
def vkey(ledger):
    return ledger("ledger", "vkey").stdout.strip()


@pytest.fixture
def policy(vkey, tmp_path):
    """A trust policy without witnesses, from outside the state folder."""
    path = tmp_path / "policy.tlog"
    path.write_text(f"log {vkey}\nquorum none\n")
    return path


@pytest.fixture
def witnessed(vkey, tmp_path):
    """A trust policy with a witness, and the witness's key."""
    signer = make_signing_key("w.test", tmp_path / "w.skey", COSIGNATURE)
    path = tmp_path / "witnessed.tlog"
    path.write_text(f"log {vkey}\nwitness w {signer.key}\nquorum w\n")
    return path, signer


def test_with_all_from_outside_it_verifies(ledger, policy):
    """
    With a key from outside, a policy and a pin the status is 0.
    """
    done = ledger("ledger", "verify", "--policy", policy)
    assert done.returncode == 0, done.stderr
    assert "The ledger verifies" in done.stdout


def test_what_is_missing_has_a_status_of_its_own(ledger, vkey, policy, tmp_path):
    """
    Without a key from outside, a policy or a pin the ledger is checked, and the status is 5 unless each is waived by its name.
    """
    done = ledger("ledger", "verify")
    assert done.returncode == 5
    assert "The ledger verifies" in done.stdout
    assert "GW-430" in done.stderr
    assert "--waive key" in done.stderr
    assert "--waive policy" in done.stderr
    assert "--waive pin" not in done.stderr
    assert ledger("ledger", "verify", "--vkey", vkey).returncode == 5
    assert ledger("ledger", "verify", "--vkey", vkey, "--waive", "policy").returncode == 0
    (tmp_path / ".ctxgate/head.pin").unlink()
    done = ledger("ledger", "verify", "--policy", policy)
    assert done.returncode == 5
    assert "--waive pin" in done.stderr
    assert ledger("ledger", "verify", "--policy", policy, "--waive", "pin").returncode == 0


@pytest.mark.parametrize("keys", [None, "", "\n"])
def test_without_a_key_nothing_is_believed(ledger, vkey, keys, tmp_path):
    """
    A file of keys that is gone or empty is an error before anything is read, not a ledger without signatures.
    """
    file = tmp_path / ".ctxgate/keys/ledger.vkeys"
    file.unlink() if keys is None else file.write_text(keys)
    done = ledger(*VERIFY)
    assert done.returncode == 5
    assert "no verifier key" in done.stderr
    assert "verifies" not in done.stdout
    assert ledger("ledger", "verify", "--vkey", vkey, "--waive", "policy").returncode == 0


def test_keys_that_were_replaced(ledger, policy, tmp_path):
    """
    Keys in the log's own folder do not make the policy's be forgotten.
    """
    stranger = make_signing_key("ctxgate.local/ledger", tmp_path / "stranger.skey")
    (tmp_path / ".ctxgate/keys/ledger.vkeys").write_text(f"{stranger.key}\n")
    store = SqliteStore(tmp_path / ".ctxgate/ledger.sqlite")
    newest = store.published()
    store.publish(read_checkpoint(newest.note), newest.at, sign(str(read_checkpoint(newest.note)), [stranger]))
    store.close()
    done = ledger("ledger", "verify", "--policy", policy)
    assert done.returncode == 3, done.stdout
    assert "by the keys from outside" in done.stderr


def test_the_policy_is_looked_at(ledger, witnessed, tmp_path):
    """
    A policy that asks for a witness is not met by a log that none cosigned, nor by one that it cosigned too long ago.
    """
    policy, signer = witnessed
    asked = ("ledger", "verify", "--policy", policy)
    done = ledger(*asked)
    assert done.returncode == 3
    assert "as many witnesses as the trust policy asks" in done.stderr
    store = SqliteStore(tmp_path / ".ctxgate/ledger.sqlite")
    newest = store.published()
    written = int(datetime.fromisoformat("2026-03-01T10:00:00Z").timestamp())
    line = cosign(str(read_checkpoint(newest.note)), signer, written)
    store.publish(read_checkpoint(newest.note), newest.at, newest.note + line)
    store.close()
    done = ledger(*asked)
    assert done.returncode == 0, done.stderr
    assert "under a quorum of witnesses since 2026-03-01" in done.stdout
    done = ledger(*asked, "--fresh", "10m")
    assert done.returncode == 3
    assert "the newest quorum of witnesses is" in done.stderr
    days = (datetime.now(UTC) - datetime.fromisoformat("2026-03-01T00:00:00Z")).days + 1
    assert ledger(*asked, "--fresh", f"{days}d").returncode == 0
    assert "such as 10m" in ledger(*asked, "--fresh", "soon").stderr


def test_an_auditor_who_may_only_read(run, postgres, tmp_path):
    """
    With PostgreSQL's role for auditors, which writes nothing, the ledger is verified from storage.
    """
    need(postgres is not None, "PostgreSQL")
    name = postgres.new_ledger()
    assert run("demo", CTXGATE_LEDGER_URL=postgres.url(name, "gateway")).returncode == 0
    vkey = run("ledger", "vkey").stdout.strip()
    (tmp_path / "policy.tlog").write_text(f"log {vkey}\nquorum none\n")
    shutil.rmtree(tmp_path / ".ctxgate/keys")
    auditor = {"CTXGATE_LEDGER_URL": postgres.url(name, "auditor")}
    done = run("ledger", "verify", "--policy", tmp_path / "policy.tlog", **auditor)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / ".ctxgate/keys").exists()

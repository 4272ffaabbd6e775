"""`ctxgate ledger vkey` and `keygen`: keys made on purpose, taken over at a place in the log, and never beside what is lost."""

import shutil

from tests.support.commands import VERIFY, verify_export


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
    assert ledger(*VERIFY).returncode == 0
    ledger("ledger", "export", "out")
    assert verify_export(tmp_path / "out", "--vkey", new).returncode == 0
    assert verify_export(tmp_path / "out", "--vkey", old[0]).returncode == 1


def test_a_key_is_rotated_before_anything_is_on_record(run):
    """
    The record of a rotation may be the log's first: it is no failure that nobody but the new key signs it.
    """
    run("ledger", "keygen")
    done = run("ledger", "keygen", "--rotate")
    assert done.returncode == 0, done.stderr
    assert run("ledger", "vkey").stdout.split()[0] == done.stdout.strip()
    assert run(*VERIFY).returncode == 0


def test_the_old_key_signs_nothing_any_more(ledger, tmp_path):
    """
    Whoever has the key that was replaced signs no checkpoint that verifies, and no receipt that holds; receipts from before hold
    for whoever has the log.
    """
    keys = tmp_path / ".ctxgate/keys"
    ledger("ledger", "keygen", "--rotate")
    [stolen] = keys.glob("*.old")
    sizes = [line.split()[1:] for line in ledger("ledger", "vkey", "--sizes").stdout.splitlines()]
    [[first, none], [zero, last]] = sizes
    assert (none, zero, int(first)) == ("-", "0", int(last) + 1)
    assert ledger("ledger", "verify-receipt", "pack.json").returncode == 0
    (tmp_path / ".ctxgate/ledger.sqlite").rename(tmp_path / "away")
    assert ledger("ledger", "verify-receipt", "pack.json").returncode == 3
    (tmp_path / "away").rename(tmp_path / ".ctxgate/ledger.sqlite")
    (keys / "ledger.skey").unlink()
    shutil.copy(stolen, keys / "ledger.skey")
    asked = ledger("ledger", "query")
    assert (asked.returncode, "GW-441" in asked.stderr) == (1, True)
    assert ledger(*VERIFY).returncode == 0


def test_a_lost_key(ledger, tmp_path):
    """
    Without its key a log is not signed and no key is made by asking; to go on with a new one takes saying so, which is on record.
    """
    skey = tmp_path / ".ctxgate/keys/ledger.skey"
    before = ledger("ledger", "vkey").stdout
    skey.unlink()
    for command in (("query",), ("keygen",), ("keygen", "--rotate")):
        assert ledger("ledger", *command).returncode == 1, command
    assert (skey.exists(), ledger("ledger", "vkey").stdout) == (False, before)
    assert not list(skey.parent.glob("*.next"))
    done = ledger("ledger", "keygen", "--rotate", "--lost")
    assert done.returncode == 0, done.stderr
    assert "KEY-LOST" in ledger("ledger", "query", "--kind", "key.rotated").stdout
    assert ledger(*VERIFY).returncode == 0


def test_a_rotation_that_broke_off(ledger, tmp_path, monkeypatch):
    """
    A rotation that is on record and whose files were not changed any more is finished by saying it once more.
    """
    with monkeypatch.context() as patch:
        patch.setattr("gateway.cli.ledger.keys.take_over", None)
        assert ledger("ledger", "keygen", "--rotate").returncode == 1
    asked = ledger("ledger", "query")
    assert "GW-441" in asked.stderr
    new = ledger("ledger", "keygen", "--rotate").stdout.strip()
    assert ledger("ledger", "vkey").stdout.split()[0] == new
    assert ledger("ledger", "query", "--kind", "key.rotated", "--json").stdout.count("\n") == 1
    assert ledger(*VERIFY).returncode == 0


def test_a_question_makes_nothing(run, postgres, tmp_path):
    """
    A folder without keys that asks the ledger of others is refused, and holds no key afterwards; the ledger is as it was.
    """
    name = postgres.new_ledger()
    database = {"CTXGATE_LEDGER_URL": postgres.url(name, "gateway")}
    for command in (("query",), ("stats",), ("why", "x"), ("replay",), ("checkpoint",), ("export", "out")):
        asked = run("ledger", *command, **database)
        assert (asked.returncode, "GW-441" in asked.stderr) == (1, True), command
    assert not (tmp_path / ".ctxgate/keys").exists()
    assert postgres.sql(name, "SELECT count(*) FROM lanes").strip() == "0"

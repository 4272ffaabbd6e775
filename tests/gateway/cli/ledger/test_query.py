"""The auditor's commands: query, count, verify; and how mistakes end."""

import json
import sqlite3

import pytest

from tests.support.commands import VERIFY, officer, verify_export


def test_a_cut_ledger_is_found(ledger, tmp_path):
    """
    After the newest records are cut off, `ledger verify` and the gateway itself say so.
    """
    with sqlite3.connect(tmp_path / ".ctxgate/ledger.sqlite") as connection:
        cut = "DROP TRIGGER records_no_DELETE; DROP TRIGGER entries_no_DELETE;"
        connection.executescript(cut + "DELETE FROM records WHERE place > 10; DELETE FROM entries WHERE idx >= 10;")
    connection.close()
    assert ledger(*VERIFY).returncode == 3
    assert ledger("demo").returncode == 3


@pytest.fixture
def pack(ledger, tmp_path):
    """The pack of the story, as it was written."""
    return json.loads((tmp_path / "pack.json").read_text())


def test_an_auditor_at_work(ledger, pack):
    """
    Query, count and show: each answers from the ledger of the story, as a table, as lines and as CSV.
    """
    assert "sop-4.2.1" in ledger("ledger", "query", "--kind", "item.ruled", "--tenant", "gfm").stdout
    assert len(ledger("ledger", "query", "--outcome", "denied", "--json").stdout.splitlines()) == 10
    assert ledger("ledger", "query", "--csv", "--limit", "3").stdout.startswith("index,kind")
    assert "JUR-001" in ledger("ledger", "stats", "--by", "code").stdout
    assert "released" in ledger("ledger", "stats", "--period", "day", "--kind", "item.ruled").stdout
    decision = pack["sections"][0]["items"][0]["decision_id"]
    assert json.loads(ledger("ledger", "show", decision).stdout)["decision_id"] == decision
    assert ledger(*VERIFY).returncode == 0


def test_a_pack_is_told_replayed_and_proved(ledger, pack):
    """
    Of a pack all rulings are told and made again; of one of its items its own alone.
    """
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
    assert ledger("ledger", "checkpoint").stdout.startswith("ctxgate.local/ledger\n")


def test_an_export_verifies_alone(ledger, pack, tmp_path):
    """
    The export and the pack verify without us; a pack that is another is found, and no export is written over.
    """
    vkey = ledger("ledger", "vkey").stdout.strip()
    done = ledger("ledger", "export", "out")
    assert done.returncode == 0, done.stderr
    checked = verify_export(tmp_path / "out", "--vkey", vkey, "--pack", tmp_path / "pack.json")
    assert checked.returncode == 0, checked.stdout
    assert ledger("ledger", "verify-receipt", "pack.json", "--vkey", vkey).returncode == 0
    (tmp_path / "pack.json").write_text(json.dumps({**pack, "id": "pack_other"}))
    assert verify_export(tmp_path / "out", "--pack", tmp_path / "pack.json").returncode == 1
    assert ledger("ledger", "export", "out").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("why", "nothing"), 1),
        (("replay", "00000000-0000-7000-8000-000000000000"), 1),
        (("proof", "nothing"), 1),
        (("show", "nothing"), 1),
        (("stats", "--by", "body"), 1),
        (("query", "--user", "sarah.lim"), 1),
        (("erase", "--approve", "ERQ-0123456789abcdef", "--as", "DPO"), 1),
        (("erase", "--subject", "x", "--basis", "x", "--waiting", "--as", "DPO"), 1),
        (("accept-rollback", "--reason", "x"), 1),
        (("keygen",), 1),
    ],
)
def test_mistakes_end_with_a_code(ledger, tmp_path, arguments, status):
    """
    What cannot be answered is a code and a sentence, not a trace.
    """
    dpo = officer(ledger, tmp_path, "dpo", "erasure:write") if "DPO" in arguments else None
    done = ledger("ledger", *(dpo if one == "DPO" else one for one in arguments))
    assert done.returncode == status
    assert "GW-" in done.stderr
    assert "Traceback" not in done.stderr


def test_for_another_program(ledger, pack):
    """
    Counts, stories, replays, verifications and receipts are the same facts as JSON, and end as they do in words.
    """

    def asked(*arguments):
        done = ledger("ledger", *arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    counts = {one["value"]: one["count"] for one in asked("stats", "--by", "outcome", "--kind", "item.ruled")["series"]}
    assert counts == {"denied": 10, "quarantined": 1, "redacted": 2, "released": 33}
    [account] = asked("why", pack["id"])["accounts"]
    assert account["closing"].startswith("Complete")
    assert account["entries"][0]["record"]["request_id"]
    assert all(one["proof"]["holds"] for one in account["entries"])
    replayed = asked("replay", "--limit", "5")
    assert (replayed["rulings"]["MATCH"], replayed["requests"]["MATCH"], replayed["wrong"]) == (4, 1, [])
    verified = asked(*VERIFY[1:])
    assert (verified["verifies"], verified["packs"], verified["missing"]) == (True, 1, ["key", "policy"])
    assert asked("verify-receipt", "pack.json")["pack"] == pack["id"]


def test_without_a_ledger(run):
    """
    Every question says that there is no ledger, and makes none.
    """
    for arguments in (("query",), ("why", "x"), ("replay",), ("export", "out"), ("verify",), ("checkpoint",)):
        done = run("ledger", *arguments)
        assert done.returncode == 1, done.stderr
        assert "GW-170" in done.stderr

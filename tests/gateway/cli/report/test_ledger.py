"""`ctxgate report pack`, `period`, on the ledger of the bundled story."""

import json
import shlex
import sqlite3
import subprocess

from collections import Counter

import pytest

from ledger.query import PROJECTED
from tests.support.reports import PageReader, squeezed, text_of


@pytest.fixture
def pack(told):
    """The story's pack, as it was handed over."""
    return json.loads((told / "pack.json").read_text())


def counted(folder, by, **conditions):
    """What SQL counts in the ledger's file."""
    assert by in PROJECTED
    where = " AND ".join([f"{name} = ?" for name in conditions] or ["1"])
    with sqlite3.connect(folder / ".ctxgate/ledger.sqlite") as connection:
        rows = connection.execute(
            f"SELECT {by}, count(*) FROM entries WHERE {where} GROUP BY 1", [*conditions.values()]
        )
        return dict(rows.fetchall())


def test_a_pack(ledger, tmp_path, pack):
    """
    The report of the story's pack has the figures of the database and of the pack, in every form.
    """
    done = ledger("report", "pack", pack["id"], "--html", "p.html", "--pdf", "p.pdf", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    rows = document["verdicts"]["rows"]
    assert Counter(row["outcome"] for row in rows) == counted(tmp_path, "outcome", kind="item.ruled")
    inside = {item["decision_id"] for section in pack["sections"] for item in section["items"]}
    packed = [row["item"] for row in rows if row["packed"] == "yes"]
    named = {row["decision_id"]: row["item"] for row in document["records"]["rows"] if row["kind"] == "item.ruled"}
    assert packed
    assert sorted(packed) == sorted(named[one] for one in inside if one in named)
    assert document["exceptions"]["rows"][0]["owner"] == "Head of Product Control"
    page, pdf = PageReader((tmp_path / "p.html").read_text()).text, text_of((tmp_path / "p.pdf").read_bytes())
    for fact in (
        pack["id"],
        pack["policy"]["revision"],
        document["sealed"]["leaf"],
        *packed,
        "Regional Compliance",
        "DPO-014",
    ):
        assert fact in page
        assert squeezed(fact) in pdf


def test_no_text_of_an_item(ledger, pack):
    """
    Nothing of what items say stands in a report.
    """
    shown = ledger("report", "pack", pack["id"], "--json").stdout
    texts = [
        item["content"] for section in pack["sections"] for item in section["items"] if isinstance(item["content"], str)
    ]
    assert texts
    for text in texts:
        for line in filter(lambda one: len(one) > 30, text.splitlines()):
            assert line not in shown


def test_its_commands_hold(ledger, tmp_path, pack):
    """
    Every command that a report names can be pasted, and the checksum is the leaf that the report states.
    """
    document = json.loads(ledger("report", "pack", pack["id"], "--json").stdout)
    for line in document["commands"]:
        command, _, file = line.partition(" > ")
        if not line.startswith("ctxgate "):
            continue
        words = shlex.split(command.partition(" | ")[0])[1:]
        done = ledger(*words)
        assert done.returncode == 0, (line, done.stderr)
        if file:
            (tmp_path / file).write_text(done.stdout.replace("\n", ""))
    [checksum] = [line for line in document["commands"] if "sha256sum" in line]
    summed = subprocess.run(["sh", "-c", checksum], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert summed.stdout.split()[0] == document["sealed"]["leaf"]


def test_a_period(ledger, tmp_path):
    """
    The report of a period has the figures of the database, and the reading of it is on record before anything is read.
    """
    done = ledger("report", "period", "--since", "2026-01-01", "--until", "2026-03-31", "--json", "--pdf", "q.pdf")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    kinds = {row["kind"]: row["count"] for row in document["kinds"]["rows"]}
    with sqlite3.connect(tmp_path / ".ctxgate/ledger.sqlite") as connection:
        query = "SELECT kind, count(*) FROM entries WHERE at < '2026-04-01' GROUP BY 1"
        assert kinds == dict(connection.execute(query).fetchall())
    [agent] = document["agents"]["rows"]
    outcomes = counted(tmp_path, "outcome", kind="item.ruled")
    assert {name: agent[name] for name in outcomes} == outcomes
    assert "FILTER-REPORT_PERIOD" in ledger("ledger", "query", "--kind", "ledger.read", "--json").stdout
    assert squeezed("Regional Compliance") in text_of((tmp_path / "q.pdf").read_bytes())


def test_its_figures_can_be_counted_again(ledger):
    """
    The commands with which a report of a period says that it can be checked answer the same figures.
    """
    document = json.loads(ledger("report", "period", "--since", "2026-01-01", "--until", "2026-03-31", "--json").stdout)
    [by_code] = [line for line in document["commands"] if "--by code" in line]
    answer = ledger(*shlex.split(by_code)[1:]).stdout
    for row in document["codes"]["rows"]:
        assert any(
            row["code"] in line and str(row["denied"] + row["quarantined"]) in line for line in answer.splitlines()
        )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pack", "pack_unknown"), "GW-170"),
        (("period", "--since", "31/10/2026", "--until", "2026-11-30"), "GW-120"),
        (("pack", "PACK", "--html", "not/there/p.html"), "GW-252"),
        (("pack", "PACK", "--tenant", "other"), "GW-170"),
    ],
)
def test_refused(ledger, pack, arguments, said):
    """
    Whatever cannot be told, or not be written, ends with a code.
    """
    done = ledger("report", *(one.replace("PACK", pack["id"]) for one in arguments))
    assert done.returncode == 1
    assert said in done.stderr


def test_without_a_form(ledger, pack):
    """
    Who names no form reads the summary.
    """
    done = ledger("report", "pack", pack["id"])
    assert "Complete: the pack commits to exactly the 46 rulings on record." in done.stdout


def test_without_a_ledger(run):
    """
    Where there is no ledger that is said, and none is begun.
    """
    done = run("report", "period", "--since", "2026-01-01", "--until", "2026-01-31")
    assert (done.returncode, "GW-170" in done.stderr) == (1, True)

"""`ctxgate report change`, `exceptions`, on the ledger of the bundled story."""

import json

import pytest

from tests.support.reports import squeezed, text_of


def test_a_change(ledger, tmp_path, told):
    """
    The bundle of the story: when it began to decide, and the past decided again under it.
    """
    revision = json.loads((told / "pack.json").read_text())["policy"]["revision"]
    done = ledger("report", "change", revision, "--simulate", "10", "--json", "--pdf", "c.pdf", "--html", "c.html")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["acts"]["rows"][0]["codes"] == ["STARTED"]
    assert document["simulation"] == {"decisions": 10, "unchanged": 10, "erased": 0}
    assert document["problems"]["rows"] == []
    assert squeezed(revision) in text_of((tmp_path / "c.pdf").read_bytes())
    assert "FILTER-REPORT_CHANGE" in ledger("ledger", "query", "--kind", "ledger.read", "--json").stdout


def test_exceptions(ledger, tmp_path):
    """
    The exceptions of the shipped bundle on a day, with the one that the story used.
    """
    done = ledger("report", "exceptions", "--on", "2026-06-01", "--json", "--pdf", "e.pdf", "--html", "e.html")
    assert done.returncode == 0, done.stderr
    rows = {row["id"]: row for row in json.loads(done.stdout)["exceptions"]["rows"]}
    assert (rows["EXC-2026-001"]["state"], rows["EXC-2026-001"]["uses"]) == ("lapsing soon", 1)
    assert rows["EXC-2025-007"]["state"] == "lapsed"
    assert squeezed("Head of Product Control") in text_of((tmp_path / "e.pdf").read_bytes())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("change", "sha256:unknown"), "GW-170"),
        (("exceptions", "--on", "yesterday"), "GW-120"),
        (("exceptions", "--on", "9999-12-31"), "GW-120"),
    ],
)
def test_refused(ledger, arguments, said):
    """
    What is not there, and what is no day, is refused with a code.
    """
    done = ledger("report", *arguments)
    assert done.returncode == 1
    assert said in done.stderr

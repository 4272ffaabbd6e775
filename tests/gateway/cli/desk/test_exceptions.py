"""Exceptions on request from officers' own machines."""

import json

from datetime import UTC, datetime, timedelta

from tests.support.commands import officer
from tests.support.serving import served

COO = {"role": "coo", "department": "COO"}
LEGAL = {"role": "approver", "department": "LEGAL"}
MONTH = f"{datetime.now(UTC) + timedelta(days=30):%Y-%m-%d}"
WHY = ("--reason", "Agreed with Legal in Hong Kong.")


def test_an_exception_from_two_machines(run, tmp_path):
    """
    One officer asks, another approves, both see it with its scope and its end, and either ends it; the table's own are listed too.
    """
    with served(tmp_path) as server:
        cora = officer(run, tmp_path, "cora", "exceptions:ask", **COO)
        lena = officer(run, tmp_path, "lena", "exceptions:approve", **LEGAL)

        def desk(who, *arguments):
            return run("exception", *arguments, "--server", server, "--token-file", who)

        wide = (
            "--code",
            "JUR-002",
            "--owner",
            "COO office",
            *WHY,
            "--scope",
            "jurisdiction=HK",
            "--expires",
            "2099-01-01",
        )
        refused = desk(cora, "ask", *wide)
        assert (refused.returncode, "EXC-004" in refused.stderr, "EXC-003" in refused.stderr) == (1, True, True)

        narrow = (
            "--scope",
            "department=COO",
            "--scope",
            "entity_id=NPA-2026-00142",
            "--max-uses",
            "5",
            "--for",
            "carl",
        )
        asked = desk(cora, "ask", *wide[:-1], MONTH, *narrow, "--json")
        assert asked.returncode == 0, asked.stderr
        name = json.loads(asked.stdout)["id"]
        own = desk(cora, "approve", name, *WHY)
        assert own.returncode == 1
        approved = desk(lena, "approve", name, *WHY)
        assert f"{name} in force" in approved.stdout, approved.stderr

        shown = desk(cora, "show", name).stdout
        for words in (
            "waives    JUR-002",
            "scope     department=COO entity_id=NPA-2026-00142 jurisdiction=HK",
            "or max_uses=5",
            "for       carl",
            "uses      0",
            "asked     by cora (coo, COO) at ",
            "approved  by lena (approver, LEGAL) at ",
        ):
            assert words in shown, words
        listed = desk(lena, "list").stdout
        assert name in listed
        assert "never used" in listed
        assert "EXC-2026-001" in listed
        assert "EXC-2026-001" not in desk(lena, "list", "--lapsing", "5d").stdout

        assert "GW-120" in run("exception", "revoke", name).stderr
        assert f"{name} revoked" in desk(cora, "revoke", name, *WHY).stdout
        assert "GW-170" in desk(cora, "show", "EXR-../../policy").stderr


def test_a_scope_that_says_nothing(run):
    """
    A member without a value, or named twice, is refused before anything is sent.
    """
    given = ("--code", "JUR-002", "--owner", "me", *WHY, "--expires", "2099-01-01", "--server", "http://127.0.0.1:9")
    for scope in (("jurisdiction",), ("jurisdiction=",), ("=HK",), ("jurisdiction=HK", "jurisdiction=SG")):
        named = [part for one in scope for part in ("--scope", one)]
        assert "GW-120" in run("exception", "ask", *given, *named, CTXGATE_TOKEN="t").stderr

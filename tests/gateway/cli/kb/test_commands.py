"""`ctxgate kb`."""

import json

from tests.support.commands import VERIFY, officer
from tests.support.knowledge import CORPUS, SAID, TEXT


def test_documents_at_the_command_line(run, tmp_path, monkeypatch):
    """
    A document is added, listed, shown, checked and taken back; a folder is synced; each needs its scope; the log verifies.
    """
    assert run("ledger", "keygen").returncode == 0
    ann = ("--as", str(officer(run, tmp_path, "ann", "knowledge:read knowledge:write", role="approver")))
    nobody = ("--as", str(officer(run, tmp_path, "nobody", "")))
    file = tmp_path / "booking.md"
    file.write_text(TEXT)
    (tmp_path / "booking.md.yaml").write_text("".join(f"{name}: '{value}'\n" for name, value in SAID.items()))
    assert run("kb", "add", file, "--corpus", CORPUS, *nobody).returncode != 0
    added = run("kb", "add", file, "--corpus", CORPUS, *ann)
    assert added.returncode == 0, added.stderr
    assert "accepted" in added.stdout
    refused = run("kb", "add", file, "--corpus", CORPUS, "--label", "version=0.9", *ann)
    assert "GW-703" in refused.stderr
    assert "KNW-008" in refused.stderr
    listed = run("kb", "list", "--json", *ann)
    [one] = json.loads(listed.stdout)
    assert (one["document"], one["status"]) == ("booking.md", "accepted")
    assert "noon" not in listed.stdout
    assert run("kb", "check", "--mend").returncode == 0
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "knowledge.yaml").write_text("defaults:\n" + "".join(f"  {n}: '{v}'\n" for n, v in SAID.items()))
    (folder / "a.md").write_text("# A\n\nText of a.\n")
    synced = run("kb", "sync", folder, "--corpus", CORPUS, *ann)
    assert "1 new" in synced.stdout, synced.stderr
    assert run("kb", "rm", CORPUS, "booking.md", "--purge", *ann).returncode == 0
    assert json.loads(run("kb", "history", CORPUS, "booking.md", "--json", *ann).stdout)[0]["status"] == "withdrawn"
    assert "GW-704" in run("kb", "show", CORPUS, "booking.md", *ann).stderr
    assert run(*VERIFY).returncode == 0

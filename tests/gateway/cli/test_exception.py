"""`ctxgate exception`."""

import json

from tests.support.commands import in_folder, officer


def test_the_commands(policies, tmp_path):
    """
    Grant, list and revoke from the command line; who changes something has a token that allows to propose.
    """
    command = in_folder(tmp_path)
    ann = ["--as", officer(command, tmp_path, "ann", "policy:propose")]
    bob = ["--as", officer(command, tmp_path, "bob", "ledger:read")]

    def run(*args):
        return command("exception", *args, "--bundle", policies)

    scope = ["--agent", "RISK", "--purpose", "risk_assessment", "--source-id", "SOP", "--expires", "2099-01-01"]
    about = ["--owner", "Head of Desk", "--reason", "Needed for a while longer", "--rollback-trigger", "New version"]
    done = run("grant", "--code", "FRS-004", *scope, *about, *ann)
    assert done.returncode == 0, done.stderr
    name = done.stdout.split()[0]
    listed = run("list").stdout
    assert name in listed
    assert "(expired)" in listed
    entries = {one["id"]: one for one in json.loads(run("list", "--json").stdout)["exceptions"]}
    assert (entries[name]["owner"], entries[name]["expired"]) == ("Head of Desk", False)
    assert entries["EXC-2025-007"]["expired"] is True
    assert "GW-107" in run("grant", "--code", "FRS-004", *scope, *about, *bob).stderr
    assert "GW-107" in run("revoke", name, *bob).stderr
    assert run("revoke", name, *ann).returncode == 0
    assert run("revoke", name, *ann).returncode == 1
    assert "GW-120" in run("grant", "--code", "JUR-001", *scope, *about, *ann).stderr

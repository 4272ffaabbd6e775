"""`ctxgate exception`."""

from tests.support.commands import in_folder


def test_the_commands(policies):
    """
    Grant, list and revoke from the command line.
    """

    def run(*args):
        return in_folder(policies)("exception", *args, "--bundle", policies)

    scope = ["--agent", "RISK", "--purpose", "risk_assessment", "--source-id", "SOP", "--expires", "2099-01-01"]
    about = ["--owner", "Head of Desk", "--reason", "Needed for a while longer", "--rollback-trigger", "New version"]
    done = run("grant", "--code", "FRS-004", *scope, *about)
    assert done.returncode == 0, done.stderr
    name = done.stdout.split()[0]
    listed = run("list").stdout
    assert name in listed
    assert "(expired)" in listed
    assert run("revoke", name).returncode == 0
    assert run("revoke", name).returncode == 1
    assert "GW-120" in run("grant", "--code", "JUR-001", *scope, *about).stderr

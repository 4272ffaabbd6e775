"""Erasure at the command line, and its certificate."""

import json

from gateway.settings import HOME
from tests.support.commands import VERIFY, officer
from tests.support.erasing import ask_by_command, forget_by_command


def test_a_person_is_forgotten(ledger, tmp_path):
    """
    After `erase` the person cannot be found by name, decisions replay as ERASED, and the ledger verifies; it takes an officer
    with a token for it, who is another person; the certificate that it prints holds, and is found again by the token.
    """
    person = json.loads((HOME / "examples/npa-risk/subject.json").read_text())
    name, tenant = person["sub"], person["tenant"]
    asked = ("ledger", "query", "--user", name, "--tenant", tenant, "--json")
    assert len(ledger(*asked).stdout.splitlines()) > 40
    erase = ("ledger", "erase", "--subject", name, "--basis", "asked to on 3 March")
    ann = officer(ledger, tmp_path, "ann", "ledger:read")
    themselves = officer(ledger, tmp_path, name.upper(), "erasure:write")
    assert "GW-154" in ledger(*erase, "--as", themselves).stderr
    assert "GW-107" in ledger(*erase, "--as", ann).stderr
    assert "GW-105" in ledger(*erase, "--as", tmp_path / "ann.json").stderr
    asked_for = ask_by_command(ledger, tmp_path, name)
    first, dpo = tmp_path / "privacy.desk.token", officer(ledger, tmp_path, "dpo", "erasure:write")
    assert asked_for in ledger("ledger", "erase", "--waiting", "--as", dpo).stdout
    approve = ("ledger", "erase", "--approve", asked_for, "--as")
    assert "GW-154" in ledger(*approve, first).stderr
    assert "withdrawn" in ledger("ledger", "erase", "--withdraw", asked_for, "--as", dpo).stdout
    assert "GW-277" in ledger(*approve, dpo).stderr
    assert len(ledger(*asked).stdout.splitlines()) > 40
    done = forget_by_command(ledger, tmp_path, name)
    assert done.returncode == 0, done.stderr
    certificate = done.stdout[done.stdout.index("ctxgate-erasure/1") :]
    token = json.loads(certificate.splitlines()[2])["token"]
    assert ledger("ledger", "certificate", token).stdout == certificate
    (tmp_path / "certificate").write_text(certificate)
    assert "The certificate holds" in ledger("ledger", "verify-certificate", "certificate").stdout
    held = json.loads(ledger("ledger", "verify-certificate", "certificate", "--json").stdout)
    assert held["certificate"]["token"] == token
    (tmp_path / "changed").write_text(certificate.replace(token, token[::-1]))
    assert ledger("ledger", "verify-certificate", "changed", "--alone").returncode == 3
    assert "GW-170" in ledger("ledger", "certificate", "nobody").stderr
    assert "Nothing waits" in ledger("ledger", "erase", "--waiting", "--as", dpo).stdout
    assert "--basis" in ledger("ledger", "erase", "--subject", name, "--as", dpo).stderr
    assert ledger("ledger", "erase", "--resume", "--as", dpo).stdout == ""
    assert ledger(*asked).stdout == ""
    assert "ERASED 46" in ledger("ledger", "replay").stdout
    assert ledger(*VERIFY).returncode == 0
    assert "ERASED" in ledger("ledger", "query", "--kind", "erasure").stdout

"""Forgetting a person, as the command and the API do it: one officer asks, another approves."""

from gateway.audit.open_ledger import LedgerWriter
from gateway.bootstrap.erasing import eraser_of, erasure_desk
from gateway.bootstrap.stores import Stores
from gateway.model import Subject
from gateway.privacy.erasure import Erased
from gateway.settings import Settings
from tests.support.clock import NOW
from tests.support.commands import officer

SCOPE = "erasure:write"


def officer_named(name: str, tenant: str) -> Subject:
    """An officer of a tenant."""
    return Subject(sub=name, tenant=tenant, role="admin", department="RMG", jurisdictions=("SG",))


async def forget(tenant: str, subject: str, stores: Stores, ledger: LedgerWriter, settings: Settings) -> Erased:
    """Erase a person at `NOW`, through a ledger that is open for writing."""
    desk, second = erasure_desk(ledger, stores), officer_named("dpo", tenant)
    asked = await desk.ask(subject, "asked to", officer_named("privacy.desk", tenant), NOW)
    agreed = await desk.approve(asked.id, second, NOW)
    return await eraser_of(settings, ledger, stores).erase(agreed, second, NOW)


async def forget_over_http(post, subject, basis="asked to", sub="dpo", **more):
    """The answer to the second officer."""
    asked = await post(
        "/v1/ledger/erasures", {"subject": subject, "basis": basis}, scope=SCOPE, sub="privacy.desk", **more
    )
    assert asked.status_code == 202, asked.text
    return await post(f"/v1/ledger/erasures/{asked.json()['id']}/approve", {}, scope=SCOPE, sub=sub, **more)


def ask_by_command(run, folder, subject, basis="asked to on 3 March", **environment):
    """Ask with `ctxgate ledger erase`, as the first officer; the id."""
    first = officer(run, folder, "privacy.desk", SCOPE)
    asked = run("ledger", "erase", "--subject", subject, "--basis", basis, "--as", first, **environment)
    assert asked.returncode == 0, asked.stderr
    return asked.stdout.split()[0]


def forget_by_command(run, folder, subject, **environment):
    """Ask and approve with `ctxgate ledger erase`; what the second officer's command gives."""
    name = ask_by_command(run, folder, subject, **environment)
    return run("ledger", "erase", "--approve", name, "--as", officer(run, folder, "dpo", SCOPE), **environment)

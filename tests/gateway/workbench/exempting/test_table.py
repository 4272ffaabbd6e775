"""Governed exceptions as an officer grants and revokes them."""

from datetime import date

import pytest
import yaml

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.errors import BundleInvalidError, FieldInvalidError, NotFoundError
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from gateway.workbench.cases import merged
from gateway.workbench.exempting.table import Exemption, grant, granted, next_id, revoke

BASE = yaml.safe_load((HOME / "policies/context/cases.base.yaml").read_text())


TODAY = date(2026, 3, 1)


NEW = {
    "id": "EXC-2026-002",
    "owner": "Head of Desk",
    "reason": "The old playbook is used until May.",
    "codes": ["FRS-004"],
    "scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
    "expires": "2026-05-01",
    "rollback_trigger": "New playbook published",
}


async def outcome(policies):
    facts = merged(BASE, {"item": {"expiry_date": "2026-02-01"}})
    [answer] = await RegorusPolicyEngine(load_bundle(policies)).evaluate("context/release", [facts])
    return answer["outcome"], answer["exceptions"]


async def test_a_grant_waives_and_a_revocation_ends_it(policies):
    """
    A granted exception lets its item pass, named in the answer; a revoked one leaves the file as it was.
    """
    path = policies / "context/exceptions/data.yaml"
    before = path.read_text()
    assert await outcome(policies) == ("denied", [])
    assert next_id(policies, TODAY) == "EXC-2026-002"
    grant(policies, Exemption.model_validate(NEW), TODAY)
    assert await outcome(policies) == ("released", ["EXC-2026-002"])
    assert path.read_text().startswith(before)
    assert len(granted(policies)) == 3
    revoke(policies, "EXC-2026-002")
    assert path.read_text() == before


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": "EXC-2026-001"}, "id"),
        ({"expires": "2026-03-01"}, "expires"),
        ({"codes": ["FRS-004", "CLS-001"]}, "codes"),
    ],
)
def test_what_cannot_be_granted(policies, change, field):
    """
    A taken id, a past expiry and a refusal that can never be waived are refused before anything is written.
    """
    before = (policies / "context/exceptions/data.yaml").read_text()
    with pytest.raises(FieldInvalidError) as caught:
        grant(policies, Exemption.model_validate({**NEW, **change}), TODAY)
    assert caught.value.fields[0][0] == field
    assert (policies / "context/exceptions/data.yaml").read_text() == before


def test_an_unknown_exception_and_a_broken_table(policies):
    """
    Revoking what is not there, and a table that is not whole, are errors.
    """
    with pytest.raises(NotFoundError):
        revoke(policies, "EXC-1999-001")
    path = policies / "context/exceptions/data.yaml"
    path.write_text(path.read_text().replace("    owner: Head of Product Control\n", ""))
    with pytest.raises(BundleInvalidError, match="owner"):
        granted(policies)
    path.write_text("granted: ]")
    with pytest.raises(BundleInvalidError):
        granted(policies)

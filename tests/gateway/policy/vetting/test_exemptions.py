"""A governed exception as its line says it."""

import pytest

from pydantic import ValidationError

from gateway.policy.vetting.exemptions import Exemption

LINE = {
    "id": "EXC-2026-001",
    "owner": "Compliance",
    "reason": "The source is replaced in June",
    "codes": ("FRS-004",),
    "scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
    "expires": "2026-12-31",
    "rollback_trigger": "the source is replaced",
}


def test_a_whole_line_is_one():
    """
    A line with all that an exception needs is taken as it is.
    """
    assert Exemption.model_validate(LINE).expires == "2026-12-31"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("expires", "31/12/2020"),
        ("expires", "2026-02-30"),
        ("id", "EXC-1"),
        ("codes", ()),
        ("reason", "soon"),
        ("scope", {"agent": "RISK"}),
        ("colour", "red"),
    ],
)
def test_a_line_with_a_slip_is_none(name, value):
    """
    A date that is none, an id of another form, nothing to waive, no reason, half a scope or an unknown key.
    """
    with pytest.raises(ValidationError):
        Exemption.model_validate({**LINE, name: value})

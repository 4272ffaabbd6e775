"""Which exceptions officers are reminded of."""

from datetime import timedelta

import pytest

from gateway.model.base import RecordProof
from gateway.ports.waivers import KeptWaiver, OfficerAct, Waiver, WaiverScope, WaiverTrigger
from gateway.workbench.exempting.standing import needs_a_look, state_of
from tests.support.clock import NOW

ACT = OfficerAct(
    officer="ann",
    person="ann",
    token="t",
    role="approver",
    department="LEGAL",
    at="2026-03-01T09:15:00.000000Z",
    reason="It is needed.",
    proof=RecordProof(record="r", salt="0" * 64),
)


def waiver(expires="2026-06-01T00:00:00.000000Z", *, approved=ACT, **more):
    return Waiver(
        id="EXR-" + "0" * 16,
        tenant="gfm",
        codes=("JUR-002",),
        scope=WaiverScope(),
        expires=expires,
        owner="COO",
        asked=ACT,
        approved=approved,
        **more,
    )


@pytest.mark.parametrize(
    ("one", "used", "words", "state"),
    [
        (waiver(), 3, (), "in force"),
        (waiver(), 0, ("never used",), "in force"),
        (waiver("2026-03-10T00:00:00.000000Z"), 3, ("lapses",), "in force"),
        (waiver(trigger=WaiverTrigger(until="2026-03-10T00:00:00.000000Z")), 3, ("lapses",), "in force"),
        (waiver(trigger=WaiverTrigger(max_uses=3)), 3, ("used up",), "in force"),
        (waiver("2026-02-10T00:00:00.000000Z"), 0, (), "over"),
        (waiver(approved=None), 0, (), "asked"),
        (waiver(revoked=ACT), 0, (), "revoked"),
    ],
)
def test_what_needs_a_look(one, used, words, state):
    """
    What lapses within two weeks, was never used or is used up; nothing that is over, ended or only asked for.
    """
    assert needs_a_look(KeptWaiver(one, used), NOW) == words
    assert state_of(one, NOW) == state
    assert "lapses" not in needs_a_look(KeptWaiver(one, used), NOW, timedelta(days=1))

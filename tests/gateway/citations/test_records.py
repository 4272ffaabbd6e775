"""Claims against JSON records: a figure belongs to its member, and an object of a list to itself."""

import pytest

from bench.citations import THRESHOLD
from gateway.citations.records import OBJECTS, groups
from gateway.citations.support import support

DECISION = {"project_id": "NPA-1", "decision": "conditional approval", "date": "2026-02-15"}
LIMITS = {"limits": {"var": 4_000_000}, "usage": {"var": 2_900_000}, "currency": "USD"}
SIGNED = {"sign_offs": [{"function": "Finance", "signed_on": "2026-02-10"}, {"function": "Legal", "status": "pending"}]}


@pytest.mark.parametrize(
    ("claim", "content", "high"),
    [
        ("This NPA was approved conditionally on 2026-02-15.", DECISION, True),
        ("The product was approved conditionally on 2026-02-15.", DECISION, True),
        ("This NPA was approved unconditionally on 2026-02-15.", DECISION, False),
        ("This NPA was approved conditionally on 2026-02-16.", DECISION, False),
        ("This NPA needs two approvals.", "The product needs two approvals.", True),
        ("This NPA needs three approvals.", "The product needs two approvals.", False),
        ("The VAR limit is USD 4 million.", LIMITS, True),
        ("The VAR limit is USD 2.9 million.", LIMITS, False),
        ("Finance signed on 2026-02-10.", SIGNED, True),
        ("Legal signed on 2026-02-10.", SIGNED, False),
        ("The status of Finance is pending.", SIGNED, False),
        ("Incident INC-1 is of minor severity.", {"incident_id": "INC-1", "severity": "critical"}, False),
        ("The maximum tenor is 12 months.", {"maxTenorMonths": 12}, True),
        ("The margin is 185 basis points.", {"margin_bps": 185}, True),
    ],
)
def test_claims_of_records(claim, content, high):
    """
    What a record says is borne out in the words that people use for it, and what another member or object says is not.
    """
    assert (support(claim, content) >= THRESHOLD) is high


def test_objects_of_lists_stand_alone():
    """
    The record comes by itself and with each object of a list, but not with two of them; beyond a number they come alone.
    """
    found = groups({"id": "A", "list": [{"n": number} for number in range(OBJECTS + 1)]})
    assert [len(members) for members in found] == [1, *[2] * OBJECTS, 1]

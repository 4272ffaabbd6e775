import copy

from dataclasses import replace

import pytest

from gateway.workbench.proving.exact import exact_diff
from tests.support.bundles import SHIPPED
from tests.support.proofs import ENGINES, JURISDICTION, PATIENT


def compared(new, question="admit"):
    found = exact_diff(SHIPPED, new, ENGINES, questions=(question,), seconds=PATIENT, whole_seconds=PATIENT)
    return found.changes[0]


def test_two_bundles_that_decide_alike_are_shown_to():
    """An officer who changes comments and the order of lines sees that no input is decided differently."""
    rego = SHIPPED.modules[JURISDICTION].replace(
        "\tjurisdiction_known\n\twithin_request\n", "\twithin_request\n\tjurisdiction_known\n", 1
    )
    assert rego != SHIPPED.modules[JURISDICTION]
    change = compared(replace(SHIPPED, modules={**SHIPPED.modules, JURISDICTION: rego}))
    assert (change.verdict, change.rows, change.complete) == ("same", (), True)


@pytest.mark.soak
def test_a_clearance_that_rises_is_a_row_of_who_and_what():
    """An officer who clears analysts for more sees that it is analysts who are given more, and of which classification."""
    data = copy.deepcopy(SHIPPED.data)
    data["context"]["entitlement"]["clearance"]["analyst"] = "RESTRICTED"
    change = compared(replace(SHIPPED, data=data))
    assert change.verdict == "differs"
    assert change.complete
    for row in change.rows:
        assert row.change == "permitted"
        assert row.where["subject.role"] == ("analyst",)
        assert row.where["item.data_classification"] == ("RESTRICTED",)
        assert row.example.input["subject"]["role"] == "analyst"


def test_a_threshold_is_one_row_of_what_it_is_about():
    """An officer who lets records be read later sees the age and the kind of source, and no other fact; so with an age in days."""
    data = copy.deepcopy(SHIPPED.data)
    data["context"]["freshness"]["live_within_seconds"]["system_of_record"] = 600
    (row,) = complete(compared(replace(SHIPPED, data=data)))
    assert row.where.keys() == {"item.source_type", "item.age_seconds", "item.attestation"}
    assert row.where["item.source_type"] == ("system_of_record",)
    assert set(row.where["item.age_seconds"]) == {"between 300 and 600", "600"}
    assert 300 < row.example.input["item"]["age_seconds"] <= 600


def complete(change):
    assert (change.verdict, change.complete, change.reason) == ("differs", True, None)
    return change.rows

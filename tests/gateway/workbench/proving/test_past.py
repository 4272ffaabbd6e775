import copy
import json

from dataclasses import replace

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.policy.entrypoints import ADMIT
from gateway.workbench.cases import read_cases
from gateway.workbench.proving.past import Decider, past_touched
from gateway.workbench.simulate import unchanged
from ledger.lane import Submission
from ledger.query import Filter
from ledger.record import PolicyPart
from tests.support.bundles import SHIPPED
from tests.support.strategies import new_lane, ruling, sequencer, uid

PART = PolicyPart(revision="sha256:0", engine="e", engine_version="1", entrypoint=ADMIT.name)


@pytest.fixture
def past(tmp_path):
    """A ledger with two rulings on each input of a case of freshness, and what policy was asked."""
    cases = [case.facts for case in read_cases(SHIPPED) if case.area == "freshness" and case.facts]
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    asked = {}
    for facts in cases:
        drafts = [ruling(uid(), f"i{n}", "denied", policy=PART) for n in range(2)]
        lane.commit([Submission(drafts)])
        asked |= {draft.decision_id: _json(facts) for draft in drafts}
    sequencer(store).catch_up()
    yield store, asked
    store.close()


def _json(facts):
    return json.dumps(facts).encode()


def decider(bundle):
    return Decider(RegorusPolicyEngine(bundle, [ADMIT.name]), unchanged)


def counted(store, asked, new, steps=None):
    steps = [] if steps is None else steps

    def inputs(names):
        return {name: asked[name] for name in names if name in asked}

    old, new = decider(SHIPPED), decider(new)
    return past_touched(store, inputs, old, new, Filter(), progress=lambda: steps.append(1))


def test_decisions_on_record_that_come_out_differently_are_counted(past):
    """An officer who shortens how long documents are used sees how many decisions on record that would touch, and of how many."""
    store, asked = past
    data = copy.deepcopy(SHIPPED.data)
    data["context"]["freshness"]["longest_days"]["by_label"]["document_type"]["kyc_document"] = 365
    steps = []
    found = counted(store, asked, replace(SHIPPED, data=data), steps)
    # Two rulings on the one case of a KYC document of two years.
    assert (found.touched, found.considered, found.erased) == (2, len(asked), 0)
    assert len(steps) == len(asked)
    assert counted(store, asked, SHIPPED).touched == 0


def test_what_was_erased_is_not_counted_among_those_considered(past):
    """Of a decision whose input is gone nothing is said but that it is."""
    store, asked = past
    asked.pop(next(iter(asked)))
    found = counted(store, asked, SHIPPED)
    assert (found.considered, found.erased) == (len(asked), 1)

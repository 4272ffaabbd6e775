import random

import pytest

from pydantic import TypeAdapter

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.errors import BundleInvalidError
from gateway.policy.entrypoints import ADMIT
from gateway.workbench.cases import read_cases
from gateway.workbench.proving.exact import exact_diff
from tests.support.bundles import SHIPPED, with_module
from tests.support.drawn_facts import Drawing
from tests.support.proofs import ENGINES, PATIENT
from tests.support.seeded_mutants import seeded

FAULTS = seeded(100)
"""A hundred changes of the shipped rules, of all kinds: lines turned round, dropped and added."""


def inputs():
    """The inputs of the officers' cases, and drawn ones."""
    fields = set(TypeAdapter(ADMIT.input).json_schema()["properties"])
    cases = [one.facts for one in read_cases(SHIPPED)]
    base = {name: value for name, value in cases[0].items() if name in fields}
    drawing = Drawing(TypeAdapter(ADMIT.input).json_schema(), base, seed=3)
    whole = [{name: value for name, value in one.items() if name in fields} for one in cases if fields <= one.keys()]
    return whole + [drawing.one() for _ in range(500)]


def require_found(fault):
    other = with_module(fault.file, lambda _: fault.text)
    try:
        engines = [RegorusPolicyEngine(bundle, [ADMIT.name]) for bundle in (SHIPPED, other)]
    except BundleInvalidError:
        # It is no policy any more, which every command says.
        return
    differ = any(
        engines[0].query(ADMIT.name, one)["allow"] != engines[1].query(ADMIT.name, one)["allow"] for one in inputs()
    )
    (change,) = exact_diff(
        SHIPPED, other, ENGINES, questions=("admit",), seconds=PATIENT, whole_seconds=PATIENT
    ).changes
    # Whether inputs that nobody drew differ is the solver's to say, and what it shows is decided by the engine.
    assert change.verdict in ({"differs"} if differ else {"differs", "same"}), (str(fault), change)
    assert change.verdict == "same" or change.rows


@pytest.mark.parametrize("fault", random.Random(5).sample(FAULTS, 1), ids=str)
def test_a_seeded_fault_that_changes_a_decision_is_found(fault):
    """An officer who drops a condition is never told that nothing is decided differently where an input is."""
    require_found(fault)


@pytest.mark.soak
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_every_seeded_fault_that_changes_a_decision_is_found(fault):
    """The same for every condition."""
    require_found(fault)

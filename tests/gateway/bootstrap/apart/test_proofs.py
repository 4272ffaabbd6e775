import pytest

from gateway.bootstrap.apart.proofs import ProofProcess, proposal_proofs
from gateway.errors import BundleInvalidError, InvariantInvalidError, ProofTooCostlyError
from gateway.policy.bundle import bundle_of
from gateway.workbench.desk.proved import PROOFS_OFF
from gateway.workbench.proving.invariants import FILE
from tests.support.bundles import files

ONE = """
invariants:
  - id: INV-900
    title: one
    says: what it says
    control: https://controls.bank.example/X
    owner: somebody
    never: {item.data_classification: null}
"""


def brought(invariants=ONE):
    return {name: text.encode() for name, text in files().items()} | {FILE: invariants.encode()}


async def test_a_bundle_is_proved_in_a_process_of_its_own():
    """Whoever serves hears what holds, as the same document as at the command line."""
    proof = await ProofProcess(seconds=200, megabytes=2000).prove(brought())
    assert [(one.id, one.verdict) for one in proof.shown] == [("INV-900", "holds")]


async def test_a_proof_that_takes_too_long_ends():
    """Nothing that somebody brings holds the gateway for longer than it may."""
    with pytest.raises(ProofTooCostlyError):
        await ProofProcess(seconds=0.3, megabytes=2000).prove(brought())


async def test_a_proof_that_takes_too_much_memory_ends():
    """A process that has more memory than it may is ended."""
    with pytest.raises(ProofTooCostlyError):
        await ProofProcess(seconds=100, megabytes=1).prove(brought())


async def test_what_cannot_be_read_is_named():
    """Whoever brings an invariant that is none, or no bundle, hears which."""
    process = ProofProcess(seconds=100, megabytes=2000)
    with pytest.raises(InvariantInvalidError, match="juristiction"):
        await process.prove(brought(ONE.replace("data_classification", "juristiction")))
    with pytest.raises(BundleInvalidError):
        await process.compare(brought(), {"context/x.rego": b"package x\n\nallow if {", ".manifest": b"{}"})


async def test_a_proposal_is_told_what_holds_and_what_changes():
    """An officer's review says what holds and what changes for every input, or that it was not settled; and that nothing was proved."""
    bundle = bundle_of(brought())
    told = await proposal_proofs(seconds=200, megabytes=2000)(bundle, bundle)
    assert told[0] == "1 of 1 invariants hold for every input."
    assert told[-1] == "context/admit: no input is decided differently."
    late = await proposal_proofs(seconds=0.1, megabytes=2000)(bundle, bundle)
    assert [sentence.partition(":")[2] for sentence in late] == [" the bundle was not proved within 0.1 s."] * 2
    assert await proposal_proofs(seconds=0, megabytes=2000)(bundle, bundle) == (PROOFS_OFF,)

"""
What a key of the log signs beside checkpoints and receipts: the runs of its lanes, and what it set aside.

Rules held here: what is signed names its own kind, the log, the lane and the places in it, so that no signature stands for
anything else; a run's names the leaf hash of its last record, which by the chain stands for all before it; before each
signature stand the four bytes that stand for its key, as in signed notes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.store import Run, SetAside, Store
from ledger.tlog.merkle import leaf_hash
from ledger.tlog.note import ED25519, Signer, Verifier

SIGNATURE_BYTES: Final = 68
"""Four that stand for the key, and the signature (RFC 8032)."""

KeysNow = Callable[[], Sequence[Verifier]]
"""Answers the log's keys as they are now."""


def run_message(origin: str, run: Run) -> bytes:
    """What is signed of a run that holds its records."""
    places = (run.lane, run.epoch, run.first, run.next, leaf_hash(run.bodies[-1]).hex())
    return _message("ctxgate-run/1", origin, *places)


def refusal_message(origin: str, refusal: SetAside) -> bytes:
    """What is signed of what was set aside."""
    places = (refusal.lane, refusal.epoch, refusal.first, refusal.next)
    return _message("ctxgate-refused/1", origin, *places, refusal.code, refusal.decision_id)


def _message(*parts: str | int) -> bytes:
    return "".join(f"{part}\n" for part in parts).encode()


def sign_with(signer: Signer, message: bytes) -> bytes:
    """The signature over a message, after what stands for its key."""
    return signer.key.key_hash + signer.sign(message)


def accept_runs(store: Store, origin: str, signer: Signer, runs: Sequence[Run]) -> None:
    """Sign runs that were never signed, on the word of whoever runs the log."""
    for run in runs:
        if run.bodies:
            store.accept(run, sign_with(signer, run_message(origin, run)))


@dataclass(slots=True)
class Keyring:
    """The log's keys: looked up anew when something is signed by none of those that are known."""

    origin: str
    keys: KeysNow
    _known: dict[bytes, Verifier] = field(default_factory=dict)

    def verifiers(self) -> list[Verifier]:
        """The keys as they are now."""
        found = [one for one in self.keys() if one.key.algorithm == ED25519 and one.key.name == self.origin]
        self._known = {one.key.key_hash: one for one in found}
        return found

    def signed(self, signature: bytes | None, message: bytes) -> bool:
        """Whether one of the keys signed a message."""
        if signature is None or len(signature) != SIGNATURE_BYTES:
            return False
        if signature[:4] not in self._known:
            self.verifiers()
        verifier = self._known.get(signature[:4])
        return verifier is not None and verifier.verify(signature[4:], message)

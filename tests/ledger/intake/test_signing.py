"""What a key of the log signs of its lanes."""

from dataclasses import replace

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.intake.signing import Keyring, run_message, sign_with
from ledger.store import Run
from tests.support.strategies import ORIGIN, keys, signer

RUN = Run("a", 1, 5, 7, (b"x", b"y"))


@pytest.mark.parametrize(
    "changes",
    [{"lane": "b"}, {"epoch": 2}, {"first": 4}, {"next": 8}, {"bodies": (b"x", b"z")}],
    ids=lambda changes: next(iter(changes)),
)
def test_a_signature_is_for_one_run_of_one_log(changes):
    """
    Whatever is changed of a run, or the log that it is of, its signature does not hold any more.
    """
    ring, signature = Keyring(ORIGIN, keys), sign_with(signer(), run_message(ORIGIN, RUN))
    assert ring.signed(signature, run_message(ORIGIN, RUN))
    assert not ring.signed(signature, run_message(ORIGIN, replace(RUN, **changes)))
    assert not ring.signed(signature, run_message("other.test/log", RUN))
    assert not ring.signed(signature[:-1], run_message(ORIGIN, RUN))


def test_a_new_key_is_looked_up():
    """
    A key that was added since is found when something is signed with it; one of another name counts for nothing.
    """
    renewed, stranger = (Ed25519Signer(name, Ed25519PrivateKey.generate()) for name in (ORIGIN, "other.test/log"))
    known = list(keys())
    ring, message = Keyring(ORIGIN, lambda: known), run_message(ORIGIN, RUN)
    assert ring.signed(sign_with(signer(), message), message)
    assert not ring.signed(sign_with(renewed, message), message)
    known += [Ed25519Verifier(renewed.key), Ed25519Verifier(stranger.key)]
    assert ring.signed(sign_with(renewed, message), message)
    assert not ring.signed(sign_with(stranger, message), message)

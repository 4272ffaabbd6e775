"""Engines that decide past rulings again, each under the bundle of the record."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cachetools import LRUCache

from adapters.ledger.ed25519 import Ed25519Verifier
from adapters.policy.opa_process import OpaProcesses
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.audit.open_ledger import OpenLedger
from gateway.audit.replay import Ask
from gateway.policy.store import BundleStore
from gateway.settings import Settings

_BUNDLES = 16
"""How many bundles are held compiled."""


@contextmanager
def replaying(settings: Settings, engine: str) -> Iterator[Ask]:
    """
    Asks the bundle of a revision.

    Raises:
        GatewayError: the bundle is not kept, or does not answer; OPA cannot be started.
    """
    kept = BundleStore(settings.bundles_dir)
    if engine == "opa":
        with OpaProcesses(kept.stored) as processes:
            yield processes.ask
        return
    compiled: LRUCache[str, RegorusPolicyEngine] = LRUCache(_BUNDLES)

    def ask(revision: str, entrypoint: str, inputs: Sequence[bytes]) -> Sequence[object]:
        if revision not in compiled:
            compiled[revision] = RegorusPolicyEngine(kept.stored(revision))
        return [compiled[revision].query(entrypoint, one) for one in inputs]

    try:
        yield ask
    finally:
        # On the thread that compiled them.
        compiled.clear()


def witness_keys(parts: OpenLedger) -> tuple[Ed25519Verifier, ...]:
    """Keys of the witnesses that the trust policy names."""
    return tuple(Ed25519Verifier(party.key) for party in (parts.trust.witnesses.values() if parts.trust else ()))

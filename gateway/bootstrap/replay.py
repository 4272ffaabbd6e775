"""Engines that decide past rulings again, each under the bundle of the record and combined as it says."""

import json

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import version
from typing import Any, Final, Literal

from cachetools import LRUCache

from adapters.ledger.ed25519 import Ed25519Verifier
from adapters.policy.cedar import ALONE, BESIDE, CedarEntitlement, Mode, combined, without_rego_entitlement
from adapters.policy.opa_process import OpaProcesses
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.audit.open_ledger import OpenLedger
from gateway.bootstrap.detectors import detector_versions
from gateway.errors import ConfigurationError
from gateway.model.content import Rendering
from gateway.model.pseudonyms import Pseudonyms, tenant_key
from gateway.policy.bundle import Bundle
from gateway.policy.registry import registry_of
from gateway.policy.store import BundleStore
from gateway.ports.screening import Anonymizer
from gateway.prompt.obliged import Carrier
from gateway.replay.run import Deciders
from gateway.settings import Settings

_BUNDLES: Final = 16
"""How many bundles are held compiled."""

EngineChoice = Literal["recorded", "embedded", "opa"]
"""Which engine decides again: the one that the record names, or another that must answer the same."""


class ReplayEngines:
    """What `gateway.replay.run.Deciders` are made of; not to be shared between threads."""

    def __init__(
        self, settings: Settings, engine: EngineChoice, opa: OpaProcesses, detectors: Callable[[], Mapping[str, str]]
    ) -> None:
        """
        Args:
            settings: where bundles and the gateway's secret are.
            engine: which one decides.
            opa: OPA servers of our own.
            detectors: tells the versions of those that screen here now, by name.
        """
        self._settings = settings
        self._engine = engine
        self._opa = opa
        self._detectors_of = detectors
        self._kept = BundleStore(settings.bundles_dir)
        self._compiled: LRUCache[tuple[str, bool], RegorusPolicyEngine] = LRUCache(_BUNDLES)
        self._cedar: LRUCache[str, CedarEntitlement] = LRUCache(_BUNDLES)
        self._renderings: LRUCache[str, Rendering] = LRUCache(_BUNDLES)

    def ask(self, policy: Mapping[str, Any], asked: bytes) -> Iterator[object]:
        """
        What the bundle of a record answers; where the record says that Cedar decided beside Rego or alone and not which, in turn
        as each would have it.

        Raises:
            GatewayError: the bundle is not kept, or does not answer; OPA cannot be started.
        """
        for mode in _modes(policy["engine"]):
            answer = self._plain(policy, asked, alone=mode == "cedar")
            if mode is None:
                yield answer
            else:
                cedar = self._cedar_of(policy["revision"])
                yield combined(cedar, mode, policy["entrypoint"], answer, json.loads(asked))

    def close(self) -> None:
        """Forget what is compiled, on the thread that compiled it."""
        self._compiled.clear()

    def _plain(self, policy: Mapping[str, Any], asked: bytes, *, alone: bool) -> object:
        revision, entrypoint = policy["revision"], policy["entrypoint"]
        recorded = "opa" if policy["engine"].startswith("opa") else "embedded"
        # Where Cedar decides alone that was with the embedded engine, which takes the area of Rego out.
        if not alone and (self._engine if self._engine != "recorded" else recorded) == "opa":
            return self._opa.ask(revision, entrypoint, [asked])[0]
        if (revision, alone) not in self._compiled:
            bundle = self._kept.stored(revision)
            bundle = without_rego_entitlement(bundle) if alone else bundle
            self._compiled[revision, alone] = RegorusPolicyEngine(bundle)
        return self._compiled[revision, alone].query(entrypoint, asked)

    def _cedar_of(self, revision: str) -> CedarEntitlement:
        if revision not in self._cedar:
            self._cedar[revision] = CedarEntitlement(self._kept.stored(revision))
        return self._cedar[revision]

    def carrier(self, record: Mapping[str, Any], session: str) -> Carrier:
        """
        What carries out the obligations of a record, with the tables of the bundle that decided.

        Raises:
            GatewayError: the bundle or the gateway's secret is not here.
        """
        revision = record["policy"]["revision"]
        if revision not in self._renderings:
            self._renderings[revision] = _rendering(self._kept.stored(revision))
        key = tenant_key(self._secret, record["tenant"])
        pseudonyms = Pseudonyms(key, record["purpose"] or "", session)
        return Carrier(self._anonymizer, pseudonyms, self._renderings[revision])

    @cached_property
    def _detectors(self) -> Mapping[str, str]:
        return self._detectors_of()

    @cached_property
    def _anonymizer(self) -> Anonymizer:
        # Loading this takes seconds, which replays of decisions alone need not wait for.
        from adapters.screening.presidio import PresidioAnonymizer  # noqa: PLC0415

        return PresidioAnonymizer()

    @cached_property
    def _secret(self) -> bytes:
        path = self._settings.state_dir / "keys" / "ids.secret"
        # Read and never made: with another one every token would be another, and each redaction seem wrong.
        if not path.is_file():
            raise ConfigurationError("the gateway's secret, with which tokens are made, is not here")
        return path.read_bytes()

    def notes(self, record: Mapping[str, Any]) -> Sequence[str]:
        """What differs between what a record names and what is here."""
        policy, found = record["policy"], list[str]()
        here = _engine_version(policy["engine"])
        if here is not None and here != policy["engine_version"]:
            found.append(f"decided by {policy['engine']} {policy['engine_version']}, here is {here}")
        if self._engine not in {"recorded", "opa" if policy["engine"].startswith("opa") else "embedded"}:
            found.append(f"decided by {policy['engine']}, and again by another engine")
        for name, then in sorted(record["detectors"].items()):
            now = self._detectors.get(name, then)
            if now != then:
                found.append(f"screened by {name} {then}, here is {now}; what it found then is taken")
        return found


def _modes(engine: str) -> tuple[Mode | None, ...]:
    if engine.endswith(ALONE):
        return ("cedar",)
    # So were both ways called before they had names of their own.
    return ("both", "cedar") if engine.endswith(BESIDE) else (None,)


def _engine_version(engine: str) -> str | None:
    if engine.startswith("opa"):
        return None
    own = version("gordon-to-regorus")
    return f"{own}+{version('cedarpy')}" if engine.endswith((ALONE, BESIDE)) else own


def _rendering(bundle: Bundle) -> Rendering:
    return registry_of(bundle).rendering


@contextmanager
def replaying(
    settings: Settings, engine: EngineChoice, detectors: Mapping[str, str] | None = None
) -> Iterator[Deciders]:
    """What decides again; *detectors* are the versions of those that screen here now, looked up where they are not given."""
    with OpaProcesses(BundleStore(settings.bundles_dir).stored) as processes:
        engines = ReplayEngines(settings, engine, processes, lambda: detectors or detector_versions(settings))
        try:
            yield Deciders(engines.ask, engines.carrier, engines.notes)
        finally:
            # On the thread that compiled them.
            engines.close()


def witness_keys(parts: OpenLedger) -> tuple[Ed25519Verifier, ...]:
    """Keys of the witnesses that the trust policy names."""
    return tuple(Ed25519Verifier(party.key) for party in (parts.trust.witnesses.values() if parts.trust else ()))

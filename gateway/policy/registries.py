"""
The registry that goes with each bundle that decides or watches.

Rule held here: whoever is pinned to a bundle gets that bundle's own registry and its sources, so that no request sees two
revisions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gateway.errors import PolicyUnavailableError
from gateway.model import Registry
from gateway.policy.bundle import Bundle
from gateway.policy.registry import registry_of
from gateway.ports.policy import PolicyEngine
from gateway.ports.sources import Source, Toolbox


@dataclass(frozen=True, slots=True)
class PinnedBundle:
    """What one request is decided with, all of one revision."""

    policy: PolicyEngine
    bundle: Bundle
    registry: Registry
    sources: Sequence[Source]
    """Those of the registry that the gateway fetches from."""

    toolboxes: Mapping[str, Toolbox] | None
    """By id of their sources, what calls the registry's tools; None where no connections are set."""


class Registries:
    """The registries of all bundles that may be asked, by revision."""

    def __init__(
        self,
        sources_of: Callable[[Registry], Sequence[Source]] = lambda _: (),
        toolboxes_of: Callable[[Registry], Mapping[str, Toolbox] | None] = lambda _: None,
    ) -> None:
        """
        Args:
            sources_of: makes what fetches from the sources of a registry.
            toolboxes_of: makes what calls its tools; nothing where no connections are set.
        """
        self._sources_of = sources_of
        self._toolboxes_of = toolboxes_of
        self._held: dict[str, tuple[Bundle, Registry, Sequence[Source], Mapping[str, Toolbox] | None]] = {}

    def hold(self, bundle: Bundle) -> Registry:
        """
        Read a bundle's registry and hold it from now on; before the bundle is asked for anything.

        Raises:
            BundleInvalidError: it has none, or one that is not whole.
        """
        if bundle.revision not in self._held:
            registry = registry_of(bundle)
            self._held[bundle.revision] = bundle, registry, self._sources_of(registry), self._toolboxes_of(registry)
        return self._held[bundle.revision][1]

    def pinned(self, engine: PolicyEngine) -> PinnedBundle:
        """
        The engine as it is now, with the registry of the same bundle.

        Raises:
            PolicyUnavailableError: the registry of that bundle is not held.
        """
        policy = engine.pinned()
        held = self._held.get(policy.version.revision)
        if held is None:
            raise PolicyUnavailableError("the registry of the bundle that decides is not held")
        return PinnedBundle(policy, *held)

"""
For which agents a token speaks, from the claims that the settings name.

Rules held here: only those claims are believed, the first that is there and no other; names are compared letter for letter
and never mended; a claim that is no name and no list of names makes the token unusable, and one that is missing speaks for
nobody.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gateway.errors import ClaimMissingError, ConfigurationError
from gateway.model.request import MOST_AGENTS

_ABSENT: Final = object()


class AgentClaims:
    """Reads them."""

    def __init__(
        self,
        claims: Sequence[str] = ("agents",),
        clients: Mapping[str, Sequence[str]] | None = None,
        *,
        declared: bool = False,
    ) -> None:
        """
        Args:
            claims: their names, with dots into objects: of nested actors (RFC 8693) `act.sub` is the current one alone.
            clients: which agents each value stands for, where values are names of clients; then no other value counts.
            declared: the request is believed, and no token is asked.

        Raises:
            ConfigurationError: no claim is named.
        """
        if not claims or not all(claims):
            raise ConfigurationError("CTXGATE_JWT_AGENTS must name a claim")
        self.claims = tuple(claims)
        self._clients = {value: tuple(agents) for value, agents in (clients or {}).items()}
        self._declared = declared

    def of(self, claims: Mapping[str, Any]) -> tuple[str, ...] | None:
        """
        The agents that a token speaks for, none twice; None where requests are believed.

        Raises:
            ClaimMissingError: the claim that counts is no name and no list of names, or names too many.
        """
        if self._declared:
            return None
        for path in self.claims:
            if (said := _at(claims, path)) is not _ABSENT:
                return self._agents(path, said)
        return ()

    def _agents(self, path: str, said: object) -> tuple[str, ...]:
        values = said if isinstance(said, list) else [said]
        # Before they are looked at one by one: a token may be long.
        if len(values) > MOST_AGENTS:
            raise _unusable(path)
        names = [value for value in values if isinstance(value, str) and value]
        agents = tuple(dict.fromkeys(agent for name in names for agent in self._of(name)))
        if len(names) < len(values) or len(agents) > MOST_AGENTS:
            raise _unusable(path)
        return agents

    def _of(self, value: str) -> tuple[str, ...]:
        return self._clients.get(value, ()) if self._clients else (value,)


def _unusable(path: str) -> ClaimMissingError:
    problem = f"must be a name or a list of at most {MOST_AGENTS} names"
    return ClaimMissingError(f"the token lacks a usable claim: {path}", fields=[(path, problem)])


def _at(claims: Mapping[str, Any], path: str) -> object:
    """The claim of a name, or at a path with dots into objects; a part of the path that is no object is what is there."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for name in path.split("."):
        if not isinstance(found, Mapping):
            # Not absent: another claim must not speak where this one is broken.
            return None
        if name not in found:
            return _ABSENT
        found = found[name]
    return found

"""Who decides: engines that answer for a bundle, and keys that sign bundles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gateway.model import Model, PolicyVersion


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A decision that a shadow would have made otherwise."""

    shadow: PolicyVersion
    entrypoint: str
    facts: Mapping[str, Any]
    """What both were asked."""

    codes: tuple[str, ...]
    """Codes of the refusals that only one of them gives, sorted; empty where the difference is another."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What policy was asked of a request as a whole that it refused, so that it can be asked again."""

    version: PolicyVersion
    entrypoint: str
    facts: Mapping[str, Any]
    answer: Model


class PolicyEngine(Protocol):
    """Decides what may enter the model's context."""

    @property
    def version(self) -> PolicyVersion:
        """The bundle that answers now, and what evaluates it."""

    def pinned(self) -> "PolicyEngine":
        """The engine as it is now: a bundle activated later does not touch what is under way."""

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> Sequence[object]:
        """
        The document at an entrypoint for every input, in the order given.  Never guess.

        Raises:
            PolicyUnavailableError: no answer arrived in time.

            PolicyMalformedError: an answer arrived that is not a document.
        """


class Queryable(Protocol):
    """A compiled bundle that answers for any of its rules."""

    def query(self, rule: str, facts: object) -> object:
        """The value of a rule such as ``context/trust/permit`` for facts, or their JSON as bytes; None if undefined."""


class BundleSigner(Protocol):
    """Signs the list of files of a bundle."""

    def sign(self, payload: dict[str, Any]) -> str:
        """A JWT with the payload."""


class BundleVerifier(Protocol):
    """Knows whose bundles are trusted."""

    def verify(self, token: str) -> dict[str, Any]:
        """
        The payload of a JWT.

        Raises:
            BundleInvalidError: it is not signed by a trusted key.
        """

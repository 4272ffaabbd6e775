"""What the gateway needs from the outside world, in the gateway's own words."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from gateway.model import Candidate, Finding, PolicyVersion, SourceEntry
from gateway.model.facts import ReviewFacts, ReviewScope
from gateway.model.policy import ReleaseMode
from gateway.model.review import ReviewAct
from gateway.pseudonyms import Pseudonyms
from ledger.aside import Aside
from ledger.lane import Written
from ledger.record import Draft


@dataclass(frozen=True, slots=True)
class Leaf:
    """One piece of text within an item: all of a text, or one value of a JSON document."""

    text: str
    path: str = ""
    """JSON Pointer of the value; empty for a text."""

    key: str = ""
    """Name of the field that holds the value, or the nearest one above it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of text to change, in code points, and how."""

    start: int
    end: int
    type: str
    operator: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A decision that a shadow would have made otherwise."""

    shadow: PolicyVersion
    entrypoint: str
    facts: Mapping[str, Any]
    """What both were asked."""

    codes: tuple[str, ...]
    """Codes of the refusals that only one of them gives, sorted; empty where the difference is another."""


class PolicyEngine(Protocol):
    """Decides what may enter the model's context."""

    @property
    def disagreements(self) -> Sequence[Disagreement]:
        """What a shadow decided otherwise since this engine was pinned; empty where none watches."""

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


@dataclass(frozen=True, slots=True)
class Secret:
    """What a token stands for."""

    entity: str
    purpose: str
    """For which purpose the token was made."""

    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Held:
    """Content that was set aside for review."""

    id: str
    tenant: str
    digest: str
    """Keyed digest of the content, in hex."""

    scope: ReviewScope
    item_id: str
    decision_id: str
    """The ruling that set it aside last."""

    findings: tuple[str, ...]
    """Types of the signs that were found."""

    at: str
    content: str = field(repr=False, default="")
    seen: int = 1
    """How often it was set aside."""

    proposed: ReviewAct | None = None
    verdict: ReviewAct | None = None
    """What two officers agreed on."""


class Reviews(Protocol):
    """Keeps what was set aside, and what reviewers said of it."""

    async def known(self, tenant: str, digests: Sequence[str]) -> Mapping[str, Sequence[ReviewFacts]]:
        """
        What two officers agreed on before, by keyed digest.

        Raises:
            AsideError: it cannot be told.
        """

    async def hold(self, held: Sequence[Held]) -> None:
        """
        Keep content for review, durably.

        Raises:
            AsideError: it is not durable, so nothing may be released.
        """

    async def held(self, tenant: str) -> Sequence[Held]:
        """All that a tenant has set aside, newest first, with its content."""

    async def judge(self, held: Held, act: ReviewAct, *, final: bool) -> None:
        """Keep an act, as a proposal or as the verdict."""

    async def erase(self, tenant: str, decision_ids: Sequence[str]) -> int:
        """
        Forget what was set aside by these decisions; how many contents that were.

        Raises:
            AsideError: it is not known to be forgotten.
        """


class Vault(Protocol):
    """Keeps what tokens stand for."""

    async def keep(self, tenant: str, purpose: str, values: Mapping[str, tuple[str, str]]) -> None:
        """
        Make entity types and values durable by token.

        Raises:
            AsideError: they are not durable, so nothing may be released.
        """

    async def look_up(self, tenant: str, tokens: Sequence[str]) -> Mapping[str, Secret]:
        """
        What tokens of a tenant stand for; unknown ones are left out.

        Raises:
            AsideError: it cannot be told.
        """


class Detector(Protocol):
    """Looks into content for one kind of thing."""

    @property
    def name(self) -> str:
        """Stable name, as in `detectors` of the ledger."""

    @property
    def version(self) -> str:
        """Changes whenever the same text could give other findings."""

    @property
    def reads_across(self) -> bool:
        """Whether what it looks for may be spread over several turns of one author."""

    def serves(self, screening: str) -> bool:
        """Whether this detector does a screening that policy asks for, such as ``pii/full``."""

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str) -> Sequence[Sequence[Finding]]:
        """
        Findings for every item, in the order given, each with the path of its leaf.

        Raises:
            DetectorUnavailableError: the detector did not answer.

            DetectorTimeoutError: it took too long.
        """


class Anonymizer(Protocol):
    """Changes stretches of text."""

    def apply(self, text: str, cuts: Sequence[Cut], pseudonyms: Pseudonyms) -> str:
        """
        The text with every cut carried out; where cuts overlap, nothing of either stays.

        Raises:
            ObligationError: an operator is not known.
        """


class Tokenizer(Protocol):
    """Counts tokens as a model would."""

    def count(self, text: str, encoding: str) -> int:
        """Number of tokens of the text in the named encoding."""


class Likeness(Protocol):
    """Finds texts that nearly say the same."""

    def alike(self, texts: Sequence[str], threshold: float) -> Sequence[tuple[int, int]]:
        """Pairs of places of texts that share at least this part of their runs of words (Jaccard), sorted."""


class Ledger(Protocol):
    """Makes decisions durable."""

    async def append(self, drafts: Sequence[Draft], asides: Sequence[Aside] = ()) -> Sequence[Written]:
        """
        Return once all are durable; *asides* holds the erasable side of each, or is empty.

        Raises:
            RecordError: they are not, so nothing may be released.

            RecordBusyError: too many records wait.
        """

    async def settled(self, written: Sequence[Written], mode: ReleaseMode) -> None:
        """
        Return once durable records are as sure as the mode asks.

        Raises:
            RecordError: they did not become so in time, so nothing may be released.
        """

    async def subject_token(self, tenant: str, subject: str) -> str:
        """The token that stands for a person in this tenant's records."""

    def receipt(self, sealed: Written, salt: bytes) -> dict[str, Any]:
        """The signed receipt for a `pack.sealed` record."""


class Source(Protocol):
    """A place that items are fetched from."""

    @property
    def entry(self) -> SourceEntry:
        """Its line in the registry."""

    async def fetch(self, filters: Mapping[str, Any], query: str | None) -> Sequence[Candidate]:
        """
        Items within the filters that policy set.

        Raises:
            SourceUnavailableError: the source did not answer.

            SourceMalformedError: it answered with something that is not items.
        """


class Watch(Protocol):
    """Sees how sources do."""

    def source(self, name: str) -> AbstractContextManager[list[int]]:
        """One retrieval; the number of items goes into the list."""

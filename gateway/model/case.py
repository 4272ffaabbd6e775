"""What the pipeline knows while it works: the case, its items and their rulings."""

import hashlib
import hmac
import uuid

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import Field, JsonValue

from gateway.model.base import Model, Outcome, TrustClass, utc_text
from gateway.model.content import Finding
from gateway.model.contract import Agent
from gateway.model.policy_answer import Denial, Obligation, PolicyVersion
from gateway.model.policy_input import AttestationFacts, LabelFindingFacts, ScopeInput, SignatureFacts
from gateway.model.registry import ModelProfile
from gateway.model.request import Candidate, PackRequest, Subject
from gateway.model.words.vocabulary import Vocabulary


class Case(Model):
    """One request with everything that is known about it before any item is looked at."""

    request: PackRequest
    subject: Subject
    agent: Agent
    model: ModelProfile
    domain: str
    now: datetime
    trace_id: str
    policy: PolicyVersion
    vocabulary: Vocabulary = Vocabulary()
    """The words of the bundle that decides."""

    id_key: bytes
    """Derived from the request under a secret: the same for every try of it."""

    decided: bytes = b""
    """Digest of what was decided on, with which result; empty until the stage `identify`, and ids are provisional until then."""

    repeats: str | None = None
    """Request id of the decision that this one follows: the same request, which came to something else before."""

    codes: tuple[str, ...] = ()
    """What the record of the request says of how it came."""

    tenant_key: bytes
    """Derived from the tenant's name under the same secret; the same for all its requests."""

    @property
    def request_id(self) -> str:
        """UUIDv7 of the request."""
        return self.derive_id("request")

    def derive_id(self, *names: str) -> str:
        """A UUIDv7 that is the same for the same request, decision and names, and tells nothing of any."""
        return uuid7(self.now, self._derived("\x00".join(names).encode()))

    def opening_id(self, place: int) -> str:
        """
        The id under which the first, second or next decision on one request is opened.

        What is decided has no part in it: of two decisions that both take themselves for the first, the ledger accepts one.
        """
        name = "\x00".join(("opened", *([str(place)] if place else ())))
        return uuid7(self.now, hmac.new(self.id_key, name.encode(), hashlib.sha256).digest())

    def derive_salt(self, *names: str) -> bytes:
        """32 bytes that are the same for the same request, decision and names, and secret."""
        return self._derived("\x00".join(("salt", *names)).encode())

    def _derived(self, name: bytes) -> bytes:
        key = hmac.new(self.id_key, self.decided, hashlib.sha256).digest() if self.decided else self.id_key
        return hmac.new(key, name, hashlib.sha256).digest()

    @property
    def session(self) -> str:
        """The session that the request belongs to; a request without one is a session of its own."""
        return self.request.session_id or self.subject.session_id or self.trace_id

    @property
    def at(self) -> str:
        """`now` as the ledger and policy see it."""
        return utc_text(self.now)

    def facts(self) -> ScopeInput:
        """What policy is told about the request; the same for all of its items."""
        request, subject = self.request, self.subject
        return {
            "now": self.at,
            "subject": subject.facts(),
            "agent": {
                "id": self.agent.id,
                "archetype": self.agent.archetype,
                "domains": list(self.agent.domains),
            },
            "request": {
                "purpose": request.purpose,
                "domain": self.domain,
                "entity": {"type": request.entity.type, "id": request.entity.id} if request.entity else None,
                "jurisdictions": list(request.jurisdictions),
                "has_query": bool(request.query),
                "historical": request.as_of is not None,
            },
        }


@dataclass(frozen=True, slots=True)
class Attested:
    """A candidate, and what could be established of it before policy is asked."""

    item: Candidate
    attestation: AttestationFacts | None = None
    """Who vouches for its labels; None where nobody does."""

    prompt: str | None = None
    """Id of the text of the prompt library that its content is."""

    meets_schema: bool | None = None
    """Whether its content is what the schema of the agent that wrote it asks for; None where no schema applies."""

    labels_declared: bool = False
    """Whether the bundle declares each of its labels beside provenance, for its source type and with what it says."""

    tools: SignatureFacts | None = None
    """What it tells of tools; None for items of sections that tell of none."""

    structured: bool = False
    """Whether its content is a JSON value or spells one, whatever its media type says."""

    label_findings: tuple[LabelFindingFacts, ...] | None = None
    """What is found in its labels; None where nobody looked."""


class Fence(Model):
    """Marks around untrusted content that say where it comes from; written where the prompt is."""

    label: str


class Ruling(Model):
    """Policy's decision about one candidate, and what led to it."""

    item: Candidate
    outcome: Outcome
    denials: tuple[Denial, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    trust_class: TrustClass = "UNTRUSTED"
    authority_tier: int = 5
    screen: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    detectors: dict[str, str] = Field(default_factory=dict)
    exceptions: tuple[str, ...] = ()
    entrypoint: str = ""
    """Name of the last question that policy was asked about it; a record cannot be made before one was."""

    facts: Mapping[str, Any] = Field(default_factory=dict)
    """What policy was asked, for replay."""

    asked: bytes = b""
    """*facts* as a record commits to them, once the decision has its name."""

    decision_id: str = ""
    content: JsonValue = None
    """The content as it may be released, without its fence; None when it may not."""

    fence: Fence | None = None
    """What it must stand in, where policy wants that."""

    taken_as: str | None = None
    """The source type that policy takes it as; None where no policy said one."""

    attested_by: str | None = None
    """Who vouches for its labels, as policy believes it."""

    validatable: bool = False
    """Whether officers may have validated its content."""

    renamed: tuple[str, ...] = ()
    """Its labels that records and prompts may not repeat: a name that only the gateway can make stands in their place."""

    @property
    def source_type(self) -> str | None:
        """What it is taken as: the type that it claims only where somebody vouches for that."""
        return self.taken_as or self.item.provenance.source_type

    @property
    def codes(self) -> tuple[str, ...]:
        """Codes of the rules that refused or set aside, sorted."""
        return tuple(sorted({denial.code for denial in self.denials}))

    @property
    def usable(self) -> bool:
        """Whether the content may go into a pack."""
        return self.outcome in {"released", "redacted"}


def uuid7(now: datetime, mark: bytes) -> str:
    """A UUIDv7 (RFC 9562 section 5.7) with its 74 free bits taken from *mark*."""
    millis = int(now.timestamp() * 1000) & (2**48 - 1)
    free = int.from_bytes(mark[:10], "big")
    value = millis << 80 | 0x7 << 76 | (free >> 62 & 0xFFF) << 64 | 0b10 << 62 | free & (2**62 - 1)
    return str(uuid.UUID(int=value))

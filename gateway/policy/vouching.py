"""Who vouches for the labels of an item, as far as it can be verified; what follows from that is for policy to say."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from gateway.content.signatures import held_against
from gateway.model import Candidate, Registry
from gateway.model.case import Attested
from gateway.model.policy_input import AttestationFacts, SignatureFacts
from gateway.model.request import Fetched
from gateway.model.words.labels import declared
from gateway.ports.attestation import LabelVerifier, ReceiptVerifier, ResultChecker

RESULTS: Final = "prior_result"
"""The section in which agents pass results on."""

REGISTERED: Final = "registry:tools"
"""Who vouches for signatures of tools that are the registry's."""

AGENT: Final = "agent:"
"""What the source id of a result begins with, before the agent's id."""


@dataclass(frozen=True, slots=True)
class Verifiers:
    """What establishes who vouches for an item, and whether it is what it should be."""

    labels: LabelVerifier
    receipts: ReceiptVerifier
    results: ResultChecker


@dataclass(frozen=True, slots=True)
class Vouching:
    """What is believed of the items of one tenant's request at one time."""

    registry: Registry
    prompts: Mapping[str, str]
    """Texts of the prompt library: the id by the hash."""

    verifiers: Verifiers
    tenant: str
    now: datetime

    @classmethod
    def under(cls, registry: Registry, verifiers: Verifiers, tenant: str, now: datetime) -> "Vouching":
        """Under the keys and the prompt library of a registry."""
        prompts = {prompt.sha256: prompt.id for prompt in registry.prompts.prompts}
        return cls(registry, prompts, verifiers, tenant, now)

    def of(self, item: Candidate) -> Attested:
        """The item with what could be established of it."""
        # What documents say is knowledge and never an instruction, whatever words it has.
        prompt = None if self._is_knowledge(item) else self.prompts.get(item.digest)
        source = item.provenance
        known = declared(source.labels or {}, source.source_type, self.registry.vocabulary.labels)
        tools = self._tools(item)
        vouched = self._attestation(item, prompt, tools)
        return Attested(item, vouched, prompt, self._meets_schema(item), known, tools)

    def _is_knowledge(self, item: Candidate) -> bool:
        source = self.registry.sources.get(item.source) if isinstance(item, Fetched) else None
        return source is not None and source.kind == "knowledge"

    def _tools(self, item: Candidate) -> SignatureFacts | None:
        """What the item tells of tools; None where its section tells of none."""
        offering = self.registry.offering
        if offering is None or item.section != offering.section:
            return None
        return held_against(item.content, self.registry.signatures)

    def holds(self, item: Candidate) -> bool:
        """Whether somebody verifiably vouches for the item; whether that one may is for policy to say."""
        attestation = self.of(item).attestation
        return attestation is not None and attestation["verified"]

    def _meets_schema(self, item: Candidate) -> bool | None:
        """Whether a result is what the schema of the agent it names asks for; None where it names none that has a schema."""
        source = item.provenance.source_id or ""
        if item.section != RESULTS or not source.startswith(AGENT):
            return None
        output = self.registry.output_of(source.removeprefix(AGENT))
        return None if output is None else self.verifiers.results.meets(item.content, output)

    def _attestation(
        self, item: Candidate, prompt: str | None, tools: SignatureFacts | None
    ) -> AttestationFacts | None:
        if isinstance(item, Fetched):
            return _of("fetch", item.source)
        if item.receipt is not None:
            return self.verifiers.receipts.verify(item, self.tenant, self.now)
        if prompt is not None and item.attestation is None:
            return _of("library", prompt)
        if tools is not None and not (tools["changed"] or tools["unknown"]) and item.attestation is None:
            # Word for word what the registry says of these tools, which is as good as a text of the library.
            return _of("library", REGISTERED)
        return self.verifiers.labels.verify(item, self.registry.sources, self.now)


def _of(method: Literal["fetch", "library"], issuer: str) -> AttestationFacts:
    return {"method": method, "issuer": issuer, "key": None, "signed_at": None, "age_seconds": None, "verified": True}

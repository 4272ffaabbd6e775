"""Who vouches for the labels of an item, as far as it can be verified; what follows from that is for policy to say."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gateway.model import Candidate, Registry
from gateway.model.case import Attested
from gateway.model.policy_input import AttestationFacts
from gateway.model.request import Fetched
from gateway.ports.attestation import LabelVerifier, ReceiptVerifier


@dataclass(frozen=True, slots=True)
class Vouching:
    """What is believed of the items of one tenant's request at one time."""

    registry: Registry
    prompts: Mapping[str, str]
    """Texts of the prompt library: the id by the hash."""

    labels: LabelVerifier
    receipts: ReceiptVerifier
    tenant: str
    now: datetime

    @classmethod
    def under(
        cls, registry: Registry, labels: LabelVerifier, receipts: ReceiptVerifier, tenant: str, now: datetime
    ) -> "Vouching":
        """Under the keys and the prompt library of a registry."""
        prompts = {prompt.sha256: prompt.id for prompt in registry.prompts.prompts}
        return cls(registry, prompts, labels, receipts, tenant, now)

    def of(self, item: Candidate) -> Attested:
        """The item with what could be established of it."""
        prompt = self.prompts.get(item.digest)
        return Attested(item, self._attestation(item, prompt), prompt)

    def _attestation(self, item: Candidate, prompt: str | None) -> AttestationFacts | None:
        if isinstance(item, Fetched):
            return _of("fetch", item.source)
        if item.receipt is not None:
            return self.receipts.verify(item, self.tenant, self.now)
        if prompt is not None and item.attestation is None:
            return _of("library", prompt)
        return self.labels.verify(item, self.registry.sources, self.now)


def _of(method: Literal["fetch", "library"], issuer: str) -> AttestationFacts:
    return {"method": method, "issuer": issuer, "key": None, "signed_at": None, "age_seconds": None, "verified": True}

"""Stage: who vouches for the labels of each item?"""

from asyncio import to_thread
from collections.abc import Sequence
from typing import Literal

from gateway.model import Candidate, Case, Registry
from gateway.model.case import Attested
from gateway.model.policy_input import AttestationFacts
from gateway.model.request import Fetched
from gateway.ports.attestation import LabelVerifier


async def attest(
    candidates: Sequence[Candidate], case: Case, *, registry: Registry, labels: LabelVerifier
) -> list[Attested]:
    """
    Each candidate with what could be established of it, in the order they came; what follows from that is for policy to say.

    What the gateway fetched is vouched for by the source that it fetched it from; a text of the prompt library by the library,
    whoever brings it; everything else by the signature that it carries.
    """
    prompts = {prompt.sha256: prompt.id for prompt in registry.prompts.prompts}
    # Signatures cost processor time in proportion to the items, and other requests wait on the event loop.
    return await to_thread(
        lambda: [_attested(item, case, registry, labels, prompts.get(item.digest)) for item in candidates]
    )


def _attested(item: Candidate, case: Case, registry: Registry, labels: LabelVerifier, prompt: str | None) -> Attested:
    return Attested(item, _vouching(item, case, registry, labels, prompt), prompt)


def _vouching(
    item: Candidate, case: Case, registry: Registry, labels: LabelVerifier, prompt: str | None
) -> AttestationFacts | None:
    if isinstance(item, Fetched):
        return _of("fetch", item.source)
    if prompt is not None and item.attestation is None:
        return _of("library", prompt)
    return labels.verify(item, registry.sources, case.now)


def _of(method: Literal["fetch", "library"], issuer: str) -> AttestationFacts:
    return {"method": method, "issuer": issuer, "key": None, "signed_at": None, "age_seconds": None, "verified": True}

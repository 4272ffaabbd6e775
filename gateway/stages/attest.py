"""Stage: who vouches for the labels of each item?"""

from asyncio import to_thread
from collections.abc import Sequence
from typing import Final, Literal

from gateway.model import Candidate, Case, Registry
from gateway.model.case import Attested
from gateway.model.policy_input import AttestationFacts
from gateway.model.request import Fetched
from gateway.ports.attestation import LabelVerifier, ResultChecker

RESULTS: Final = "prior_result"
"""The section in which agents pass results on."""

AGENT: Final = "agent:"
"""What the source id of a result begins with, before the agent's id."""


async def attest(
    candidates: Sequence[Candidate],
    case: Case,
    *,
    registry: Registry,
    labels: LabelVerifier,
    results: ResultChecker,
) -> list[Attested]:
    """
    Each candidate with what could be established of it, in the order they came; what follows from that is for policy to say.

    What the gateway fetched is vouched for by the source that it fetched it from; a text of the prompt library by the library,
    whoever brings it; everything else by the signature that it carries.
    """
    prompts = {prompt.sha256: prompt.id for prompt in registry.prompts.prompts}
    # Signatures cost processor time in proportion to the items, and other requests wait on the event loop.
    return await to_thread(
        lambda: [
            Attested(
                item,
                _vouching(item, case, registry, labels, prompt := prompts.get(item.digest)),
                prompt,
                _meets_schema(item, registry, results),
            )
            for item in candidates
        ]
    )


def _meets_schema(item: Candidate, registry: Registry, results: ResultChecker) -> bool | None:
    """Whether a result is what the schema of the agent it names asks for; None where it names none that has a schema."""
    source = item.provenance.source_id or ""
    if item.section != RESULTS or not source.startswith(AGENT):
        return None
    output = registry.output_of(source.removeprefix(AGENT))
    return None if output is None else results.meets(item.content, output)


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

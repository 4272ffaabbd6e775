"""Drafts of ledger records."""

from collections.abc import Sequence
from typing import Any

from gateway.model import Case, Subject
from ledger.record import Draft, Kind, PolicyPart


def draft_of(case: Case, token: str | None, kind: Kind, decision_id: str, **parts: Any) -> Draft:  # noqa: ANN401 - fields of Draft
    """A record of this case; *token* stands for its subject."""
    return Draft(
        kind=kind,
        decision_id=decision_id,
        trace_id=case.trace_id,
        request_id=case.request_id,
        tenant=case.subject.tenant,
        subject=token,
        agent=case.agent.id,
        purpose=case.request.purpose,
        at=case.at,
        **parts,
    )


def opened(case: Case, token: str) -> Draft:
    """The record that a request was taken up."""
    return draft_of(case, token, "request.opened", case.derive_id("opened"), policy=policy_part(case, "context/scope"))


def refused(subject: Subject, token: str, *, decision_id: str, at: str, trace_id: str, codes: Sequence[str]) -> Draft:
    """The record that a request of a known caller was refused as a whole."""
    return Draft(
        kind="request.opened",
        decision_id=decision_id,
        trace_id=trace_id,
        request_id=decision_id,
        tenant=subject.tenant,
        subject=token,
        outcome="denied",
        codes=tuple(sorted(codes)),
        at=at,
    )


def policy_part(case: Case, entrypoint: str, commitment: str | None = None) -> PolicyPart:
    """What decided, for a record."""
    return PolicyPart(
        revision=case.policy.revision,
        engine=case.policy.engine,
        engine_version=case.policy.engine_version,
        entrypoint=entrypoint,
        input_commitment=commitment,
    )

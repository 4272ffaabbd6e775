"""Stage: make every decision durable before anything else happens."""

from collections import Counter
from collections.abc import Sequence

from gateway.audit.drafts import draft_of, opened, policy_part
from gateway.content.leaves import content_bytes
from gateway.model import Case, Ruling
from gateway.model.policy_answer import obligation_labels
from gateway.ports.ledger import Ledger
from gateway.ports.policy import PolicyEngine
from ledger.canonical import jcs
from ledger.erasable import Aside, commit, fresh_salt
from ledger.lane import Written
from ledger.record import Draft, FindingCount, ItemPart, PolicyPart, SourcePart


async def record(rulings: Sequence[Ruling], case: Case, *, ledger: Ledger, keep_content: bool = False) -> list[Written]:
    """
    Write one record for the request and one for each ruling, and wait until they are durable.

    Args:
        rulings: all of them.
        case: the request.
        ledger: where they are recorded.
        keep_content: whether contents are kept as evidence, sealed for the requester, until erased.

    Returns:
        The records of the rulings, in order.

    Raises:
        RecordError: they are not durable, so nothing may be released.
    """
    token = await ledger.subject_token(case.subject.tenant, case.subject.sub)
    drafts = [opened(case, token)]
    asides = [Aside()]
    for ruling in rulings:
        draft, aside = _ruled(ruling, case, token, keep_content=keep_content)
        drafts.append(draft)
        asides.append(aside)
        for exception in ruling.exceptions:
            drafts.append(_exception_used(ruling, exception, draft, case))
            asides.append(Aside())
    written = await ledger.append(drafts, asides)
    return [one for one in written if one.record.kind == "item.ruled"]


async def record_disagreements(policy: PolicyEngine, case: Case, *, ledger: Ledger) -> None:
    """
    Record what a shadow bundle would have decided otherwise, its question kept aside for replay.

    Raises:
        RecordError: it is not durable, so nothing may be released.
    """
    if not policy.disagreements:
        return
    token = await ledger.subject_token(case.subject.tenant, case.subject.sub)
    drafts, asides = [], []
    for place, one in enumerate(policy.disagreements):
        aside = Aside(input_salt=fresh_salt(), input=jcs(dict(one.facts)))
        part = PolicyPart(
            revision=one.shadow.revision,
            engine=one.shadow.engine,
            engine_version=one.shadow.engine_version,
            entrypoint=one.entrypoint,
            input_commitment=commit(aside.input_salt or b"", aside.input or b""),
        )
        decision_id = case.derive_id("shadow", one.shadow.revision, str(place))
        drafts.append(draft_of(case, token, "shadow.disagreed", decision_id, policy=part, codes=one.codes))
        asides.append(aside)
    await ledger.append(drafts, asides)


def _ruled(ruling: Ruling, case: Case, token: str, *, keep_content: bool) -> tuple[Draft, Aside]:
    content = content_bytes(ruling.item.content)
    facts = jcs(ruling.facts)
    released = content_bytes(ruling.content) if ruling.usable else None
    aside = Aside(
        item_salt=fresh_salt(),
        released_salt=None if released is None else fresh_salt(),
        input_salt=fresh_salt(),
        input=facts,
        content=content if keep_content else None,
        released=released if keep_content else None,
    )
    source = ruling.item.provenance
    draft = draft_of(
        case,
        token,
        "item.ruled",
        ruling.decision_id,
        item=ItemPart(
            id=ruling.item.id,
            commitment=commit(aside.item_salt or b"", content),
            bytes=len(content),
            media_type=ruling.item.media_type,
        ),
        source=SourcePart(
            id=source.source_id,
            version=source.version,
            tier=ruling.authority_tier,
            jurisdiction=source.jurisdiction,
            classification=source.data_classification,
        ),
        policy=policy_part(case, ruling.entrypoint, commit(aside.input_salt or b"", facts)),
        detectors=ruling.detectors,
        findings=_counts(ruling),
        outcome=ruling.outcome,
        codes=ruling.codes,
        obligations=obligation_labels(ruling.obligations),
        exceptions=ruling.exceptions,
        released_commitment=commit(aside.released_salt, released or b"") if aside.released_salt else None,
    )
    return draft, aside


def _exception_used(ruling: Ruling, exception: str, ruled: Draft, case: Case) -> Draft:
    return ruled.model_copy(
        update={
            "kind": "exception.used",
            "decision_id": case.derive_id("exception", ruling.item.id, exception),
            "exceptions": (exception,),
            "findings": (),
            "detectors": {},
        }
    )


def _counts(ruling: Ruling) -> tuple[FindingCount, ...]:
    counts = Counter(f"{finding.kind}:{finding.type}" for finding in ruling.findings)
    return tuple(FindingCount(type=name, count=count) for name, count in sorted(counts.items()))

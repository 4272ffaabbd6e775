"""
Drafts of ledger records: each kind is made by one function here, and nowhere else.

Rules held here: a record says who did what, when and under which policy, in ids, codes, counts and commitments, and never a
text; what is committed to lies in the erasable side, which is returned with the draft and sealed under the person's key.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from gateway.audit.kept import kept_aside, prompt_commitment
from gateway.audit.parts import (
    Act,
    act_of_case,
    decided_by,
    finding_counts,
    fresh_id,
    item_part,
    recorded,
    source_part,
    told_part,
)
from gateway.model import Case, Loss, PolicyVersion, Ruling, RulingsAnswer
from gateway.model.citation import Claim
from gateway.model.content import content_bytes
from gateway.model.policy_answer import obligation_labels
from gateway.policy.entrypoints import ADMIT, CITATION, DETOKENIZE, PACK, RELEASE, SCOPE
from gateway.ports.policy import Disagreement
from gateway.ports.stores import QuarantinedItem
from gateway.prompt.fence import fenced
from ledger.canonical import jcs
from ledger.erasable import Erasable, commit, fresh_salt
from ledger.lane import Written
from ledger.receipt import pack_digest
from ledger.record import Draft, FindingCount, Kind, PackPart, PolicyPart, RecordOutcome, SourcePart
from ledger.tlog.merkle import root_hash

_WHOLE_BUNDLE: Final = "context"  # in the record of a bundle, where a decision has the name of its entrypoint

Drafted = tuple[Draft, Erasable]
"""A draft with its erasable side."""


# The way of a request


def request_opened(case: Case, token: str) -> Draft:
    """A request was taken up."""
    policy = decided_by(case.policy, SCOPE.name)
    return _opened(act_of_case(case, token), case.derive_id("opened"), policy=policy)


def request_refused(act: Act, codes: Sequence[str]) -> Draft:
    """A request of a known caller was refused as a whole."""
    return _opened(act, act.request_id, outcome="denied", codes=tuple(sorted(codes)))


def _opened(act: Act, decision_id: str, **parts: Any) -> Draft:  # noqa: ANN401 - fields of Draft
    return _draft("request.opened", act, decision_id, **parts)


def item_ruled(ruling: Ruling, case: Case, token: str, *, keep_content: bool) -> Drafted:
    """A candidate was decided on; its content is kept as evidence, until erased, only where the gateway is set so."""
    content = content_bytes(ruling.item.content)
    facts = jcs(dict(ruling.facts))
    released = content_bytes(fenced(ruling.content, ruling.fence)) if ruling.usable else None
    erasable = Erasable(
        item_salt=fresh_salt(),
        released_salt=None if released is None else fresh_salt(),
        input_salt=fresh_salt(),
        input=facts,
        content=content if keep_content else None,
        released=released if keep_content else None,
    )
    commitment = commit(erasable.input_salt or b"", facts)
    name, media_type, source = recorded(ruling, case)
    draft = _ruled(
        act_of_case(case, token),
        ruling.decision_id,
        item=item_part(name, content, erasable, media_type),
        source=source_part(source, ruling.authority_tier),
        policy=decided_by(case.policy, ruling.entrypoint, commitment),
        detectors=ruling.detectors,
        findings=finding_counts(ruling.findings),
        outcome=ruling.outcome,
        codes=ruling.codes,
        obligations=obligation_labels(ruling.obligations),
        exceptions=ruling.exceptions,
        released_commitment=commit(erasable.released_salt, released or b"") if erasable.released_salt else None,
    )
    return draft, erasable


def labels_ruled(act: Act, now: datetime, version: PolicyVersion, codes: Sequence[str], *, allowed: bool) -> Draft:
    """An answer on labels alone: "denied" with its codes, or no outcome, since nothing was released."""
    outcome: RecordOutcome | None = None if allowed else "denied"
    policy = decided_by(version, ADMIT.name)
    return _ruled(act, fresh_id(now), policy=policy, outcome=outcome, codes=tuple(sorted(codes)))


def _ruled(act: Act, decision_id: str, **parts: Any) -> Draft:  # noqa: ANN401 - fields of Draft
    return _draft("item.ruled", act, decision_id, **parts)


def exception_used(exception: str, ruling: Ruling, ruled: Draft, case: Case) -> Draft:
    """A governed exception waived a rule for an item: its ruling once more, under the exception's id."""
    parts = {name: getattr(ruled, name) for name in ("item", "source", "policy", "outcome", "codes", "obligations")}
    return _draft(
        "exception.used",
        act_of_case(case, ruled.subject),
        case.derive_id("exception", ruling.item.id, exception),
        **parts,
        exceptions=(exception,),
        released_commitment=ruled.released_commitment,
    )


def shadow_disagreed(disagreement: Disagreement, index: int, case: Case, token: str) -> Drafted:
    """A shadow bundle would have decided otherwise; its question lies in the erasable side, for replay."""
    version = disagreement.shadow
    erasable = Erasable(input_salt=fresh_salt(), input=jcs(dict(disagreement.facts)))
    policy = decided_by(version, disagreement.entrypoint, commit(erasable.input_salt or b"", erasable.input or b""))
    decision_id = case.derive_id("shadow", version.revision, str(index))
    act = act_of_case(case, token)
    return _draft("shadow.disagreed", act, decision_id, policy=policy, codes=disagreement.codes), erasable


def item_dropped(ruling: Written, loss: Loss, case: Case) -> Draft:
    """An allowed item was left out of the pack."""
    return _draft(
        "item.dropped",
        act_of_case(case, ruling.record.subject),
        case.derive_id("dropped", loss.piece.ruling.item.id),
        item=ruling.record.item,
        source=ruling.record.source,
        outcome="dropped",
        codes=(f"DROP-{loss.reason.upper()}",),
    )


def pack_sealed(
    answer: RulingsAnswer,
    salt: bytes,
    rulings: Sequence[Written],
    packed: Sequence[str],
    case: Case,
    *,
    keep_content: bool,
) -> Drafted:
    """
    A pack is about to be handed over: the digest of its exact bytes, and a root over all rulings behind it.

    The pack itself is kept as evidence, until erased, only where the gateway is set so.
    """
    pack = PackPart(
        id=answer.id,
        digest=pack_digest(salt, answer.model_dump(mode="json", exclude={"receipt"})),
        items=tuple(packed),
        rulings=len(rulings),
        rulings_root=root_hash([one.leaf for one in rulings]).hex(),
        lane_head=rulings[-1].leaf.hex(),
    )
    act, policy = act_of_case(case, rulings[0].record.subject), decided_by(case.policy, PACK.name)
    # Also where nothing is kept, a salt is: the store refuses erasable sides, and so the pack, of a person erased meanwhile.
    erasable = kept_aside(answer, salt) if keep_content else Erasable(item_salt=fresh_salt())
    draft = _draft(
        "pack.sealed",
        act,
        case.derive_id("sealed"),
        policy=policy,
        pack=pack,
        released_commitment=prompt_commitment(erasable),
    )
    return draft, erasable


# Beside the pipeline


def citation_verified(  # noqa: PLR0917
    act: Act,
    now: datetime,
    version: PolicyVersion,
    claim: Claim,
    source: SourcePart | None,
    codes: Sequence[str],
) -> Drafted:
    """A claim was checked, with a commitment to its words; *source* is the first that it cites."""
    erasable, content = Erasable(item_salt=fresh_salt()), claim.text.encode()
    draft = _draft(
        "citation.verified",
        act,
        fresh_id(now),
        policy=decided_by(version, CITATION.name),
        item=item_part(claim.id, content, erasable, "text/plain"),
        source=source,
        outcome="denied" if codes else "released",
        codes=tuple(codes),
    )
    return draft, erasable


def token_revealed(
    act: Act, now: datetime, version: PolicyVersion, kind: str | None, codes: Sequence[str], *, told: bool
) -> Draft:
    """Somebody asked what a token stands for; *kind* is of what, None where the vault knows no such token."""
    return _draft(
        "token.revealed",
        act,
        fresh_id(now),
        policy=decided_by(version, DETOKENIZE.name),
        findings=(FindingCount(type=f"pii:{kind}", count=1),) if kind else (),
        outcome="released" if told else "denied",
        codes=tuple(codes),
    )


def quarantine_reviewed(act: Act, held: QuarantinedItem, version: PolicyVersion, step: str) -> Draft:
    """An officer looked at what is in quarantine, proposed a verdict or confirmed one."""
    policy = decided_by(version, RELEASE.name)
    act = replace(act, agent=held.scope.agent, purpose=held.scope.purpose)
    return _draft("quarantine.reviewed", act, act.request_id, policy=policy, codes=(step,), exceptions=(held.id,))


# Policy


def bundle_proposed(act: Act, revision: str, version: PolicyVersion, codes: Sequence[str]) -> Draft:
    """An officer asks that a bundle may decide, or decide again."""
    return _draft("bundle.proposed", act, act.request_id, policy=_bundle(revision, version), codes=tuple(codes))


def bundle_activated(act: Act, revision: str, version: PolicyVersion, codes: Sequence[str]) -> Draft:
    """A bundle decides from now on."""
    return _draft("bundle.activated", act, act.request_id, policy=_bundle(revision, version), codes=tuple(codes))


def bundle_rejected(act: Act, revision: str, version: PolicyVersion, codes: Sequence[str]) -> Draft:
    """A bundle may not decide."""
    return _draft("bundle.rejected", act, act.request_id, policy=_bundle(revision, version), codes=tuple(codes))


def bundle_shadowed(act: Act, revision: str, version: PolicyVersion, codes: Sequence[str]) -> Draft:
    """A bundle begins to watch beside the one that decides, or ends."""
    return _draft("bundle.shadowed", act, act.request_id, policy=_bundle(revision, version), codes=tuple(codes))


def _bundle(revision: str, version: PolicyVersion) -> PolicyPart:
    return decided_by(version.model_copy(update={"revision": revision}), _WHOLE_BUNDLE)


# The ledger itself


def lane_opened(act: Act, accepted: Mapping[str, str] | None = None) -> Drafted:
    """A process began to write; *accepted* says why it goes on from an older state than the pin."""
    item, erasable = told_part("rollback", accepted) if accepted else (None, Erasable())
    codes = ("ROLLBACK-ACCEPTED",) if accepted else ()
    return _draft("lane.opened", act, act.request_id, item=item, codes=codes), erasable


def lane_closed(act: Act) -> Draft:
    """A process ended in order."""
    return _draft("lane.closed", act, act.request_id)


def key_rotated(act: Act, old: str, new: str) -> Drafted:
    """The log is signed with another key from now on."""
    item, erasable = told_part("key", {"old": old, "new": new})
    return _draft("key.rotated", act, act.request_id, item=item, codes=(f"KEY-{new}", "ROTATED")), erasable


def ledger_read(act: Act, asked: Mapping[str, str], codes: Sequence[str]) -> Drafted:
    """Somebody reads the ledger: in codes for all to see, and in full in the erasable side."""
    item, erasable = told_part("filter", asked)
    return _draft("ledger.read", act, act.request_id, item=item, codes=tuple(sorted(codes))), erasable


def person_erased(act: Act, token: str, basis: str) -> Drafted:
    """What stood behind a token is gone, and why."""
    erasable, content = Erasable(item_salt=fresh_salt(), content=basis.encode()), basis.encode()
    part = item_part(token, content, erasable, "text/plain")
    return _draft("erasure", act, act.request_id, item=part, codes=("ERASED",)), erasable


def _draft(kind: Kind, act: Act, decision_id: str, **parts: Any) -> Draft:  # noqa: ANN401 - fields of Draft
    return Draft(
        kind=kind,
        decision_id=decision_id,
        trace_id=act.trace_id,
        request_id=act.request_id,
        tenant=act.tenant,
        subject=act.subject,
        agent=act.agent,
        purpose=act.purpose,
        at=act.at,
        **parts,
    )

"""
Drafts of ledger records: each kind is made by one function here, and nowhere else.

Rules held here: a record says who did what, when and under which policy, in ids, codes, counts and commitments, and never a
text; what is committed to lies in the erasable side, which is returned with the draft and sealed under the person's key.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from gateway.audit.kept import kept_aside, prompt_commitment, ruling_aside, with_question
from gateway.audit.parts import (
    Act,
    act_of_case,
    answer_part,
    decided_by,
    decided_on,
    finding_counts,
    fresh_id,
    item_part,
    recorded,
    released_bytes,
    source_part,
    told_part,
)
from gateway.model import Case, Finding, Loss, PolicyVersion, Ruling, RulingsAnswer, ScopeAnswer
from gateway.model.citation import Claim
from gateway.model.content import content_bytes
from gateway.model.policy_answer import PackAnswer, obligation_labels
from gateway.policy.entrypoints import ADMIT, CITATION, DETOKENIZE, DOCUMENT, EXCEPTION, PACK, RELEASE, SCOPE
from gateway.ports.policy import Disagreement, Refused
from gateway.ports.stores import QuarantinedItem
from ledger.canonical import jcs
from ledger.erasable import Erasable, commit, fresh_salt
from ledger.lane import Written
from ledger.receipt import pack_digest
from ledger.record import Draft, FindingCount, ItemPart, Kind, PackPart, PolicyPart, SourcePart
from ledger.store import SetAside
from ledger.tlog.merkle import root_hash

_SHARED: Final = ("trace_id", "request_id", "tenant", "subject", "agent", "purpose", "repeats", "at")
_WHOLE_BUNDLE: Final = "context"  # in the record of a bundle, where a decision has the name of its entrypoint
_Said = ItemPart | None
Drafted = tuple[Draft, Erasable]
"""A draft with its erasable side."""


# The way of a request


def request_opened(case: Case, token: str, scoped: ScopeAnswer, place: int = 0) -> Drafted:
    """A request was taken up, with commitments to policy's question and answer; *place* other decisions on it came before."""
    erasable = with_question(Erasable(item_salt=fresh_salt()), case.facts())
    policy, item = decided_on(case.policy, SCOPE.name, erasable), answer_part("scope", scoped, erasable)
    return _opened(
        act_of_case(case, token), case.opening_id(place), item=item, policy=policy, codes=case.codes
    ), erasable


def request_refused(act: Act, codes: Sequence[str], refused: Refused | None = None) -> Drafted:
    """A request of a known caller was refused as a whole; where policy did so, with what it was asked, and a commitment to its answer."""
    told: dict[str, Any] = {"outcome": "denied", "codes": tuple(sorted(codes))}
    if refused is None:
        return _opened(act, act.request_id, **told), Erasable()
    erasable = with_question(Erasable(item_salt=fresh_salt()), refused.facts)
    policy = decided_on(refused.version, refused.entrypoint, erasable)
    item = answer_part(refused.entrypoint.rpartition("/")[2], refused.answer, erasable)
    return _opened(act, act.request_id, item=item, policy=policy, **told), erasable


def _opened(act: Act, decision_id: str, **parts: Any) -> Draft:  # noqa: ANN401 - fields of Draft
    return _draft("request.opened", act, decision_id, **parts)


def item_ruled(ruling: Ruling, case: Case, token: str, *, keep_content: bool) -> Drafted:
    """A candidate was decided on; its content is kept as evidence, until erased, only where the gateway is set so."""
    erasable, released = ruling_aside(ruling, case, keep_content=keep_content), released_bytes(ruling)
    name, media_type, source = recorded(ruling, case)
    draft = _ruled(
        act_of_case(case, token),
        ruling.decision_id,
        item=item_part(name, content_bytes(ruling.item.content), erasable, media_type),
        source=source_part(source, ruling.authority_tier),
        policy=decided_on(case.policy, ruling.entrypoint, erasable),
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
    outcome, policy = None if allowed else "denied", decided_by(version, ADMIT.name)
    return _ruled(act, fresh_id(now), policy=policy, outcome=outcome, codes=tuple(sorted(codes)))


def _ruled(act: Act, decision_id: str, **parts: Any) -> Draft:  # noqa: ANN401 - fields of Draft
    return _draft("item.ruled", act, decision_id, **parts)


def exception_used(exception: str, ruling: Ruling, ruled: Draft, case: Case) -> Draft:
    """A governed exception waived a rule for an item: its ruling once more, under the exception's id."""
    parts = {name: getattr(ruled, name) for name in ("item", "source", "policy", "outcome", "obligations")}
    return _draft(
        "exception.used",
        act_of_case(case, ruled.subject),
        case.derive_id("exception", ruling.item.id, exception),
        **parts,
        # Codes are looked up by index, so that the uses of one exception are found and counted quickly.
        codes=tuple(sorted({*ruled.codes, exception})),
        exceptions=(exception,),
        released_commitment=ruled.released_commitment,
    )


def shadow_disagreed(disagreement: Disagreement, index: int, case: Case, token: str) -> Drafted:
    """A shadow bundle would have decided otherwise; its question lies in the erasable side, for replay."""
    version = disagreement.shadow
    erasable = with_question(Erasable(), disagreement.facts)
    policy = decided_on(version, disagreement.entrypoint, erasable)
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
    asked: tuple[Mapping[str, Any], PackAnswer] | None = None,
    keep_content: bool,
) -> Drafted:
    """
    A pack is about to be handed over: the digest of its exact bytes, and a root over all rulings behind it.

    Where policy was asked about the set there is a commitment to the question and to the answer.
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
    act = act_of_case(case, rulings[0].record.subject)
    # Also where nothing is kept, a salt is: the store refuses erasable sides, and so the pack, of a person erased meanwhile.
    erasable = kept_aside(answer, salt) if keep_content else Erasable(item_salt=fresh_salt())
    erasable = with_question(erasable, asked[0]) if asked else erasable
    draft = _draft(
        "pack.sealed",
        act,
        case.derive_id("sealed"),
        item=answer_part("set", asked[1], erasable) if asked else None,
        policy=decided_on(case.policy, PACK.name, erasable),
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


def quarantine_reviewed(act: Act, held: QuarantinedItem, by: PolicyVersion, step: str, item: _Said = None) -> Draft:
    """An officer looked at what is in quarantine, proposed a verdict or confirmed one; *item* commits to what was said."""
    act = replace(act, agent=held.scope.agent, purpose=held.scope.purpose)
    parts = {"policy": decided_by(by, RELEASE.name), "codes": (step,), "exceptions": (held.id,), "item": item}
    return _draft("quarantine.reviewed", act, act.request_id, **parts)


def exception_reviewed(act: Act, name: str, by: PolicyVersion, step: str, item: _Said = None) -> Draft:
    """An officer asked for an exception, approved or revoked one; *item* commits to what it says and who agreed."""
    parts = {"policy": decided_by(by, EXCEPTION.name), "codes": (step,), "exceptions": (name,), "item": item}
    return _draft("exception.reviewed", act, act.request_id, **parts)


# Policy


def bundle_proposed(act: Act, revision: str, version: PolicyVersion, codes: Sequence[str], item: _Said = None) -> Draft:
    """An officer asks that a bundle may decide, or decide again; *item* commits to who does."""
    parts = {"policy": _bundle(revision, version), "codes": tuple(codes), "item": item}
    return _draft("bundle.proposed", act, act.request_id, **parts)


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


# Documents


@dataclass(frozen=True, slots=True)
class DocumentTold:
    """What a record says of a document: a commitment to what is kept of it, what decided, and what was found."""

    item: ItemPart
    version: PolicyVersion
    codes: tuple[str, ...] = ()
    findings: Sequence[Finding] = ()
    detectors: Mapping[str, str] = field(default_factory=dict)

    def parts(self) -> dict[str, Any]:
        """Fields of a draft."""
        decided, counts = decided_by(self.version, DOCUMENT.name), finding_counts(self.findings)
        detectors = dict(self.detectors)
        return {"item": self.item, "policy": decided, "codes": self.codes, "findings": counts, "detectors": detectors}


def document_accepted(act: Act, told: DocumentTold) -> Draft:
    """A version of a document is found from now on."""
    return _draft("document.accepted", act, act.request_id, **told.parts())


def document_set_aside(act: Act, told: DocumentTold) -> Draft:
    """A version is kept for an officer to look at, and found by nobody."""
    return _draft("document.set_aside", act, act.request_id, **told.parts())


def document_refused(act: Act, told: DocumentTold) -> Draft:
    """Policy refused a version; nothing is kept of it."""
    return _draft("document.refused", act, act.request_id, **told.parts())


def document_withdrawn(act: Act, told: DocumentTold) -> Draft:
    """A version is not found any more."""
    return _draft("document.withdrawn", act, act.request_id, **told.parts())


def document_purged(act: Act, told: DocumentTold) -> Draft:
    """The text of a version is deleted."""
    return _draft("document.purged", act, act.request_id, **told.parts())


def document_synced(act: Act, told: DocumentTold) -> Draft:
    """A document, or all that came from one place, was looked at, and is as it was."""
    return _draft("document.synced", act, act.request_id, **told.parts())


# The ledger itself


def lane_opened(act: Act, accepted: Mapping[str, str] | None = None, what: str = "rollback") -> Drafted:
    """A process began to write; *accepted* says why it goes on from an older state than the pin, or takes in unsigned runs."""
    item, erasable = told_part(what, accepted) if accepted else (None, Erasable())
    codes = (f"{what.upper()}-ACCEPTED",) if accepted else ()
    return _draft("lane.opened", act, act.request_id, item=item, codes=codes), erasable


def record_refused(act: Act, refusal: SetAside) -> Drafted:
    """What a lane wrote, or stood in the log's place, was set aside: where it stands, and the code of why."""
    where = f"{refusal.lane}/{refusal.epoch}/{refusal.first}-{refusal.next}"
    item, erasable = told_part(where, {"code": refusal.code, "where": where})
    draft = _draft("record.refused", act, refusal.decision_id, item=item, outcome="denied", codes=(refusal.code,))
    return draft, erasable


def lane_closed(act: Act) -> Draft:
    """A process ended in order."""
    return _draft("lane.closed", act, act.request_id)


def key_rotated(act: Act, told: Mapping[str, str], codes: Sequence[str]) -> Drafted:
    """The log is signed with another key from this record on."""
    item, erasable = told_part("key", told)
    return _draft("key.rotated", act, act.request_id, item=item, codes=tuple(codes)), erasable


def ledger_read(act: Act, asked: Mapping[str, str], codes: Sequence[str]) -> Drafted:
    """Somebody reads the ledger: in codes for all to see, and in full in the erasable side."""
    item, erasable = told_part("filter", asked)
    return _draft("ledger.read", act, act.request_id, item=item, codes=tuple(sorted(codes))), erasable


def erasure_reviewed(act: Act, name: str, step: str, said: Mapping[str, Any], salt: bytes) -> Drafted:
    """An officer asked for an erasure, approved or withdrew one; what was said lies in the erasable side."""
    erasable = Erasable(item_salt=salt, content=jcs(dict(said)))
    item = item_part(name, jcs(dict(said)), erasable, "application/json")
    return _draft("erasure.reviewed", act, act.request_id, item=item, codes=(step,)), erasable


def person_erased(act: Act, token: str, basis: str, key: str, *, outside: bool, request: str | None = None) -> Drafted:
    """
    What stood behind a token is gone, and why.

    *key* is the SHA-256 of the wrapped key, which *outside* another one opened; *request* is what two officers agreed on.
    """
    erasable, content = Erasable(item_salt=fresh_salt(), content=basis.encode()), basis.encode()
    part = item_part(token, content, erasable, "text/plain")
    agreed = (f"REQUEST-{request}",) if request else ()
    codes = ("ERASED", f"KEY-{key}", *(("KEY-OUTSIDE",) if outside else ()), *agreed)
    return _draft("erasure", act, act.request_id, item=part, codes=tuple(sorted(codes))), erasable


def erasure_certified(act: Act, token: str, digest: str, size: int, media_type: str) -> Draft:
    """Nothing holds any more what an erasure deleted; *digest* is that of the certificate, which is public, and so without a salt."""
    part = ItemPart(id=token, commitment=digest, bytes=size, media_type=media_type)
    return _draft("erasure.certified", act, act.request_id, item=part, codes=("CERTIFIED",))


def _draft(kind: Kind, act: Act, decision_id: str, **parts: Any) -> Draft:  # noqa: ANN401 - fields of Draft
    return Draft(kind=kind, decision_id=decision_id, **{name: getattr(act, name) for name in _SHARED}, **parts)

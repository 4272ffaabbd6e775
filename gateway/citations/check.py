"""
Claims of an agent against the pack it was given: which are grounded in what they cite.

Rules held here: only a pack that this gateway sealed is looked at, and only by its own tenant; what is enough is policy
(`context/citation`); every claim has a record, with a commitment to its words and never the words; the answer leaves after them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import JsonValue, ValidationError

from gateway.audit.drafts import citation_verified
from gateway.audit.parts import act_on_pack, source_part
from gateway.citations.support import CitedText
from gateway.concurrency.apart import apart
from gateway.errors import FieldInvalidError
from gateway.model import ContextPack, PackItem, Subject, utc_text
from gateway.model.citation import Citation, CitationBody, CitationReply, CitedReport, Claim, ClaimReport
from gateway.model.policy_answer import RENAMED, CitationAnswer
from gateway.model.policy_input import CitationInput, CitedFacts
from gateway.model.pseudonyms import keyed_label, tenant_key
from gateway.policy.agent import AgentBinding
from gateway.policy.ask import ask
from gateway.policy.entrypoints import CITATION
from gateway.ports.ledger import Ledger
from gateway.ports.policy import PolicyEngine
from ledger.errors import LedgerCorruptError
from ledger.receipt import Place, nowhere, verify_receipt
from ledger.record import Record, SourcePart
from ledger.tlog.note import Verifier


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks claims."""

    policy: PolicyEngine
    ledger: Ledger
    keys: Sequence[Verifier]
    binding: AgentBinding
    secret: bytes
    """What names that stand for others are made with."""

    place: Place = nowhere
    """Where a record stands in the log, for packs that were sealed under a key that was replaced."""

    async def check(self, body: CitationBody, subject: Subject, now: datetime, trace_id: str | None) -> CitationReply:
        """
        What became of each claim, on record.

        Raises:
            FieldInvalidError: the pack is not one that was sealed here for the caller's tenant.

            AgentNotOfTokenError: it is another agent's, and the caller is no reviewer.

            PolicyError, RecordError: nothing is answered.
        """
        pack, sealed = await apart(lambda: self._sealed(body.pack, subject))
        policy = self.policy.pinned()
        # Reviewers check what any agent claims; an agent has its own claims checked, which count towards its own score.
        if not subject.has_scope("citations:verify"):
            await self.binding.require(sealed.agent or "", subject, now, policy=policy)
        looked = await apart(lambda: _look_at_all(body.claims, pack))
        facts = await apart(lambda: [one.facts(now) for one in looked])
        answers = await ask(policy, CITATION, facts)
        token = await self.ledger.subject_token(subject.tenant, subject.sub)
        act = act_on_pack(sealed, token, now, trace_id)
        made = [
            citation_verified(act, now, policy.version, one.claim, self._source(one.items, subject), _flags(answer))
            for one, answer in zip(looked, answers, strict=True)
        ]
        # On record before it is said: nobody holds a verdict on a claim that an auditor cannot find.
        await self.ledger.append([draft for draft, _ in made], [erasable for _, erasable in made])
        reports = tuple(
            one.report(answer, draft.decision_id) for one, answer, (draft, _) in zip(looked, answers, made, strict=True)
        )
        return CitationReply(pack_id=pack.id, claims=reports, score=sum(r.grounded for r in reports) / len(reports))

    def _sealed(self, document: dict[str, JsonValue], subject: Subject) -> tuple[ContextPack, Record]:
        try:
            sealed = verify_receipt(dict(document), self.keys, self.place)
            pack = ContextPack.model_validate(document)
        except (LedgerCorruptError, ValidationError) as error:
            problem = ("pack", "is not a pack that this gateway sealed")
            raise FieldInvalidError("the pack is not one that this gateway sealed", fields=[problem]) from error
        if sealed.tenant != subject.tenant:
            problem = ("pack", "is not a pack that this gateway sealed")
            raise FieldInvalidError("the pack is not one that this gateway sealed", fields=[problem])
        return pack, sealed

    def _source(self, items: Sequence[PackItem | None], subject: Subject) -> SourcePart | None:
        """The first source cited that is in the pack, by the name that its ruling's record has for it."""
        item = next((item for item in items if item is not None), None)
        if item is None:
            return None
        cited = item.provenance
        if RENAMED in item.obligations and cited.source_id is not None:
            named = keyed_label(tenant_key(self.secret, subject.tenant), cited.source_id)
            cited = cited.model_copy(update={"source_id": named})
        return source_part(cited, cited.authority_tier)


@dataclass(frozen=True, slots=True)
class _Looked:
    """A claim with the items it cites, and how far each bears it out."""

    claim: Claim
    items: Sequence[PackItem | None]
    scores: Sequence[float]
    domain: str | None
    """Of the request that the pack answered."""

    def facts(self, now: datetime) -> CitationInput:
        """What policy is told of it."""
        cited = zip(self.claim.citations, self.items, self.scores, strict=True)
        sources = [_facts(*one, now) for one in cited]
        return {"now": utc_text(now), "domain": self.domain, "claim": {"type": self.claim.type}, "sources": sources}

    def report(self, answer: CitationAnswer, decision_id: str) -> ClaimReport:
        """What the caller is told of it."""
        cited = zip(self.items, self.scores, strict=True)
        return ClaimReport(
            id=self.claim.id,
            grounded=answer.allow,
            flags=_flags(answer),
            messages=tuple(denial.message for denial in sorted(answer.denials, key=lambda denial: denial.code)),
            citations=tuple(CitedReport(item_id=item.id if item else None, support=score) for item, score in cited),
            decision_id=decision_id,
        )


def _look_at_all(claims: Sequence[Claim], pack: ContextPack) -> list[_Looked]:
    """Every claim with its sources, each source read once."""
    sources: dict[str, CitedText] = {}
    looked, domain = [], pack.scope_metadata.get("domain")
    for claim in claims:
        items = [_found(citation, pack) for citation in claim.citations]
        for item in items:
            if item is not None and item.id not in sources:
                sources[item.id] = CitedText(item.content)
        scores = [sources[item.id].support(claim.text) if item else 0.0 for item in items]
        looked.append(_Looked(claim, items, scores, domain if isinstance(domain, str) else None))
    return looked


def _found(citation: Citation, pack: ContextPack) -> PackItem | None:
    """The item that a citation stands for: by itself, or by one it speaks for."""
    items = [item for section in pack.sections for item in section.items]
    fits = [item for item in items if _stands_for(citation, item)]
    # Of another version rather than none: who cites an outdated one is told that, and not that there is no such source.
    exact = [item for item in fits if citation.version in {None, item.provenance.version}]
    return next(iter([*exact, *fits]), None)


def _stands_for(citation: Citation, item: PackItem) -> bool:
    # A repeat that was left out stands in the pack as an attribution alone: who cites it cites the item that stayed.
    if citation.item_id is not None:
        return citation.item_id in {item.id, *(also.item_id for also in item.attributions)}
    sections = {(item.provenance.source_id, item.provenance.doc_section)}
    sections |= {(also.source_id, also.doc_section) for also in item.attributions}
    return any(citation.doc_id == doc and citation.section in {None, section} for doc, section in sections)


def _facts(citation: Citation, item: PackItem | None, score: float, now: datetime) -> CitedFacts:
    if item is None:
        # Every member is there and empty: a condition of policy on one that is missing would be undefined and refuse nothing.
        return CitedFacts(
            found=False,
            source_type=None,
            domain=None,
            authority_tier=None,
            parts=_named(citation.version, citation.section),
            version_matches=citation.version is None,
            support=score,
            age_seconds=None,
            ttl_seconds=None,
            expiry_date=None,
        )
    source = item.provenance
    age = (now - datetime.fromisoformat(source.fetched_at)).total_seconds() if source.fetched_at else None
    return CitedFacts(
        found=True,
        source_type=source.source_type,
        domain=source.domain,
        authority_tier=source.authority_tier,
        # Who cites an item of the pack has named its version and section with it.
        parts=_named(source.version, source.doc_section)
        if citation.item_id is not None
        else _named(citation.version, citation.section),
        version_matches=citation.version in {None, source.version, *(also.version for also in item.attributions)},
        support=score,
        age_seconds=None if age is None else int(age // 1),
        ttl_seconds=source.ttl_seconds,
        expiry_date=source.expiry_date,
    )


def _named(version: str | None, section: str | None) -> list[str]:
    """Which parts of a source are named."""
    return [name for name, value in (("version", version), ("section", section)) if value is not None]


def _flags(answer: CitationAnswer) -> tuple[str, ...]:
    return tuple(sorted({denial.code for denial in answer.denials}))


def scores_of(series: Sequence[tuple[str | None, str | None, int]]) -> list[dict[str, Any]]:
    """
    Grounding scores from counts of records.

    Args:
        series: outcome, period and count.
    """
    counts: dict[str | None, Mapping[str | None, int]] = {}
    for outcome, period, count in series:
        counts[period] = {**counts.get(period, {}), outcome: count}
    return [
        {
            "period": period,
            "claims": sum(of.values()),
            "grounded": of.get("released", 0),
            "score": round(of.get("released", 0) / sum(of.values()), 4),
        }
        for period, of in sorted(counts.items(), key=lambda one: one[0] or "")
    ]

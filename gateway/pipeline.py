"""
The way through: every candidate is decided, screened and on record before anything is packed.

    classify   what kind of request is this?
    scope      may it be made at all, and what may be looked for?
    gather     the caller's items and those of the sources
    admit      policy on the labels of every item
    screen     personal data and injected instructions, in what was admitted
    recall     what reviewers said of suspicious content before
    release    policy again, with what was found
    redact     carry out the obligations
    hold       what was set aside, for review
    record     durable before anything else happens
    rank       authority, duplicates, conflicts; policy on the set
    layer      where in the prompt each piece stands, and what the session carries over
    budget     what fits
    assemble   the pack, its envelope and its reports
    seal       the record of the pack itself, and the receipt

A refusal of the whole request is recorded too, when the caller is known.
"""

from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from gateway.audit.refusals import record_refusal
from gateway.errors import GatewayError, PersonErasedError
from gateway.model import Case, ContextPack, PackRequest, Registry, Ruling, Subject, Verdict
from gateway.model.pseudonyms import mark
from gateway.model.session import Session
from gateway.observability.observer import Observer
from gateway.ports.ledger import Ledger
from gateway.ports.packing import Likeness, Tokenizer
from gateway.ports.policy import PolicyEngine
from gateway.ports.screening import Anonymizer, Detector
from gateway.ports.sources import Source
from gateway.ports.stores import Reviews, Sessions, Vault
from gateway.sessions.artifacts import Isolation
from gateway.sessions.carry import LibraryUpdates, carry_over, open_session
from gateway.stages.admit import admit
from gateway.stages.assemble import Ruled, assemble, decide, decisions_of, keep_turn
from gateway.stages.budget import budget
from gateway.stages.classify import classify
from gateway.stages.gather import gather
from gateway.stages.hold import hold, let_go
from gateway.stages.layer import layer
from gateway.stages.rank import rank
from gateway.stages.recall import recall
from gateway.stages.record import record, record_disagreements
from gateway.stages.redact import redact
from gateway.stages.release import release
from gateway.stages.scope import scope
from gateway.stages.screen import FindingCache, screen
from gateway.stages.seal import seal


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: who asks for what, when, under which trace."""

    request: PackRequest
    subject: Subject
    now: datetime
    trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages, and the outside world they work with."""

    registry: Registry
    policy: PolicyEngine
    detectors: Sequence[Detector]
    anonymizer: Anonymizer
    tokenizer: Tokenizer
    ledger: Ledger
    sources: Sequence[Source]
    reviews: Reviews
    vault: Vault
    secret: bytes
    observer: Observer
    max_items: int
    keep_content: bool
    sessions: Sessions
    isolation: Isolation
    likeness: Likeness
    library_updates: LibraryUpdates = "fresh"
    cache: FindingCache = field(default_factory=dict)

    async def assemble(self, asked: Asked) -> ContextPack:
        """
        A governed pack, sealed and on record.

        Raises:
            GatewayError: nothing is released; the code says why.
        """
        with self.observer.request("packs"):
            return await self._assemble(asked)

    async def _assemble(self, asked: Asked) -> ContextPack:
        try:
            policy = self.policy.pinned()
            session = await open_session(asked.request, asked.subject, sessions=self.sessions, secret=self.secret)
            ruled = await self._rule(asked, policy, session, call="packs")
            case, rulings, session = ruled.case, ruled.rulings, ruled.session
            stage, budgets = self.observer.stage, self.registry.budgets
            with stage("rank"):
                selection = await rank(rulings, case, session, policy=policy, budgets=budgets, likeness=self.likeness)
            with stage("layer"):
                selection = await self.isolation.isolate(selection, case, budgets)
                selection = layer(selection, rulings, session, budgets.library)
            with stage("budget"):
                selection = await to_thread(budget, selection, case, budgets=budgets, tokenizer=self.tokenizer)
            with stage("assemble"):
                pack = assemble(selection, ruled, budgets=budgets, tokenizer=self.tokenizer)
            await record_disagreements(policy, case, ledger=self.ledger)
            await keep_turn(selection, session, case, sessions=self.sessions, library=budgets.library)
            with stage("seal"):
                mode, packed, lost = ruled.scoped.release_mode, decisions_of(pack), selection.lost
                pack = await seal(pack, ruled.written, case, ledger=self.ledger, mode=mode, packed=packed, lost=lost)
            self.observer.answered(pack, case, ruled.written[0].record.subject)
        except GatewayError as error:
            if isinstance(error, PersonErasedError):
                await self._forget(asked.subject)
            await record_refusal(error, asked.subject, asked.now, asked.trace_id, ledger=self.ledger)
            raise
        return pack

    async def rule(self, asked: Asked) -> Verdict:
        """
        The rulings alone, on the same records, without a pack.

        Raises:
            GatewayError: nothing is decided; the code says why.
        """
        with self.observer.request("rulings"):
            verdict, _ = await self._decided(asked)
            return verdict

    async def fetch(self, asked: Asked) -> Ruling:
        """
        The ruling on a request's first item, on record, with the content if that may be handed over.

        Raises:
            GatewayError: nothing is released; the code says why.
        """
        with self.observer.request("artifacts"):
            _, rulings = await self._decided(asked)
            return rulings[0]

    async def _decided(self, asked: Asked) -> tuple[Verdict, list[Ruling]]:
        try:
            policy = self.policy.pinned()
            ruled = await self._rule(asked, policy, Session(), call="rulings")
            case, written, mode = ruled.case, ruled.written, ruled.scoped.release_mode
            await record_disagreements(policy, case, ledger=self.ledger)
            verdict = decide(ruled.rulings, case)
            with self.observer.stage("seal"):
                verdict = await seal(verdict, written, case, ledger=self.ledger, mode=mode)
            self.observer.answered(verdict, case, written[0].record.subject)
        except GatewayError as error:
            await record_refusal(error, asked.subject, asked.now, asked.trace_id, ledger=self.ledger)
            raise
        return verdict, ruled.rulings

    async def _rule(self, asked: Asked, policy: PolicyEngine, session: Session, *, call: str) -> Ruled:
        stage = self.observer.stage
        with stage("classify"):
            case = self._classified(asked, policy, session, call)
        with stage("scope"):
            scoped = await scope(case, policy=policy)
        with stage("gather"):
            sources, most = self.sources, self.max_items
            candidates = await gather(case, scoped, sources=sources, max_items=most, watch=self.observer)
            session = carry_over(session, candidates, self.library_updates, self.registry.budgets.library.sections)
            candidates += session.carried
        with stage("admit"):
            admitted = await admit(candidates, case, policy=policy)
        with stage("screen"):
            screened = await screen(admitted, case, detectors=self.detectors, cache=self.cache)
        with stage("recall"):
            reviews = await recall(screened, case, reviews=self.reviews)
        with stage("release"):
            released = await release(screened, reviews, policy=policy)
        with stage("redact"):
            rulings = await redact(released, case, anonymizer=self.anonymizer, vault=self.vault)
        with stage("hold"):
            await hold(rulings, case, reviews=self.reviews)
        with stage("record"):
            try:
                written = await record(rulings, case, ledger=self.ledger, keep_content=self.keep_content)
            except PersonErasedError:
                await let_go(rulings, case, reviews=self.reviews)
                raise
        self.observer.ruled(rulings)
        return Ruled(case, scoped, rulings, written, session)

    async def _forget(self, person: Subject) -> None:
        """Delete what a request kept of a person who was erased while it was under way."""
        tenant, who = person.tenant, mark(self.secret, person.sub)
        await self.sessions.forget(tenant, who)
        await self.isolation.artifacts.forget(mark(self.secret, tenant), who)

    def _classified(self, asked: Asked, policy: PolicyEngine, session: Session, call: str) -> Case:
        return classify(
            asked.request,
            asked.subject,
            registry=self.registry,
            policy=policy.version,
            detectors={detector.name: detector.version for detector in self.detectors},
            now=asked.now,
            trace_id=asked.trace_id,
            secret=self.secret,
            call=call,
            carried=session.digest,
        )

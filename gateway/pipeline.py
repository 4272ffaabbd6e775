"""
The way through: every candidate is decided, screened and on record before anything is packed.

    resume      the session that the request is a turn of
    classify    what kind of request is this?
    locate      for which jurisdictions, where the request names none?
    scope       may it be made at all, and what may be looked for?
    gather      the caller's items, those of the sources and what tools answer
    offer       which tools the agent is told of
    carry_over  what the session's library holds, as candidates again
    attest      who vouches for the labels of each item
    unwrap      turns without the blocks that a prompt put around them
    vet         what labels say beside what they name
    exempt      exceptions that two officers approved, each by its record
    retrieve    the gateway's own documents, within what the requester may find
    admit       policy on the labels of every item
    screen      personal data and injected instructions, in what was admitted
    recall      what reviewers said of suspicious content before
    release     policy again, with what was found
    redact      carry out the obligations
    identify    which decision is this, and is it one that was made before?
    spend       each use of such an exception is counted
    quarantine  what looks like instructions waits for two officers
    record      durable before anything else happens
    rank        authority, duplicates, conflicts; policy on the set
    isolate     heavy artifacts stay outside, behind a handle
    layer       where in the prompt each piece stands
    budget      what fits
    reread      what pieces say only where they stand together
    report      what the caller may know of the rulings
    assemble    the pack, its envelope and its reports
    compare     where a shadow bundle would have decided otherwise
    keep_turn   what the next turn starts from
    seal        the record of the pack itself, and the receipt

A refusal of the whole request is recorded too, when the caller is known; where the person was erased meanwhile, `discard` and
`forget` delete what the request kept of them.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from gateway.audit.refusals import record_refusal
from gateway.concurrency.apart import apart, weigh_also
from gateway.errors import GatewayError, PersonErasedError, RequestError, StoreError
from gateway.knowledge.reading.deciding import deciding
from gateway.knowledge.searching import KnowledgeLibrary
from gateway.model import (
    Candidate,
    Case,
    ContextPack,
    PackRequest,
    PolicyVersion,
    Registry,
    Ruling,
    RulingsAnswer,
    ScopeAnswer,
    Selection,
    Subject,
)
from gateway.model.case import Attested
from gateway.model.request import RequestLimits
from gateway.model.session import Session
from gateway.observability.observer import Observer
from gateway.policy.agent import AgentBinding
from gateway.policy.item import record_facts
from gateway.policy.registries import PinnedBundle, Registries
from gateway.policy.vouching import Verifiers, Vouching
from gateway.ports.knowledge import Documents
from gateway.ports.ledger import Ledger, Proofs
from gateway.ports.packing import Lexicon, Likeness, Tokenizer
from gateway.ports.policy import PolicyEngine
from gateway.ports.screening import Anonymizer, Detector, ScreeningLimits
from gateway.ports.stores import Reviews, Sessions, Vault
from gateway.ports.waivers import Waivers
from gateway.prompt.rendering import RenderingDetector
from gateway.screening.find import FindingCache
from gateway.sessions.artifacts import ArtifactHandles
from gateway.sessions.carry import LibraryUpdates
from gateway.sourcing.calling import Gathered, ToolCaller
from gateway.stages.admit import admit
from gateway.stages.assemble import Ruled, assemble
from gateway.stages.attest import attest
from gateway.stages.budget import budget
from gateway.stages.carry_over import carry_over
from gateway.stages.classify import classify
from gateway.stages.compare import compare
from gateway.stages.exempt import exempt
from gateway.stages.forget import forget
from gateway.stages.gather import gather
from gateway.stages.identify import identify
from gateway.stages.isolate import isolate
from gateway.stages.keep_turn import keep_turn
from gateway.stages.layer import layer
from gateway.stages.locate import locate
from gateway.stages.offer import offer
from gateway.stages.quarantine import discard, quarantine
from gateway.stages.rank import KnownOfSet, rank
from gateway.stages.recall import recall
from gateway.stages.record import Recorded, record
from gateway.stages.redact import redact
from gateway.stages.release import release
from gateway.stages.report import report
from gateway.stages.reread import reread
from gateway.stages.resume import resume
from gateway.stages.retrieve import AskedBeside, SearchRules, require_admitted, retrieve, searched
from gateway.stages.scope import scope
from gateway.stages.screen import screen
from gateway.stages.seal import seal
from gateway.stages.spend import spend
from gateway.stages.unwrap import unwrap
from gateway.stages.vet import vet


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: who asks for what, when, under which trace."""

    request: PackRequest
    subject: Subject
    now: datetime
    trace_id: str | None = None
    codes: tuple[str, ...] = ()
    """What its record says of how it came."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages, and the outside world they work with."""

    registries: Registries
    policy: PolicyEngine
    verifiers: Verifiers
    detectors: Sequence[Detector]
    anonymizer: Anonymizer
    tokenizer: Tokenizer
    ledger: Ledger
    reviews: Reviews
    waivers: Waivers
    proofs: Proofs
    vault: Vault
    secret: bytes
    observer: Observer
    max_items: int
    keep_content: bool
    sessions: Sessions
    artifacts: ArtifactHandles
    likeness: Likeness
    lexicon: Lexicon
    binding: AgentBinding
    screening: ScreeningLimits
    limits: RequestLimits
    knowledge: KnowledgeLibrary | None = None
    """The documents of this gateway; None where it keeps none."""

    library_updates: LibraryUpdates = "fresh"
    cache: FindingCache = field(default_factory=dict)

    def pinned(self) -> PinnedBundle:
        """
        What a request that begins now is decided with, whatever is activated meanwhile.

        Raises:
            PolicyUnavailableError: the registry of the bundle that decides is not held.
        """
        return self.registries.pinned(self.policy)

    async def assemble(self, asked: Asked) -> ContextPack:
        """
        A governed pack, sealed and on record.

        Raises:
            GatewayError: nothing is released; the code says why.
        """
        at, ledger, tokenizer = self.observer.at, self.ledger, self.tokenizer
        async with self._refusing("packs", asked):
            pinned = self.pinned()
            policy, budgets = pinned.policy, pinned.registry.budgets
            session = await at(
                "resume", resume(asked.request, asked.subject, sessions=self.sessions, secret=self.secret)
            )
            ruled = await self._rule(asked, pinned, session, call="packs")
            case, rulings, session = ruled.case, ruled.rulings, ruled.session
            known = KnownOfSet(ruled.brought, ruled.records, ruled.scoped.compared_fields, ruled.tools)
            ranking = rank(rulings, case, session, known=known, policy=policy, budgets=budgets, likeness=self.likeness)
            ranked = await at("rank", ranking)
            picked = await at("isolate", isolate(ranked, case, budgets, artifacts=self.artifacts))
            layered = await at("layer", lambda: layer(picked, rulings, session, budgets.library))
            picked = await at("budget", partial(budget, layered, case, budgets=budgets, tokenizer=tokenizer))
            picked = await at("reread", self._reread(picked, layered, ruled, pinned))
            verdict = await at("report", lambda: report(rulings, case, lost=picked.lost))
            pack = await at("assemble", lambda: assemble(picked, ruled, verdict, budgets=budgets, tokenizer=tokenizer))
            await at("compare", compare(policy, case, ledger=ledger))
            await at("keep_turn", keep_turn(picked, session, case, sessions=self.sessions, library=budgets.library))
            keep = self.keep_content
            sealing = seal(pack, ruled, ledger=ledger, picked=picked, ranked=ranked, budgets=budgets, keep_content=keep)
            pack = await at("seal", sealing)
            self.observer.answered(pack, case, ruled.written[0].record.subject)
            return pack

    async def _reread(self, picked: Selection, layered: Selection, ruled: Ruled, pinned: PinnedBundle) -> Selection:
        budgets, case = pinned.registry.budgets, ruled.case

        async def fit(left: Selection) -> Selection:
            return await apart(partial(budget, left, case, budgets=budgets, tokenizer=self.tokenizer))

        return await reread(
            picked,
            layered,
            case,
            ruled.scoped.together,
            fit=fit,
            detectors=self.detectors,
            cache=self.cache,
            policy=pinned.policy,
            never_cut=budgets.never_cut_sections,
        )

    async def rule(self, asked: Asked) -> RulingsAnswer:
        """
        The rulings alone, on the same records, without a pack.

        Raises:
            GatewayError: nothing is decided; the code says why.
        """
        async with self._refusing("rulings", asked):
            verdict, _ = await self._decided(asked)
            return verdict

    async def guard(self, asked: Asked) -> tuple[RulingsAnswer, list[Ruling]]:
        """
        What `rule` answers, and the rulings themselves: what another gateway would send to a model, with what may be sent of it.

        Raises:
            GatewayError: nothing is decided; the code says why.
        """
        async with self._refusing("guardrails", asked):
            return await self._decided(asked)

    async def fetch(self, asked: Asked) -> Ruling:
        """
        The ruling on a request's first item, on record, with the content if that may be handed over.

        Raises:
            GatewayError: nothing is released; the code says why.
        """
        async with self._refusing("artifacts", asked):
            _, rulings = await self._decided(asked)
            return rulings[0]

    async def look(self, asked: Asked, library: KnowledgeLibrary) -> list[tuple[Candidate, bool]]:
        """
        What of the documents a request would be given, the best first, and whether the gate admits each; nothing more, and not on
        record: for measuring how well documents are found.

        Raises:
            GatewayError: the request would be refused, or cannot be searched for.
        """
        pinned = self.pinned()
        policy, registry = pinned.policy, pinned.registry
        case = self._classified(asked, registry, policy.version, Session(), "packs")
        scoped = await scope(case, policy=policy, binding=self.binding)
        label = partial(self._labelled, case, registry, scoped)
        rules = SearchRules(registry, policy, partial(deciding, pinned.bundle))
        beside = AskedBeside((), (), (), self.verifiers, self.max_items)
        found = await retrieve(case, rules, library, beside, label=label, watch=self.observer)
        rulings = await admit(found.items, case, records=(), policy=policy)
        return [(ruling.item, ruling.outcome != "denied") for ruling in rulings]

    async def _decided(self, asked: Asked) -> tuple[RulingsAnswer, list[Ruling]]:
        at, pinned = self.observer.at, self.pinned()
        ruled = await self._rule(asked, pinned, Session(), call="rulings")
        case = ruled.case
        verdict = await at("report", lambda: report(ruled.rulings, case))
        await at("compare", compare(pinned.policy, case, ledger=self.ledger))
        verdict = await at("seal", seal(verdict, ruled, ledger=self.ledger, keep_content=self.keep_content))
        self.observer.answered(verdict, case, ruled.written[0].record.subject)
        return verdict, ruled.rulings

    async def _rule(self, asked: Asked, pinned: PinnedBundle, session: Session, *, call: str) -> Ruled:
        at, policy, registry = self.observer.at, pinned.policy, pinned.registry
        try:
            classified = partial(self._classified, asked, registry, policy.version, session, call)
            case = await at("classify", classified)
        except RequestError:
            # What else is wrong is for those alone who may name the agent: it would tell which agents there are.
            await self.binding.require(asked.request.agent_id, asked.subject, asked.now, policy=policy)
            raise
        library, toolboxes = (self.knowledge, pinned.toolboxes) if call == "packs" else (None, None)
        case, scoped, brought = await self._brought(case, pinned, library)
        offering = offer(case, brought, registry, toolboxes, policy=policy, lexicon=self.lexicon)
        shown, carried = await at("offer", offering), registry.budgets.library
        carrying = partial(carry_over, session, (*brought.items, *shown.items), self.library_updates, carried)
        in_use = carrying(tenant=case.subject.tenant, documents=self._documents)
        session, candidates = await at("carry_over", in_use)
        attested = await at("attest", attest(candidates, case, registry=registry, verifiers=self.verifiers))
        attested = await at("unwrap", unwrap(attested, case))
        wanted, cache = scoped.label_screenings, self.cache
        finders = (RenderingDetector(registry.rendering), *self.detectors)
        attested = await at("vet", vet(attested, case, wanted, detectors=finders, cache=cache))
        fields = registry.domains[case.domain].record
        records = await apart(partial(record_facts, attested, case.request.entity, fields, case.now))
        exempted = await at("exempt", exempt(case, waivers=self.waivers, proofs=self.proofs))
        beside = AskedBeside(attested, records, exempted.facts, self.verifiers, self.max_items)
        label = partial(self._labelled, case, registry, scoped)
        rules = SearchRules(registry, policy, partial(deciding, pinned.bundle))
        retrieving = retrieve(case, rules, library, beside, label=label, watch=self.observer)
        found = await at("retrieve", retrieving)
        brought, attested = brought.joined(found.sources, found.searches), [*attested, *found.items]
        admitted = await at("admit", admit(attested, case, records=records, exempted=exempted, policy=policy))
        require_admitted(admitted, found)
        screening = screen(admitted, case, detectors=finders, cache=cache, limits=self.screening)
        screened = await at("screen", screening)
        reviews = await at("recall", recall(screened, case, reviews=self.reviews, proofs=self.proofs))
        released = await at("release", release(screened, reviews, policy=policy))
        rulings = await at(
            "redact", redact(released, case, anonymizer=self.anonymizer, vault=self.vault, rendering=registry.rendering)
        )
        case, rulings = await at("identify", identify(rulings, case, (*brought.asked, *shown.told)))
        await at("spend", spend(rulings, exempted, case, waivers=self.waivers))
        await at("quarantine", quarantine(rulings, case, reviews=self.reviews, secret=self.secret))
        made = await at("record", self._recorded(rulings, case, scoped))
        self.observer.ruled(rulings, scoped.incidents, found.ids if found.searches else None)
        known = brought, tuple(records), shown.told
        return Ruled(made.case, scoped, rulings, made.written, made.asides, session, *known)

    @property
    def _documents(self) -> Documents | None:
        return self.knowledge.documents if self.knowledge else None

    async def _labelled(
        self, case: Case, registry: Registry, scoped: ScopeAnswer, items: Sequence[Candidate]
    ) -> list[Attested]:
        """What was found, as what was brought is told to policy."""
        weigh_also(item.content for item in items)
        attested = await unwrap(await attest(items, case, registry=registry, verifiers=self.verifiers), case)
        finders = (RenderingDetector(registry.rendering), *self.detectors)
        return await vet(attested, case, scoped.label_screenings, detectors=finders, cache=self.cache)

    async def _recorded(self, rulings: list[Ruling], case: Case, scoped: ScopeAnswer) -> Recorded:
        try:
            return await record(rulings, case, scoped, ledger=self.ledger, keep_content=self.keep_content)
        except PersonErasedError as erased:
            # Whatever becomes of the quarantine, the person is gone: `forget` follows only this error.
            try:
                await discard(rulings, case, reviews=self.reviews)
            except StoreError as lost:
                raise erased from lost
            raise

    async def _brought(
        self, case: Case, pinned: PinnedBundle, library: KnowledgeLibrary | None
    ) -> tuple[Case, ScopeAnswer, Gathered]:
        """The case with its jurisdictions, what may be looked for, and what came together."""
        at, watch, boxes, registry = self.observer.at, self.observer, pinned.toolboxes, pinned.registry
        vouching = Vouching.under(registry, self.verifiers, case.subject.tenant, case.now)
        caller = None if boxes is None else ToolCaller(boxes, self.limits, watch, vouching.holds)
        asking = partial(scope, policy=pinned.policy, binding=self.binding)
        located = await at("locate", locate(case, registry=registry, caller=caller, permitted=asking))
        case = located.case
        scoped = await at("scope", asking(case))
        limit, sources = self.max_items, pinned.sources
        later = searched(library, case, registry) is not None
        gathering = gather(
            case, scoped, located, sources, registry, caller=caller, max_items=limit, watch=watch, searched=later
        )
        return case, scoped, await at("gather", gathering)

    @asynccontextmanager
    async def _refusing(self, call: str, asked: Asked) -> AsyncIterator[None]:
        """One call, observed; what refuses it is on record before the caller hears of it."""
        with self.observer.request(call):
            try:
                yield
            except GatewayError as error:
                if isinstance(error, PersonErasedError):
                    await forget(
                        asked.subject, sessions=self.sessions, artifacts=self.artifacts.store, secret=self.secret
                    )
                await record_refusal(error, asked.subject, asked.now, asked.trace_id, ledger=self.ledger)
                raise

    def _classified(self, asked: Asked, registry: Registry, policy: PolicyVersion, session: Session, call: str) -> Case:
        return classify(
            asked.request,
            asked.subject,
            registry=registry,
            policy=policy,
            detectors={detector.name: detector.version for detector in self.detectors},
            now=asked.now,
            trace_id=asked.trace_id,
            secret=self.secret,
            call=call,
            carried=session.digest,
            codes=asked.codes,
        )

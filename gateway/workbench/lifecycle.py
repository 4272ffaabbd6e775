"""
The lifecycle of bundles: how a bundle comes to decide.

Rules held here: a candidate compiles, passes every check, its own cases and its Rego tests, or is refused and the active one stays; the officer who activates is another person than the one who proposed; only a bundle that was
active can be rolled back to, by two persons, or by one to the bundle just before within a time, which is flagged; every step is in
the ledger, under no tenant, since a bundle decides for all, and the bytes of every bundle are kept under their hash; where cases go with the bundle that decided, whoever activates acknowledges exactly these; what the desk remembers of proposals and of what decided counts only as far as the log has it on record.
"""

import asyncio

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from gateway.audit.drafts import bundle_activated, bundle_rejected, bundle_shadowed
from gateway.audit.evidence import Evidence
from gateway.audit.proving.desk_records import DeskRecords
from gateway.errors import BundleInvalidError, UnprovedError
from gateway.model import Subject, utc_text
from gateway.policy.bundle import Bundle, files_of
from gateway.policy.registries import Registries
from gateway.policy.retold import PastRetelling, Retelling
from gateway.policy.shadow import SwitchingPolicyEngine
from gateway.policy.store import BundleStore, LifecycleState, keep_state, remembered
from gateway.policy.supply.freshness import Freshness
from gateway.ports.policy import PolicyEngine
from gateway.workbench.desk.candidates import UNREADABLE, Candidates, CandidateTrial
from gateway.workbench.desk.preparation import Preparation
from gateway.workbench.desk.review import Proposal, Prove, ShownReview, active_bundle, nothing_proved
from gateway.workbench.diff import registry_changes
from gateway.workbench.simulate import Simulation, simulate
from ledger.query import Filter

CompileEngine = Callable[..., Any]
"""Compiles a bundle into an engine that can both decide and be queried."""


class BundleLifecycle:
    """Proposes, simulates, activates and rolls back bundles."""

    def __init__(
        self,
        kept: BundleStore,
        state_file: Path,
        engine: SwitchingPolicyEngine,
        *,
        compile_: CompileEngine,
        trial: CandidateTrial,
        freshness: Freshness,
        evidence: Evidence,
        records: DeskRecords,
        registries: Registries,
        alone_seconds: float = 3600,
        preparation: Preparation,
        prove: Prove = nothing_proved,
        cases: Mapping[str, str] | None = None,
    ) -> None:
        """
        Args:
            kept: where bundles are kept.
            state_file: where the desk keeps what it must remember.
            engine: what is switched.
            compile_: bundle to engine, for simulations.
            trial: says why a bundle of these files may not decide, once its cases and tests were run where they hold up nobody.
            freshness: how new fetched bundles are.
            evidence: the ledger with its erasable sides, for simulations.
            records: takes every step, and says what is on record.
            registries: holds the registry of every bundle that may be asked.
            alone_seconds: for how long one officer may go back to the bundle just before.
            preparation: makes engines as the settings ask for them, such as with Cedar around.
            prove: says what a candidate decides otherwise.
            cases: by revision, the digest of the cases of the configured bundle.
        """
        self._kept = kept
        self._engine = engine
        self._compile = compile_
        self._candidates = Candidates(kept, trial, records, prove)
        self._freshness = freshness
        self._evidence = evidence
        self._records = records
        self._registries = registries
        self._alone_seconds = alone_seconds
        self._preparation = preparation
        self._state_file = state_file
        state = remembered(state_file) or LifecycleState(active=engine.version.revision)
        self._state = state.model_copy(update={"cases": {**state.cases, **(cases or {})}})

    @property
    def counts(self) -> Counter[str]:
        """How many records of each kind were made since the start, and how many rollbacks one made alone."""
        return self._records.counts

    @property
    def state(self) -> LifecycleState:
        """What is active, and what was."""
        return self._state

    def _remember(self, **changes: object) -> None:
        state, kept = self._state.model_copy(update=changes), remembered(self._state_file)
        # Whoever was erased meanwhile, by another process, is not written back.
        self._state = state if kept is None else state.unless_dropped(self._state, kept)
        keep_state(self._state_file, self._state)

    async def compiled(self, revision: str) -> PolicyEngine:
        """
        The engine of a kept bundle, as it would decide, with its registry held.

        Raises:
            BundleInvalidError: it has no registry, or one that is not whole.
        """
        bundle = await asyncio.to_thread(self._kept.stored, revision)
        self._registries.hold(bundle)
        return await self._preparation.engine(bundle)

    async def deciding(self, revision: str) -> PolicyEngine:
        """
        The engine of a kept bundle that is to decide.

        Raises:
            BundleInvalidError: it may not, such as a bundle of an earlier version that does not list its areas.
        """
        bundle = await asyncio.to_thread(self._kept.stored, revision)
        if problem := await self._preparation.problem(bundle):
            raise BundleInvalidError(
                f"the kept bundle {revision[:19]}… may not decide: {problem}  To start with the configured bundle instead,"
                f" move {self._state_file} away; that start is on record."
            )
        return await self.compiled(revision)

    async def propose(self, files: Mapping[str, str], officer: Subject, now: datetime) -> Proposal:
        """
        Check a candidate, run its cases, and keep it, with what was found, if nothing is wrong.

        Raises:
            BundleInvalidError: it is refused, with a report; the refusal is on record.
        """
        brought = {name: text.encode(errors="replace") for name, text in files.items()}
        proposal, changes = await self._candidates.taken_in(brought, officer, now, self._state)
        self._remember(**changes)
        return proposal

    async def review(self, revision: str) -> ShownReview:
        """
        What the second officer looks at before a proposed bundle decides.

        Raises:
            NotFoundError: nobody proposed it, or nothing is kept of what was found.

            UnprovedError: the proposal is not on record as it is remembered.
        """
        return await self._candidates.shown(revision, self._state)

    def _compared(self, how: Callable[[Bundle, Bundle], list[str]], bundle: Bundle) -> Sequence[str]:
        """What differs between the bundle that decides and another one; nothing where the former is not kept."""
        active = active_bundle(self._kept, self._state)
        return how(active, bundle) if active else ()

    def simulate(self, revision: str, wanted: Filter, limit: int | None) -> Simulation:
        """
        Past decisions of a tenant under a kept bundle.

        Raises:
            BundleInvalidError: it has no registry, or one that is not whole.
        """
        evidence, bundle = self._evidence, self._kept.stored(revision)
        tell = PastRetelling(bundle, self._kept.stored)
        result = simulate(evidence.store, evidence.inputs, self._compile(bundle), wanted, tell=tell, limit=limit)
        result.registry = tuple(self._compared(registry_changes, bundle))
        return result

    async def activate(
        self, revision: str, officer: Subject, now: datetime, *, acknowledged: str | None = None
    ) -> None:
        """
        Let a proposed bundle decide, from the next request on; *acknowledged* is the digest of the cases that go with it.

        Raises:
            NotFoundError: nobody proposed it.

            BundleInvalidError: it may no longer decide.

            SecondOfficerError: the officer is the one who proposed it.

            UnprovedError: the proposal is not on record as it is remembered.

            CasesRemovedError: cases go, and exactly that is not acknowledged.
        """
        self._state.may_activate(revision, officer)
        await self._records.require_proposal(revision, officer, "PROPOSED", self._state)
        codes, cases = await self._candidates.acknowledged(revision, acknowledged, self._state)
        await self._switch(revision, officer, now, "ACTIVATED", *codes, cases=cases)

    async def rollback(self, revision: str, officer: Subject, now: datetime) -> Sequence[str]:
        """
        Let a bundle decide again that decided before, or propose it to another officer; the record's codes where it decides now.

        Raises:
            NotFoundError: it never did.

            FieldInvalidError: it decides already.

            BundleInvalidError: it may no longer decide.

            SecondOfficerError: the officer is the one who proposed to go back.

            UnprovedError: that it decided, that it was the one just before, or the proposal, is not on record.
        """
        codes = self._state.way_back(revision, officer, now, self._alone_seconds)
        await self._records.require_decided(revision)
        if codes:
            await self._records.require_way_back(revision, officer, codes, self._state)
            await self._switch(revision, officer, now, *codes)
        else:
            await self.deciding(revision)
            proofs = await self._records.propose(revision, officer, now, "ROLLBACK-PROPOSED", self._state)
            self._remember(rollbacks={**self._state.rollbacks, revision: officer.person}, proofs=proofs)
        return codes

    async def adopt(self, bundle: Bundle, now: datetime) -> None:
        """
        Let a bundle of the trusted bundle server decide, if it is newer than what was fetched before.

        Raises:
            BundleInvalidError: it is older or expired, does not compile, or fails a check, a case or a test; the active one stays.
        """
        if not self._freshness.newer(bundle.revision, bundle.numbering, now):
            return
        # What was only signed anew does not undo what officers did meanwhile, such as taking it back.
        if not self._freshness.again(bundle.revision) and bundle.revision != self._state.active:
            tried = await self._candidates.trial(files_of(bundle.content) | bundle.checks)
            if tried.problems:
                raise BundleInvalidError(f"the fetched bundle may not decide: {tried.problems[0].message}")
            await self._preparation.engine(bundle)
            cases = {**self._state.cases, bundle.revision: self._kept.keep(bundle)}
            await self._switch(bundle.revision, None, now, "FETCHED", cases=cases)
        # Only now: what was not taken in may be fetched and tried once more.
        self._freshness.adopted(bundle.revision, bundle.numbering)

    async def started(self, now: datetime, *, resume: bool = True) -> None:
        """
        Let the bundle go on deciding that was activated before this start, where one was and *resume* says so; and record what
        decides from this start on, unless it is what decided before.

        Raises:
            UnprovedError: the log does not say that it was activated here last.

            BundleInvalidError: it may no longer decide; nothing else is taken in its place.
        """
        if resume and self._state.activated:
            await self._resume(self._state.active)
        revision = self._engine.version.revision
        if self._state_file.is_file() and self._state.active == revision:
            return
        await self._records.record(bundle_activated, revision, None, now, "STARTED")
        # What was gone on from was not switched from by anybody: there is no going back to it alone.
        self._remember(active=revision, before=None, since=None, rollbacks={})

    async def _resume(self, active: str) -> None:
        engine = await self.deciding(active)
        if await self._records.newest() != active:
            raise UnprovedError(
                f"the desk remembers that {active[:19]}… decides, and the log does not say so.  To start with the configured"
                f" bundle, move {self._state_file} away; that start is on record."
            )
        self._engine.switch(engine)

    async def refuse(self, error: BundleInvalidError, now: datetime) -> None:
        """Record that a fetched bundle was refused, and why."""
        await self._records.record(bundle_rejected, UNREADABLE, None, now, error.code)

    async def watch(self, revision: str | None, officer: Subject, now: datetime) -> None:
        """
        Let a kept bundle decide beside the active one, with its own registry and without counting; None ends it.

        Raises:
            BundleInvalidError: it has no registry, or one that is not whole.

            RecordError: it is not on record, so it does not begin or end.
        """
        if revision is None:
            if self._engine.shadow is not None:
                await self._records.record(bundle_shadowed, self._engine.shadow.revision, officer, now, "ENDED")
            self._engine.watch(None)
            return
        shadow = await self.compiled(revision)
        before, after = (self._registries.pinned(engine).registry for engine in (self._engine, shadow))
        await self._records.record(bundle_shadowed, revision, officer, now, "STARTED")
        self._engine.watch(shadow, Retelling(before, after).tell, utc_text(now))

    async def _switch(
        self, revision: str, officer: Subject | None, now: datetime, *codes: str, cases: Mapping[str, str] | None = None
    ) -> None:
        engine = await self.deciding(revision)
        # Under a checkpoint before it is remembered: the next start believes no less.
        await self._records.record(bundle_activated, revision, officer, now, *codes, settle=True)
        switched = self._state.switched(revision, now, back="ROLLED-BACK" in codes)
        self._remember(**switched, cases=dict(cases or self._state.cases))
        self._engine.switch(engine)

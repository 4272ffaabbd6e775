"""
The lifecycle of bundles: how a bundle comes to decide.

Rules held here: a candidate compiles, passes every check, its own cases and its Rego tests, or is refused
and the active bundle stays; the officer who activates is another person than the one who proposed; only a bundle that was
active can be rolled back to, by two persons, or by one to the bundle just before within a time, which is flagged; every step is
in the ledger, under no tenant, since a bundle decides for all, and the bytes of every bundle are kept under their hash.
"""

import asyncio

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from gateway.audit.drafts import bundle_activated, bundle_proposed, bundle_rejected, bundle_shadowed
from gateway.audit.evidence import Evidence
from gateway.audit.parts import SYSTEM_TENANT, Act, act_alone
from gateway.errors import BundleInvalidError, NotFoundError
from gateway.model import Model, PolicyVersion, Subject
from gateway.policy.bundle import Bundle, bundle_of, files_of
from gateway.policy.registries import Registries
from gateway.policy.retold import PastRetelling, Retelling
from gateway.policy.shadow import SwitchingPolicyEngine
from gateway.policy.store import BundleStore, LifecycleState, remembered
from gateway.policy.supply.freshness import Freshness
from gateway.ports.ledger import Ledger
from gateway.ports.policy import PolicyEngine
from gateway.workbench.checks import check
from gateway.workbench.diff import diff, registry_changes
from gateway.workbench.simulate import Simulation, simulate
from ledger.query import Filter
from ledger.record import Draft

_UNREADABLE: Final = "sha256:unreadable"
"""Stands in records for the revision of what is no bundle."""

CompileEngine = Callable[..., Any]
"""Compiles a bundle into an engine that can both decide and be queried."""


class Proposal(Model):
    """What an officer hears of a candidate."""

    revision: str
    problems: tuple[str, ...]
    differences: tuple[str, ...]


class BundleLifecycle:
    """Proposes, simulates, activates and rolls back bundles."""

    def __init__(
        self,
        kept: BundleStore,
        state_file: Path,
        engine: SwitchingPolicyEngine,
        *,
        compile_: CompileEngine,
        trial: Callable[[Mapping[str, bytes]], Awaitable[Sequence[str]]],
        freshness: Freshness,
        evidence: Evidence,
        ledger: Ledger,
        registries: Registries,
        alone_seconds: float = 3600,
        wrap_engine: Callable[[PolicyEngine, Bundle], PolicyEngine] = lambda engine, _: engine,
    ) -> None:
        """
        Args:
            kept: where bundles are kept.
            state_file: where the desk keeps what it must remember.
            engine: what is switched.
            compile_: bundle to engine.
            trial: says why a bundle of these files may not decide, once its cases and tests were run where they hold up nobody.
            freshness: how new fetched bundles are.
            evidence: the ledger with its erasable sides, for simulations.
            ledger: to record every step.
            registries: holds the registry of every bundle that may be asked.
            alone_seconds: for how long one officer may go back to the bundle just before.
            wrap_engine: puts around a compiled engine what the settings ask for, such as Cedar.
        """
        self._kept = kept
        self._engine = engine
        self._compile = compile_
        self._trial = trial
        self._freshness = freshness
        self._evidence = evidence
        self._ledger = ledger
        self._registries = registries
        self._alone_seconds = alone_seconds
        self._wrap_engine = wrap_engine
        self._state_file = state_file
        self._state = self._read_state()
        self.counts: Counter[str] = Counter()
        """How many bundles were activated and rejected since the start, by kind of record, and how many rollbacks one made alone."""

    @property
    def state(self) -> LifecycleState:
        """What is active, and what was."""
        return self._state

    def _read_state(self) -> LifecycleState:
        return remembered(self._state_file) or LifecycleState(active=self._engine.version.revision)

    def _remember(self, **changes: object) -> None:
        self._state = self._state.model_copy(update=changes)
        self._state_file.parent.mkdir(parents=True, exist_ok=True)
        draft = self._state_file.with_suffix(".new")
        draft.write_text(self._state.model_dump_json())
        draft.replace(self._state_file)

    def compiled(self, revision: str) -> PolicyEngine:
        """
        The engine of a kept bundle, as it would decide, with its registry held.

        Raises:
            BundleInvalidError: it has no registry, or one that is not whole.
        """
        bundle = self._kept.stored(revision)
        self._registries.hold(bundle)
        return self._wrap_engine(self._compile(bundle), bundle)

    def deciding(self, revision: str) -> PolicyEngine:
        """
        The engine of a kept bundle that is to decide.

        Raises:
            BundleInvalidError: it may not, such as a bundle of an earlier version that does not list its areas.
        """
        if problems := check(self._kept.stored(revision)):
            raise BundleInvalidError(
                f"the kept bundle {revision[:19]}… may not decide: {problems[0]}  To start with the configured bundle instead,"
                f" move {self._state_file} away; that start is on record."
            )
        return self.compiled(revision)

    async def propose(self, files: Mapping[str, str], officer: Subject, now: datetime) -> Proposal:
        """
        Check a candidate, run its cases, and keep it if nothing is wrong.

        Raises:
            BundleInvalidError: it is refused, with a report; the refusal is on record.
        """
        brought = {name: text.encode(errors="replace") for name, text in files.items()}
        try:
            problems = await self._trial(brought)
            bundle = await asyncio.to_thread(bundle_of, brought)
        except BundleInvalidError as error:
            await self._record(bundle_rejected, _UNREADABLE, officer, now, error.code)
            raise
        if problems:
            await self._record(bundle_rejected, bundle.revision, officer, now, BundleInvalidError.code)
            raise BundleInvalidError(
                "the candidate is refused", fields=[(str(index), text) for index, text in enumerate(problems[:50])]
            )
        self._kept.keep(bundle)
        await self._record(bundle_proposed, bundle.revision, officer, now, "PROPOSED")
        self._remember(proposed={**self._state.proposed, bundle.revision: officer.person})
        return Proposal(revision=bundle.revision, problems=(), differences=tuple(self._compared(diff, bundle)))

    def _compared(self, how: Callable[[Bundle, Bundle], list[str]], bundle: Bundle) -> Sequence[str]:
        """What differs between the bundle that decides and another one; nothing where the former is not kept."""
        try:
            return how(self._kept.stored(self._state.active), bundle)
        except NotFoundError:
            return ()

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

    async def activate(self, revision: str, officer: Subject, now: datetime) -> None:
        """
        Let a proposed bundle decide, from the next request on.

        Raises:
            NotFoundError: nobody proposed it.

            BundleInvalidError: it may no longer decide.

            SecondOfficerError: the officer is the one who proposed it.
        """
        self._state.may_activate(revision, officer)
        await self._switch(revision, officer, now, "ACTIVATED")

    async def rollback(self, revision: str, officer: Subject, now: datetime) -> bool:
        """
        Let a bundle decide again that decided before, or propose that to another officer; whether it decides now.

        Raises:
            NotFoundError: it never did.

            FieldInvalidError: it decides already.

            BundleInvalidError: it may no longer decide.

            SecondOfficerError: the officer is the one who proposed to go back.
        """
        codes = self._state.way_back(revision, officer, now, self._alone_seconds)
        if codes:
            await self._switch(revision, officer, now, *codes)
        else:
            self.deciding(revision)
            await self._record(bundle_proposed, revision, officer, now, "ROLLBACK-PROPOSED")
            self._remember(rollbacks={**self._state.rollbacks, revision: officer.person})
        return bool(codes)

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
            if problems := await self._trial(files_of(bundle.content) | bundle.checks):
                raise BundleInvalidError(f"the fetched bundle may not decide: {problems[0]}")
            self._wrap_engine(self._compile(bundle), bundle)
            self._kept.keep(bundle)
            await self._switch(bundle.revision, None, now, "FETCHED")
        # Only now: what was not taken in may be fetched and tried once more.
        self._freshness.adopted(bundle.revision, bundle.numbering)

    async def started(self, now: datetime) -> None:
        """Record what decides from this start on, unless it is what decided before."""
        revision = self._engine.version.revision
        if self._state_file.is_file() and self._state.active == revision:
            return
        await self._record(bundle_activated, revision, None, now, "STARTED")
        # What was gone on from was not switched from by anybody: there is no going back to it alone.
        self._remember(active=revision, before=None, since=None, rollbacks={})

    async def refuse(self, error: BundleInvalidError, now: datetime) -> None:
        """Record that a fetched bundle was refused, and why."""
        await self._record(bundle_rejected, _UNREADABLE, None, now, error.code)

    async def watch(self, revision: str | None, officer: Subject, now: datetime) -> None:
        """
        Let a kept bundle decide beside the active one, with its own registry and without counting; None ends it.

        Raises:
            BundleInvalidError: it has no registry, or one that is not whole.

            RecordError: it is not on record, so it does not begin or end.
        """
        if revision is None:
            if self._engine.shadow is not None:
                await self._record(bundle_shadowed, self._engine.shadow.revision, officer, now, "ENDED")
            self._engine.watch(None)
            return
        shadow = self.compiled(revision)
        before, after = (self._registries.pinned(engine).registry for engine in (self._engine, shadow))
        await self._record(bundle_shadowed, revision, officer, now, "STARTED")
        self._engine.watch(shadow, Retelling(before, after).tell)

    async def _switch(self, revision: str, officer: Subject | None, now: datetime, *codes: str) -> None:
        engine = self.deciding(revision)
        await self._record(bundle_activated, revision, officer, now, *codes)
        self._remember(**self._state.switched(revision, now, back="ROLLED-BACK" in codes))
        self._engine.switch(engine)

    async def _record(
        self,
        draft: Callable[[Act, str, PolicyVersion, Sequence[str]], Draft],
        revision: str,
        officer: Subject | None,
        now: datetime,
        *codes: str,
    ) -> None:
        token = await self._ledger.subject_token(officer.tenant, officer.sub) if officer else None
        # Under no tenant, whoever did it: the bundle decides for all of them, so the auditors of all of them find it.
        made = draft(act_alone(now, SYSTEM_TENANT, token), revision, self._engine.version, codes)
        self.counts[made.kind] += 1
        self.counts["bundle.broke_glass"] += "BREAK-GLASS" in codes
        await self._ledger.append([made])

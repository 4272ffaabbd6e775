"""
Stand-ins that implement the ports, all in one file.

The tests use the real engines wherever they can.  These are for what real engines do only when they
fail: answer short, answer nonsense, hang, refuse.
"""

import asyncio

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gateway.bootstrap.gateway import Gateway
from gateway.errors import RecordError, RepeatDiffersError
from gateway.model import Candidate, Finding, PolicyVersion, SourceEntry
from gateway.model.content import Leaf
from gateway.model.policy_answer import ReleaseMode
from gateway.model.review import ReviewAct
from gateway.pipeline import Pipeline
from gateway.policy.bundle import load_bundle
from gateway.policy.registries import Registries
from gateway.ports.ledger import KeptClaim
from gateway.ports.policy import Disagreement, PolicyEngine
from gateway.ports.sources import Source
from gateway.ports.stores import KeptReview, QuarantinedItem
from ledger.erasable import Erasable
from ledger.errors import DuplicateDecisionError, LedgerError
from ledger.lane import Submission, Written
from ledger.receipt import issue
from ledger.record import Draft
from tests.support.strategies import new_lane, signer


class AnsweringPolicy:
    """Passes questions on to a real engine, and changes the answers at one entrypoint."""

    disagreements: Sequence[Disagreement] = ()

    def __init__(self, engine: PolicyEngine, entrypoint: str, change: Any) -> None:
        self._engine = engine
        self._entrypoint = entrypoint
        self._change = change

    @property
    def version(self) -> PolicyVersion:
        return self._engine.version

    def pinned(self) -> PolicyEngine:
        return self

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> Sequence[object]:
        answers = await self._engine.evaluate(entrypoint, inputs)
        return self._change(answers) if entrypoint == self._entrypoint else answers


class ScriptedDetector:
    """Finds what it is told to find."""

    name = "scripted"
    reads_across = False
    version = "1"

    def __init__(self, findings: Sequence[Sequence[Finding]] | Exception) -> None:
        self._findings = findings
        self.calls = 0

    def serves(self, screening: str) -> bool:
        return True

    def cost(self, item: Sequence[Leaf], screening: str) -> float:
        return 0.0

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str, tenant: str) -> Sequence[Sequence[Finding]]:
        self.calls += 1
        if isinstance(self._findings, Exception):
            raise self._findings
        return list(self._findings) or [()] * len(items)


class BrokenLedger:
    """Acknowledges a number of appends, then none."""

    def __init__(self, ledger: Any, after: int) -> None:
        self._ledger = ledger
        self._left = after

    async def append(self, drafts: Any, erasables: Any = ()) -> Any:
        if self._left <= 0:
            raise RecordError("the disk is full")
        self._left -= 1
        return await self._ledger.append(drafts, erasables)

    async def kept(self, repeated: Any) -> Any:
        return await self._ledger.kept(repeated)

    async def settled(self, written: Any, mode: Any) -> None:
        await self._ledger.settled(written, mode)

    async def subject_token(self, tenant: str, subject: str) -> str:
        return await self._ledger.subject_token(tenant, subject)

    def receipt(self, sealed: Any, salt: bytes) -> Any:
        return self._ledger.receipt(sealed, salt)


class LaneLedger:
    """A ledger of one lane in a file, without a keeper or a key for persons: what it was given can be looked at."""

    def __init__(self, path: Path) -> None:
        self.store, self._lane = new_lane(path)
        self.drafts: list[Draft] = []
        self.erasables: list[Erasable] = []
        self.first: dict[str, Erasable] = {}
        """By decision id what was kept when it was first recorded."""

        self.settled_as: list[ReleaseMode] = []

    async def append(self, drafts: Sequence[Draft], erasables: Sequence[Erasable] = ()) -> Sequence[Written]:
        self.drafts += drafts
        self.erasables += erasables
        [written] = self._lane.commit([Submission(tuple(drafts))])
        if isinstance(written, DuplicateDecisionError):
            raise RepeatDiffersError("another decision", opened=written.opened) from written
        for draft, erasable in zip(drafts, erasables, strict=False):
            self.first.setdefault(draft.decision_id, erasable)
        if isinstance(written, LedgerError):
            raise RecordError("the decisions could not be recorded") from written
        return written

    async def kept(self, repeated: Sequence[Written]) -> Sequence[Erasable]:
        return [self.first[one.record.decision_id] for one in repeated]

    async def settled(self, written: Sequence[Written], mode: ReleaseMode) -> None:
        self.settled_as.append(mode)

    async def subject_token(self, tenant: str, subject: str) -> str:
        return f"token of {subject} in {tenant}"

    def receipt(self, sealed: Written, salt: bytes) -> dict[str, Any]:
        return issue(sealed.record, salt, signer()).model_dump(mode="json")


class ScriptedProofs:
    """Believes every claim, or none, and remembers what it was asked."""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error
        self.claims: list[KeptClaim] = []

    async def require(self, claims: Sequence[KeptClaim]) -> Sequence[Mapping[str, Any]]:
        self.claims += claims
        if self._error is not None and claims:
            raise self._error
        return [{"subject": None} for _ in claims]


class ScriptedReviews:
    """Reviews that remember what they were given, and answer as they were told."""

    def __init__(self, known: Mapping[str, Sequence[KeptReview]] | None = None) -> None:
        self._known = known or {}
        self.asked: list[Sequence[str]] = []
        self.kept: list[QuarantinedItem] = []
        self.erased: list[Sequence[str]] = []
        self.judged: list[tuple[str, ReviewAct, bool]] = []

    async def known(self, tenant: str, digests: Sequence[str]) -> Mapping[str, Sequence[KeptReview]]:
        self.asked.append(digests)
        return self._known

    async def quarantine(self, held: Sequence[QuarantinedItem]) -> None:
        self.kept += held

    async def quarantined(self, tenant: str) -> Sequence[QuarantinedItem]:
        return [one for one in self.kept if one.tenant == tenant]

    async def judge(self, held: QuarantinedItem, act: ReviewAct, *, final: bool) -> None:
        self.judged.append((held.id, act, final))

    async def erase(self, tenant: str, decision_ids: Sequence[str]) -> int:
        self.erased.append(decision_ids)
        return len(decision_ids)


def fetching_from(gateway: Gateway, *sources: Source) -> Pipeline:
    """The gateway's pipeline, with these sources in the place of those of its registry."""
    registries = Registries(lambda _: sources)
    registries.hold(load_bundle(gateway.settings.policies_dir))
    return replace(gateway.pipeline, registries=registries)


class ScriptedSource:
    """A source that gives some items, raises, or hangs."""

    def __init__(self, answer: Sequence[Candidate] | Exception | None, *, critical: bool) -> None:
        self._answer = answer
        self._entry = SourceEntry(
            # One of the registry, since policy asks there what it may say of its items.
            id="knowledge-base",
            kind="directory",
            location="nowhere",
            domains=("NPA",),
            sections=("entity", "knowledge"),
            critical=critical,
            timeout_seconds=0.05,
        )
        self.filters: Mapping[str, Any] = {}

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def fetch(self, filters: Mapping[str, Any], query: str | None) -> Sequence[Candidate]:
        self.filters = filters
        if self._answer is None:
            await asyncio.sleep(60)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer or ()

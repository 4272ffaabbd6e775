"""
Stand-ins that implement the ports, all in one file.

The tests use the real engines wherever they can.  These are for what real engines do only when they
fail: answer short, answer nonsense, hang, refuse.
"""

import asyncio

from collections.abc import Mapping, Sequence
from typing import Any

from gateway.errors import RecordError
from gateway.model import Candidate, Finding, PolicyVersion, SourceEntry
from gateway.model.content import Leaf
from gateway.ports.policy import PolicyEngine


class AnsweringPolicy:
    """Passes questions on to a real engine, and changes the answers at one entrypoint."""

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

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str) -> Sequence[Sequence[Finding]]:
        self.calls += 1
        if isinstance(self._findings, Exception):
            raise self._findings
        return list(self._findings) or [()] * len(items)


class BrokenLedger:
    """Acknowledges a number of appends, then none."""

    def __init__(self, ledger: Any, after: int) -> None:
        self._ledger = ledger
        self._left = after

    async def append(self, drafts: Any, asides: Any = ()) -> Any:
        if self._left <= 0:
            raise RecordError("the disk is full")
        self._left -= 1
        return await self._ledger.append(drafts, asides)

    async def settled(self, written: Any, mode: Any) -> None:
        await self._ledger.settled(written, mode)

    async def subject_token(self, tenant: str, subject: str) -> str:
        return await self._ledger.subject_token(tenant, subject)

    def receipt(self, sealed: Any, salt: bytes) -> Any:
        return self._ledger.receipt(sealed, salt)


class ScriptedSource:
    """A source that gives some items, raises, or hangs."""

    def __init__(self, answer: Sequence[Candidate] | Exception | None, *, critical: bool) -> None:
        self._answer = answer
        self._entry = SourceEntry(
            id="scripted",
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

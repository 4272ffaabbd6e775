"""
What is seen of the work: how long each stage took, what came of it, as metrics, spans and one trace for each request.

Rules held here: nothing here holds the text of an item, a person's name or, in metrics, anything of one tenant; nothing
here can fail a request; a trace is for operations, the ledger is the record.
"""

import contextlib
import time

from collections.abc import Awaitable, Callable, Collection, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, overload

from prometheus_client import CollectorRegistry, Counter, Histogram

from gateway.concurrency.apart import apart
from gateway.errors import GatewayError, ReachMismatchError, RevealRateError
from gateway.model import Case, ContextPack, PackItem, Ruling, RulingsAnswer
from gateway.model.citation import CitationReply
from gateway.model.policy_answer import RENAMED, IncidentCodes
from gateway.model.policy_input import SearchFacts
from gateway.model.pseudonyms import keyed_label
from gateway.observability.incidents import Incidents
from gateway.observability.lag import LoopLag
from gateway.observability.rechecks import Rechecks
from gateway.observability.retrieval_quality import RetrievalQuality
from gateway.observability.searches import Searches
from gateway.observability.tool_calls import ToolCalls
from gateway.ports.sources import SeenCall
from gateway.ports.tracing import Spans, Traces

_Done = TypeVar("_Done")

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 1.0, 2.0, 5.0, 10.0)
_SHARES: Final = (0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0)


class NoSpans:
    """Makes none."""

    def request(self, name: str, traceparent: str | None) -> contextlib.AbstractContextManager[object]:
        return contextlib.nullcontext()

    def stage(self, name: str) -> contextlib.AbstractContextManager[object]:
        return contextlib.nullcontext()

    def traceparent(self) -> str | None:
        return caller.get()


@dataclass(slots=True)
class Observed:
    """One request while it is worked on."""

    began: float
    stages: dict[str, dict[str, Any]] = field(default_factory=dict)
    calls: list[dict[str, Any]] = field(default_factory=list)
    """Tools that were called for it, as they ended."""

    incidents: IncidentCodes = field(default_factory=IncidentCodes)
    """What the bundle that decided counts as incidents."""


_observed: ContextVar[Observed | None] = ContextVar("observed", default=None)

caller: ContextVar[str | None] = ContextVar("caller", default=None)
"""The W3C traceparent header that the request came with."""


class Observer:
    """Sees all requests of this process."""

    def __init__(self, spans: Spans, traces: Traces) -> None:
        self._spans = spans
        self._traces = traces
        self.registry = CollectorRegistry(auto_describe=False)
        made = self.registry
        self._latency = Histogram(
            "context_assembly_latency_seconds",
            "Requests, by call and outcome.",
            ("call", "outcome"),
            buckets=_SECONDS,
            registry=made,
        )
        self._stage = Histogram(
            "context_stage_latency_seconds", "Stages of the pipeline.", ("stage",), buckets=_SECONDS, registry=made
        )
        self._source = Histogram(
            "rag_retrieval_latency_seconds", "Retrieval from a source.", ("source",), buckets=_SECONDS, registry=made
        )
        self._hits = Counter(
            "rag_retrieval", "Retrievals, by whether they gave items.", ("source", "result"), registry=made
        )
        self._used = Histogram(
            "context_budget_utilization_ratio", "Tokens of a pack against its budget.", buckets=_SHARES, registry=made
        )
        self._overflows = Counter("overflow_events", "Packs for which something had to go.", registry=made)
        self._outcomes = Counter("context_items", "Rulings, by outcome.", ("outcome",), registry=made)
        self._refusals = Counter("context_refusals", "Rulings and requests refused, by code.", ("code",), registry=made)
        self._verified = Counter("citation_verifications", "Claims checked, by verdict.", ("verdict",), registry=made)
        self._claims = Counter("context_claims", "Claims checked, by what was found.", ("found",), registry=made)
        self._reveals = Counter(
            "ctxgate_reveals",
            "Tokens whose meaning was asked for, by answer; calls over the rate.",
            ("result",),
            registry=made,
        )
        self._incidents = Incidents(made)
        self._calls = ToolCalls(made)
        self.searches = Searches(made)
        self.rechecks = Rechecks(made)
        self.retrieval_quality = RetrievalQuality(made)
        self.lag = LoopLag(made)

    @contextlib.contextmanager
    def request(self, call: str) -> Iterator[Observed]:
        """One request from end to end."""
        observed = Observed(time.perf_counter())
        token = _observed.set(observed)
        outcome = "sealed"
        try:
            with self._spans.request(call, caller.get()):
                yield observed
        except GatewayError as error:
            outcome = error.code
            if isinstance(error, ReachMismatchError):
                self.searches.differed()
            self._refusals.labels(error.code).inc()
            raise
        except BaseException:
            outcome = "failed"
            raise
        finally:
            _observed.reset(token)
            self._latency.labels(call, outcome).observe(time.perf_counter() - observed.began)

    @contextlib.contextmanager
    def stage(self, name: str, **facts: object) -> Iterator[None]:
        """One stage of the request at hand."""
        began = time.perf_counter()
        try:
            with self._spans.stage(name):
                yield
        finally:
            took = time.perf_counter() - began
            self._stage.labels(name).observe(took)
            if observed := _observed.get():
                # Sources that were asked within a stage stand there already.
                before = observed.stages.get(name, {})
                observed.stages[name] = {**before, "duration_ms": round(took * 1000, 3), **facts}

    @overload
    async def at(self, stage: str, work: Awaitable[_Done]) -> _Done: ...

    @overload
    async def at(self, stage: str, work: Callable[[], _Done]) -> _Done: ...

    async def at(self, stage: str, work: Awaitable[_Done] | Callable[[], _Done]) -> _Done:
        """What a stage gives, timed under its name; one that waits for nothing is given as a function, and done apart from the loop."""
        with self.stage(stage):
            return await apart(work) if callable(work) else await work

    @contextlib.contextmanager
    def revealing(self) -> Iterator[list[bool]]:
        """One call that asks what tokens stand for; the caller puts into the list for each token whether it was told."""
        answered: list[bool] = []
        try:
            yield answered
        except RevealRateError:
            self._reveals.labels("limited").inc()
            raise
        for told in answered:
            self._reveals.labels("told" if told else "refused").inc()

    @contextlib.contextmanager
    def source(self, name: str) -> Iterator[list[int]]:
        """One retrieval; the caller puts the number of items into the list."""
        began, count = time.perf_counter(), [0]
        result = "error"
        try:
            yield count
            result = "hit" if count[0] else "miss"
        finally:
            took = time.perf_counter() - began
            self._source.labels(name).observe(took)
            self._hits.labels(name, result).inc()
            if observed := _observed.get():
                sources = observed.stages.setdefault("retrieve", {})
                sources[name] = sources.get(name, {}) | {
                    "duration_ms": round(took * 1000, 3),
                    "records_fetched": count[0],
                }

    @contextlib.contextmanager
    def call(self, tool: str, source: str) -> Iterator[SeenCall]:
        """One call of a tool; the caller says what came of it."""
        began, seen = time.perf_counter(), SeenCall()
        try:
            yield seen
        finally:
            took = time.perf_counter() - began
            self._calls.ended(tool, seen.status, took)
            if observed := _observed.get():
                told = {"name": tool, "source": source, "status": seen.status, "bytes": seen.size}
                observed.calls.append({**told, "duration_ms": round(took * 1000, 3)})

    def searched(self, facts: SearchFacts, seconds: float, decided: int) -> None:
        """One search of documents, and what it cost to tell what may be found."""
        self.searches.made(seconds, decided)
        if observed := _observed.get():
            counts = {name: facts[name] for name in ("tuples", "permitted", "hits", "kept")}
            told = observed.stages.setdefault("retrieve", {}).setdefault(facts["source"], {})
            told.update(counts, decided=decided, mask_ms=round(seconds * 1000, 3))

    def traceparent(self) -> str | None:
        """The W3C traceparent header for calls that the request at hand makes."""
        return self._spans.traceparent()

    def ruled(self, rulings: list[Ruling], incidents: IncidentCodes, found: Collection[str] | None = None) -> None:
        """What became of the items of a request, and what of it the bundle that decided counts as incidents; *found* are ids of what a search found."""
        if observed := _observed.get():
            observed.incidents = incidents
        if found is not None:
            self.searches.ruled(sum(ruling.usable for ruling in rulings if ruling.item.id in found))
        for ruling in rulings:
            self._outcomes.labels(ruling.outcome).inc()
            for code in ruling.codes:
                self._refusals.labels(code).inc()
            self._incidents.ruled(ruling, incidents)

    def answered(self, answer: RulingsAnswer, case: Case, subject: str | None) -> None:
        """What was handed over; kept as the trace of the request."""
        observed = _observed.get()
        if observed is None:
            return
        document = {
            "trace_id": case.trace_id,
            "timestamp": case.at,
            "agent_id": case.agent.id,
            "domain": case.domain,
            "entity_id": case.request.entity.id if case.request.entity else None,
            "user_id": subject,
            "request_id": case.request_id,
            "pack_id": answer.id,
            "pipeline_stages": observed.stages,
            "tools_called": observed.calls,
            "total_duration_ms": round((time.perf_counter() - observed.began) * 1000, 3),
            **(self._packed(answer, observed.incidents, case) if isinstance(answer, ContextPack) else {}),
        }
        self._traces.put(case.subject.tenant, case.trace_id, case.at, document)
        if isinstance(answer, ContextPack):
            self.rechecks.offer(answer, case)

    def cited(self, reply: CitationReply) -> None:
        """What became of an agent's claims."""
        for claim in reply.claims:
            for found in claim.flags or ("GROUNDED",):
                self._claims.labels(found).inc()
            self._verified.labels("grounded" if claim.grounded else "flagged").inc()

    def _packed(self, pack: ContextPack, incidents: IncidentCodes, case: Case) -> dict[str, Any]:
        report = pack.budget_report
        self._used.observe(report.allocated / report.total_tokens)
        if report.overflow_actions:
            self._overflows.inc()
        return {
            "context_package_size_tokens": report.allocated - report.response_headroom,
            "framing_tokens": report.framing,
            "conflicts_detected": self._incidents.packed(pack, incidents),
            "overflow": bool(report.overflow_actions),
            "sources_used": [
                {
                    "id": _shown(item, case),
                    "tier": item.provenance.authority_tier,
                    "tokens": item.tokens,
                }
                for section in pack.sections
                for item in section.items
            ],
        }


def _shown(item: PackItem, case: Case) -> str:
    """What a trace calls an item's source: as records call it, since a trace is kept beside them and read by more people."""
    name = item.provenance.source_id or item.id
    return keyed_label(case.tenant_key, name) if RENAMED in item.obligations else name

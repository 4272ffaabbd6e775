"""
The way of one request from the door to its answer: rates, deadline, body, queue, idempotency, pipeline.

Rules held here: load is turned away before any work; a place at work is taken only once the body is here; with an idempotency key the same request gives the same answer and no
second set of records, and another one is refused.  What refuses a known caller is put on record by `gateway.api.app`.
"""

import re

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gateway.api.admission import FairQueue, Rates, seconds_left, within
from gateway.api.bodies import OpenRequests
from gateway.concurrency.apart import apart, weigh
from gateway.content.parsing import parse_request
from gateway.errors import FieldInvalidError, GatewayError, IdempotencyError, UnprovedError
from gateway.model import RulingsAnswer, Subject, utc_text
from gateway.model.pseudonyms import keyed_name, name_of
from gateway.pipeline import Asked
from gateway.ports.stores import Answers, KeyedRequest
from gateway.settings import Settings

IDEMPOTENCY: Final = "idempotency-key"
_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")

UNFINISHED_SECONDS: Final = 300
"""For how long a request that was never answered is decided at the time when it first came."""

Decide = Callable[[Asked], Awaitable[RulingsAnswer]]


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One call over HTTP, as far as it is known before its body is read."""

    path: str
    subject: Subject
    now: datetime
    trace_id: str | None
    deadline: str | None
    """The caller's header."""

    key: str | None
    """The caller's idempotency key."""


@dataclass(slots=True)
class Server:
    """Serves calls."""

    settings: Settings
    answers: Answers
    secret: bytes
    queue: FairQueue
    rates: Rates
    open: OpenRequests
    _under_way: set[tuple[str, str]] = field(default_factory=set)

    async def serve(self, call: HttpCall, read: Callable[[], Awaitable[bytes]], decide: Decide) -> str:
        """
        The answer to a call, as JSON.

        Args:
            call: who asks, and how.
            read: gives the body.
            decide: the pipeline.

        Raises:
            GatewayError: nothing is released; the code says why.
        """
        async with self.in_time(call):
            require_key(call.key)
            body = await read()
            weigh(call.subject.tenant, len(body))
            async with self.queue.slot(call.subject.tenant):
                if call.key is None:
                    return await self._decided(call, body, call.now, call.trace_id, decide)
                return await self._once(call, call.key, body, decide)

    @asynccontextmanager
    async def in_time(self, call: HttpCall) -> AsyncIterator[None]:
        """
        A call within its rate and until its deadline, before it has a turn at work.

        Raises:
            RateLimitedError: not now.

            FieldInvalidError: the caller's deadline is no time.

            DeadlineExceededError: the time for it is over.
        """
        await self.rates.tenant(call.subject.tenant)
        seconds = seconds_left(call.deadline, call.now, self.settings.request_seconds)
        async with within(seconds):
            yield

    @asynccontextmanager
    async def admitted(self, call: HttpCall) -> AsyncIterator[None]:
        """
        A turn at work for a call whose body is here or which has none, within its rate and until its deadline.

        Raises:
            GatewayError: as `in_time` and `FairQueue.slot` do.
        """
        async with self.in_time(call), self.queue.slot(call.subject.tenant):
            yield

    async def within_agent(self, call: HttpCall, agent: str) -> None:
        """
        Nothing, where the agent is within its rate.

        Raises:
            RateLimitedError: it is not.
        """
        await self.rates.agent(call.subject.tenant, _counted(agent, call.subject))

    async def _decided(self, call: HttpCall, body: bytes, now: datetime, trace_id: str | None, decide: Decide) -> str:
        request = await apart(lambda: parse_request(body, self.settings.limits))
        await self.within_agent(call, request.agent_id)
        answer = await decide(Asked(request, call.subject, now, trace_id))
        return await apart(answer.model_dump_json)

    async def _once(self, call: HttpCall, key: str, body: bytes, decide: Decide) -> str:
        tenant, name = call.subject.tenant, name_of(self.secret, call.subject.sub, key)
        mark = await apart(lambda: keyed_name(self.secret, call.path, call.subject.model_dump_json(), body.hex()))
        mine = self._entry(mark, utc_text(call.now), call.trace_id)
        if (tenant, name) in self._under_way:
            raise IdempotencyError("a request with this idempotency key is still under way")
        self._under_way.add((tenant, name))
        try:
            oldest = utc_text(call.now - timedelta(hours=self.settings.idempotency_hours))
            first = await self.answers.reserve(tenant, name, mine, oldest)
            if first is not None and first.digest.partition(":")[0] != mark:
                raise IdempotencyError("the idempotency key was used for another request")
            if first is not None and first.body is not None:
                return first.body
            if first is not None and first.digest != self._entry(mark, first.at, first.trace_id).digest:
                # Policy decides a repeat as of the first try, so the table alone may not say when that was.
                raise UnprovedError("when the first request with this idempotency key came is not what was kept of it")
            if first is not None and datetime.fromisoformat(first.at) < call.now - timedelta(
                seconds=UNFINISHED_SECONDS
            ):
                # Who broke off a request on purpose could have it decided a day later as if no key had been revoked since.
                raise IdempotencyError(
                    "the first request with this idempotency key was not answered, and is too old now"
                )
            return await self._reserved(call, name, first or mine, body, decide)
        finally:
            self._under_way.discard((tenant, name))

    def _entry(self, mark: str, at: str, trace_id: str | None) -> KeyedRequest:
        """What is kept of a request: its own mark, and one over when it came under which trace."""
        return KeyedRequest(f"{mark}:{keyed_name(self.secret, mark, at, trace_id or '')}", at, trace_id)

    async def _reserved(self, call: HttpCall, name: str, entry: KeyedRequest, body: bytes, decide: Decide) -> str:
        """Decide at the time when the request came first, so that after a crash the same records are found again."""
        tenant = call.subject.tenant
        try:
            answer = await self._decided(call, body, datetime.fromisoformat(entry.at), entry.trace_id, decide)
        except GatewayError:
            await self.answers.free(tenant, name)
            raise
        await self.answers.answer(tenant, name, answer)
        return answer


def _counted(agent: str, subject: Subject) -> str:
    """
    Under which agent a request counts: all that name an agent which is not their token's count as one.

    So nobody uses up another's rate, learns from it that there is such an agent, or escapes by naming new ones.
    """
    return agent if subject.agents is None or agent in subject.agents else ""


def require_key(key: str | None) -> None:
    """
    Raises:
        FieldInvalidError: it is not an idempotency key.
    """
    if key is not None and not _KEY.fullmatch(key):
        problem = "must be 1 to 200 visible ASCII characters"
        raise FieldInvalidError(
            "Idempotency-Key must be 1 to 200 visible ASCII characters", fields=[(IDEMPOTENCY, problem)]
        )

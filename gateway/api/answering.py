"""
Whatever happens in the application, there is an answer: also to what no handler of errors takes, such as a cancelled future of
somebody else's work, a panic of a compiled library, or the end of the drain.

Rules held here: an answer is never an item's text or a traceback; what was counted for a request is given back when it ends.
"""

import asyncio
import re

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Final

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.api.problems import problem
from gateway.errors import RecordError

_NO_NAME: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Characters that no route and no name has; stores differ in how they fail on them."""

Crashed = Callable[[Request, BaseException], Awaitable[Response]]
Missing = Callable[[Request, Exception], Awaitable[Response]]


class Answering:
    """Answers what the application inside it does not."""

    def __init__(self, app: ASGIApp, crashed: Crashed, missing: Missing) -> None:
        """
        Args:
            app: the application.
            crashed: the answer to what it raises, once the refusal is on record.
            missing: the answer where there is no route.
        """
        self._app = app
        self._crashed = crashed
        self._missing = missing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, begun = Request(scope), False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        with ExitStack() as until_answered:
            request.state.until_answered = until_answered
            try:
                await self._answered(request, scope, receive, sending)
            except GeneratorExit:
                # The event loop is being closed: nothing can be sent any more.
                raise
            except BaseException as error:  # noqa: BLE001 - whatever it is
                answer = await self._answer(request, error)
                if begun:
                    # The server cuts the connection, so that nobody takes a part for the whole.
                    raise RuntimeError("an answer broke off") from None
                await answer(scope, receive, send)

    async def _answered(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        if _NO_NAME.search(scope["path"]):
            answer = await self._missing(request, HTTPException(404))
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _answer(self, request: Request, error: BaseException) -> Response:
        try:
            return await self._crashed(request, error)
        except Exception:  # noqa: BLE001 - so that there is an answer; the first failure is in the log
            return problem(RecordError("the failure could not be put on record"), request)


def ended_by_us() -> bool:
    """Whether the present task itself was told to end, rather than a future that it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0

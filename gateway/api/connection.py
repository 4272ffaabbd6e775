"""
One connection of the server: uvicorn's, with the ends that it leaves open.

Rules held here: headers have a size and a time, also trailers and what is sent after an early answer; who takes no answer is
cut; bytes that are no request get a problem document; what a caller has not read yet is not lost when we close first.
"""

import asyncio
import random

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway.api.doors import Doors
from gateway.api.problems import raw_problem
from gateway.errors import BodyError, GatewayError, RequestTooSlowError, TooLargeError, TooManyOpenError

HEAD_TOO_LARGE: Final = 431

REFUSED_SECONDS: Final = 1.0
"""How long a connection that is not served may read that it is not."""


class GuardedConnection(HttpToolsProtocol):
    """HTTP/1.1 on one connection."""

    def __init__(self, doors: Doors, **given: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(**given)
        self._doors = doors
        self._address = ""
        self._in_head = False
        self._in_body = False
        self._unread = 0
        """Bytes that came and were neither headers that are whole nor body."""

        self._ending = False
        """Only what was written is still to be read."""

        self._deaf = False
        """What comes is no request any more; what was asked before is answered."""

        self._whole = False
        """The caller has sent all that it will."""

        self._outside = False
        """Not let in yet."""

        self._too_large = False
        self._linger = doors.limits.head_seconds
        self._timer: asyncio.TimerHandle | None = None
        self._sending: asyncio.TimerHandle | None = None

    # What the transport tells.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        if self._doors.is_full(self._address):
            self._outside = True
            if self._doors.outside >= self._doors.limits.max_connections:
                self._doors.counts["refused"] += 1
                transport.abort()
                return
            self.flow.pause_reading()
            self._doors.stays_outside(self._address, self._let_in)
            # Not all at the same moment: they would all come again at the same moment.
            seconds = random.uniform(0.5, 1.0) * self._doors.limits.head_seconds  # noqa: S311 - no secret
            self._then(seconds, self._give_up)
        else:
            self._let_in()

    def _let_in(self) -> None:
        self._outside = False
        self.flow.resume_reading()
        self._enter(self._doors.enter(self._address))

    def _give_up(self) -> None:
        """None of its address ended in time."""
        self._doors.leaves_outside(self._address, self._let_in)
        self._doors.counts["refused"] += 1
        self._outside = False
        self._doors.enter(self._address)
        self._enter(TooManyOpenError("this address has as many connections open as it may"))

    def _enter(self, refusal: GatewayError | None) -> None:
        if refusal is not None:
            # As if a head had begun: the request that is on its way is read and left, so that the answer is not lost.
            self._in_head, self._linger = True, REFUSED_SECONDS
            self._refuse(refusal)
            return
        self._wait(self._doors.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._outside:
            self._doors.leaves_outside(self._address, self._let_in)
        else:
            if not self._ending:
                self._doors.ends(self._address, self.give_way)
            self._doors.leave()
        self._ending = True
        for timer in (self._timer, self._sending):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._ending or self._deaf:
            # Read and left, so that what was answered is not lost with it.
            return
        self._unread += len(data)
        super().data_received(data)
        if (
            not (self._ending or self._deaf)
            and (self._in_head or self._in_body)
            and self._unread > self._doors.limits.max_head_bytes
        ):
            self._too_large = True
            self.send_400_response("")

    def eof_received(self) -> bool:  # type: ignore[override]
        """Nothing more will come.  Whoever asked a whole question still gets the answer."""
        self._whole = True
        if self._ending or not (self._in_head or self._in_body or self._answering):
            return False
        if self._in_head or self._in_body:
            self.send_400_response("")
        else:
            self.cycle.keep_alive = False
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self._sending = self.loop.call_later(self._doors.limits.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    # What the parser tells.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._unread = True, 0
        if not self._answering:
            self._in(self._doors.limits.head_seconds)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        self._too_large = size > self._doors.limits.max_head_bytes
        if self._too_large:
            raise ValueError("the headers are too large")
        super().on_headers_complete()
        self._in_head, self._in_body, self._unread = False, True, 0
        self._doors.busy(self._address, self.give_way)
        self._stop_timer()
        # uvicorn's cycle closes by itself; a close with bytes unread would take the answer with it.
        self.cycle.transport = _Closing(self)  # type: ignore[assignment]

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body, self._unread = False, 0
        super().on_message_complete()
        if not self._answering:
            self._wait(self._doors.limits.idle_seconds)

    def on_response_complete(self) -> None:
        if self._ending:
            return
        super().on_response_complete()
        if self._answering:
            return
        if self._in_head or self._in_body:
            # Of a request that was answered before its body was read the rest may come, for a while.
            self._in(self._doors.limits.head_seconds)
        else:
            self._wait(self._doors.limits.idle_seconds)

    def timeout_keep_alive_handler(self) -> None:
        self._late()

    def send_400_response(self, msg: str) -> None:
        """The bytes are no request."""
        if self._too_large:
            self._refuse(TooLargeError("the request line and the headers are too large"), HEAD_TOO_LARGE)
        else:
            self._refuse(BodyError("the bytes that arrived are not HTTP/1.1, or end before the request does"))
        self._doors.counts["unreadable"] += 1

    def _unsupported_upgrade_warning(self) -> None:
        """Another protocol was asked for: the request is answered as it is, and nothing more is read."""
        self.cycle.keep_alive = False
        self._in_body, self._deaf = False, True

    # Ends.

    @property
    def _answering(self) -> bool:
        return bool(self.pipeline) or (self.cycle is not None and not self.cycle.response_complete)

    def give_way(self) -> None:
        """Somebody else needs the connection more."""
        self._linger = REFUSED_SECONDS
        self._late()

    def finish(self) -> None:
        """Close, once the caller had time to read what was written."""
        if self._ending:
            return
        self._ending = True
        self._doors.ends(self._address, self.give_way)
        more = (self._in_head or self._in_body) and not self._whole and not self._doors.crowded
        if more and self.transport.can_write_eof():
            # Bytes may still come, and a close before they are read would reset the connection.
            self.transport.write_eof()
            self.flow.resume_reading()
            self._then(self._linger, self.transport.abort)
        else:
            self.transport.close()
            self._then(self._doors.limits.send_seconds, self.transport.abort)

    def _wait(self, seconds: float) -> None:
        """No request is under way: wait for one, or give way to another."""
        if not self._ending:
            self._doors.waits(self._address, self.give_way)
            self._in(seconds)

    def _in(self, seconds: float) -> None:
        if not self._ending:
            self._then(seconds, self._late)

    def _then(self, seconds: float, act: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, act)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        """The time is over in which a request, or the rest of one, had to come."""
        if self.transport.is_closing() or self._ending:
            return
        if self._in_head and not self._answering:
            self._doors.counts["slow"] += 1
            self._refuse(RequestTooSlowError("the headers did not arrive in time"))
        else:
            self.finish()

    def _refuse(self, error: GatewayError, status: int | None = None) -> None:
        """Answer what is no request, or is a broken one; whole requests before it are answered first."""
        if self._ending:
            return
        if self._answering and (self.pipeline or not self._in_body):
            self.cycle.keep_alive = False
            self._deaf = True
            return
        # Of a request that was answered before its body was read, the rest is broken: that needs no second answer.
        begun = self._in_body
        if self._answering:
            begun = self.cycle.response_started
            # Whoever reads the body hears that there is no more of it.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not begun:
            self.transport.write(raw_problem(error, status))
        self.finish()


class _Closing:
    """A transport as uvicorn's cycle uses it, whose close waits for the caller."""

    def __init__(self, connection: GuardedConnection) -> None:
        self._connection = connection

    def write(self, data: bytes) -> None:
        self._connection.transport.write(data)

    def is_closing(self) -> bool:
        return self._connection.transport.is_closing()

    def close(self) -> None:
        self._connection.finish()

"""
Files read apart from the gateway.

Rules held here: no byte of a file is parsed in the gateway's own process; who parses it has no key, no connection and no environment
of the gateway, and is killed where it takes more time or memory than it may; what comes back is text with offsets, or the code of an
error in our words.
"""

import json
import os
import signal
import subprocess
import sys

from dataclasses import asdict
from threading import Lock, Timer
from typing import Any, Final

from adapters.documents.limits import ReadingLimits
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError
from gateway.model.knowledge.document import ReadDocument, TextBlock

_START_SECONDS: Final = 60.0
"""That the libraries may take to be loaded, on a machine that has much else to do."""

_KEPT: Final = ("PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE", "LD_LIBRARY_PATH")
_ESCAPED: Final = 12
"""Bytes of JSON that a character takes at most."""

_BLOCK: Final = 100
"""Bytes that a block takes at most beside its text."""

_TOO_COSTLY: Final = "reading the file took more time or memory than it may"


class ApartReading:
    """Reads files one at a time, each in a process of its own; to be called off the event loop.  Safe to share between threads."""

    def __init__(self, limits: ReadingLimits | None = None) -> None:
        """
        Args:
            limits: of one file; None for those of `ReadingLimits`.
        """
        self._limits = limits or ReadingLimits()
        self._turn = Lock()
        self._parent: subprocess.Popen[bytes] | None = None

    def read(self, body: bytes, claimed: str | None = None, name: str | None = None) -> tuple[str, ReadDocument]:
        """
        Media type and text of a file.

        Args:
            body: of the file.
            claimed: the media type that somebody says it has; None where nobody does.
            name: that somebody gave it; its end must not say something else than its bytes.

        Raises:
            DocumentTooLargeError: it is too large, or what is in it.

            DocumentUnreadableError: it is not what it says, encrypted, broken, holds no text, or costs too much to read.
        """
        if len(body) > self._limits.file_bytes:
            raise DocumentTooLargeError("the file is larger than a document may be")
        asked = {"size": len(body), "claimed": claimed, "name": name, "limits": asdict(self._limits)}
        with self._turn:
            answer = self._ask(json.dumps(asked).encode() + b"\n", body)
        if answer["code"] == DocumentTooLargeError.code:
            raise DocumentTooLargeError(answer["why"])
        if answer["code"]:
            raise DocumentUnreadableError(answer["why"])
        return answer["media_type"], ReadDocument(
            answer["text"], tuple(TextBlock(*block) for block in answer["blocks"]), answer["title"]
        )

    def close(self) -> None:
        """End the process; another one is started by the next file."""
        with self._turn:
            self._end()

    def _ask(self, head: bytes, body: bytes) -> dict[str, Any]:
        parent = self._started()
        # The child ends by its own limits; the clock is for one that is stopped, or for a parent that hangs.
        clock = Timer(2 * self._limits.seconds + _START_SECONDS, _kill, (parent,))
        clock.start()
        try:
            return self._answer(parent, head, body)
        except (OSError, ValueError, EOFError):
            self._end()
            raise DocumentUnreadableError(_TOO_COSTLY) from None
        except BaseException:
            # Whoever was interrupted half-way would leave an answer for the next file.
            self._end()
            raise
        finally:
            clock.cancel()

    def _answer(self, parent: subprocess.Popen[bytes], head: bytes, body: bytes) -> dict[str, Any]:
        assert parent.stdin is not None  # noqa: S101 - for the type checker
        assert parent.stdout is not None  # noqa: S101 - as above
        parent.stdin.write(head + body)
        parent.stdin.flush()
        size = int(parent.stdout.readline(len("1000000000\n")))
        if size > self._limits.characters * _ESCAPED + self._limits.blocks * _BLOCK + _BLOCK:
            raise EOFError
        said = parent.stdout.read(size)
        if len(said) < size:
            raise EOFError
        answer: dict[str, Any] = json.loads(said)
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._parent is not None and self._parent.poll() is None:
            return self._parent
        self._end()
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OPENBLAS_NUM_THREADS": "1"}
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "adapters.documents.in_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # libraries write there what they find in files
            env=environment,
            start_new_session=True,
        )
        return self._parent

    def _end(self) -> None:
        if self._parent is None:
            return
        _kill(self._parent)
        self._parent.wait()
        for stream in (self._parent.stdin, self._parent.stdout):
            if stream is not None:
                _closed(stream)
        self._parent = None


def _closed(stream: Any) -> None:  # noqa: ANN401 - a pipe's end, of either direction
    try:
        stream.close()
    except OSError:
        # What was not written is nobody's any more.
        return


def _kill(parent: subprocess.Popen[bytes]) -> None:
    """End a process with the children that it has made."""
    try:
        os.killpg(parent.pid, signal.SIGKILL)
    except ProcessLookupError:
        # It has ended by itself, with its last child.
        return

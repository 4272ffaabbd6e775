"""
The process that files are read in: it has the libraries loaded and nothing else, and makes a child of itself for each file.

Rules held here: a child reads one file and ends, so that no file meets another one; before it looks at it, it bounds its own time and
memory, and can neither write files nor leave a dump; a child that does not end well ends its parent too, which is the answer.

On standard input, for each file: a line of JSON (`size`, `claimed`, `name`, `limits`) and the bytes.  On standard output: a line with
the length of the answer, and the answer as JSON: `code` and `why`, or `media_type`, `text`, `title` and `blocks`.
"""

import json
import os
import resource
import signal
import sys

from importlib import import_module
from pathlib import Path
from typing import Any, Final

from adapters.documents.limits import ReadingLimits
from adapters.documents.reading import READERS, read_here
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError

_TOO_MUCH: Final = "reading the file takes more memory than it may"


def main() -> int:
    """Answer until nobody asks any more, or a child fails."""
    for module, _ in READERS.values():
        import_module(f"adapters.documents.{module}")
    while line := sys.stdin.buffer.readline():
        asked = json.loads(line)
        body = sys.stdin.buffer.read(asked["size"])
        child = os.fork()
        if child == 0:
            _read_and_end(asked, body)
        if os.waitpid(child, 0)[1] != 0:
            return 1
    return 0


def _read_and_end(asked: dict[str, Any], body: bytes) -> None:
    """The child's own: never returns, whatever happens."""
    try:
        limits = ReadingLimits(**asked["limits"])
        _bound(limits)
        answer = json.dumps(_answer(body, limits, asked)).encode()
        sys.stdout.buffer.write(b"%d\n" % len(answer) + answer)
        sys.stdout.buffer.flush()
        os._exit(0)
    finally:
        os._exit(1)


def _bound(limits: ReadingLimits) -> None:
    seconds = max(1, round(limits.seconds))
    # By the clock as well, so that it ends in time where the gateway was killed and nobody waits for it.
    signal.setitimer(signal.ITIMER_REAL, 2 * limits.seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    most = _address_space() + limits.megabytes * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _address_space() -> int:
    """Bytes that this process may address already."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _answer(body: bytes, limits: ReadingLimits, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        kind, read = read_here(body, limits, asked["claimed"], asked["name"])
    except (DocumentTooLargeError, DocumentUnreadableError) as error:
        return {"code": error.code, "why": error.detail}
    except MemoryError:
        return {"code": DocumentUnreadableError.code, "why": _TOO_MUCH}
    blocks = [[block.start, block.end, block.kind, block.level, block.page] for block in read.blocks]
    return {"code": "", "media_type": kind, "text": read.text, "title": read.title, "blocks": blocks}


if __name__ == "__main__":
    sys.exit(main())

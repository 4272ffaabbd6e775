"""
Becomes the program of a server: ``launch.py PARENT PROGRAM ARGUMENT...``.

It stands between fork and exec, where the gateway itself could not act safely beside its threads.  The program dies with the gateway,
however that ends, and leaves no core dump with data in it.  The standard library alone, so that it starts at once.
"""

import ctypes
import os
import resource
import signal
import sys

from typing import Final

_DIE_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux."""


def main() -> None:
    """Become the program that the arguments say, unless the gateway is gone already."""
    parent, program, *arguments = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() == int(parent):
        os.execv(program, [program, *arguments])  # noqa: S606 - no shell: the operator's command, word by word


if __name__ == "__main__":
    main()

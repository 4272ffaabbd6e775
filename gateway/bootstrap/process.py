"""This process among others: its clock, its replica id and build, and work that it does only now and then."""

import json
import time
import uuid

from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from ledger.record import GatewayPart


def system_clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def replica_of(state: Path) -> GatewayPart:
    """This replica: a random id kept in the state folder, and the build."""
    path = state / "replica.json"
    if not path.exists():
        state.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"replica": str(uuid.uuid4())}))
    return GatewayPart(replica=json.loads(path.read_text())["replica"], build=version("ctxgate"))


def at_most_every(seconds: float, act: Callable[[], None]) -> Callable[[], None]:
    """*act*, at most once in so many seconds."""
    last = 0.0

    def maybe() -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            act()

    return maybe

"""A PostgreSQL server of a test's own, which it may kill, stop, or start with settings that nobody should have."""

import shutil
import tempfile

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.services import POSTGRES, Postgres, need


@contextmanager
def own_postgres() -> Iterator[Postgres]:
    """A server that runs; stopped and removed at the end, whatever was done to it."""
    need(POSTGRES is not None, "PostgreSQL")
    folder = Path(tempfile.mkdtemp(prefix="ctxgate-pg-"))
    server = Postgres(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)

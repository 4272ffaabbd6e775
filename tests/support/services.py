"""Real servers, started on loopback for the tests; one that is missing skips a test on a laptop and fails it where all are required."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
import uuid

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.ledger.postgres.migrate import migrate
from adapters.shared.postgres import Pool
from tools.loopback import free_port, until_up

REQUIRED = os.environ.get("CTXGATE_REQUIRE_SERVICES") == "1"
"""Set by .ci/run: a service that is missing fails the test that needs it."""


def need(available: bool, what: str) -> None:
    """Skip on a developer's laptop, fail where every service is required."""
    if not available and REQUIRED:
        pytest.fail(f"{what} is required here")
    if not available:
        pytest.skip(f"{what} is not on this machine")


OPA = shutil.which("opa", path=f"{Path.home()}/.cache/ctxgate/bin:/usr/local/bin:/usr/bin")


@contextmanager
def opa_server(bundle: Path, *more: str) -> Iterator[str]:
    """An OPA server with a bundle; its URL."""
    port = free_port()
    command = [str(OPA), "run", "--server", "--bundle", str(bundle), "--addr", f"127.0.0.1:{port}", *more]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        until_up(process, f"{url}/health")
        yield url
    finally:
        process.kill()
        process.wait()


POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
"""Where Debian's package puts the server."""


class Postgres:
    """A PostgreSQL server of our own, on loopback, under a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        folder.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        self._as_owner("initdb", "-D", str(folder / "data"), "-U", "owner", "-A", "trust", "--no-sync")

    def _command(self, name: str, *arguments: str) -> list[str]:
        own = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        assert POSTGRES is not None
        return [*own, str(POSTGRES / name), *arguments]

    def _as_owner(self, name: str, *arguments: str) -> None:
        subprocess.run(self._command(name, *arguments), check=True, capture_output=True, cwd=self.folder)

    def start(self, *settings: str) -> None:
        """Start, and wait until it answers."""
        options = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={self.folder}"]
        more = [part for setting in settings for part in ("-c", setting)]
        command = self._command("postgres", "-D", str(self.folder / "data"), "-p", str(self.port), *options, *more)
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        for _ in range(400):
            ready = self._command("pg_isready", "-h", "127.0.0.1", "-p", str(self.port), "-U", "owner")
            if subprocess.run(ready, capture_output=True, check=False, cwd=self.folder).returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL did not start")

    def pids(self) -> list[int]:
        """The server's processes, the one that started the others first."""
        pid = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]

    def kill(self) -> None:
        """Kill the server and all that it started, as a power cut would."""
        for one in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
        (self.folder / "data/postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        """Stop in order."""
        if self._process is not None and self._process.poll() is None:
            # Whoever runs it as another user stops when it is stopped, and does not go on by itself.
            self._process.send_signal(signal.SIGCONT)
            self._as_owner("pg_ctl", "-D", str(self.folder / "data"), "stop", "-m", "immediate")
            self._process.wait()

    def url(self, database: str, role: str = "owner") -> str:
        """Where a database is, for a role."""
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def sql(self, database: str, *statements: str, role: str = "owner") -> str:
        """Run statements; what they print."""
        arguments = ["-h", "127.0.0.1", "-p", str(self.port), "-U", role, "-v", "ON_ERROR_STOP=1", "-qAt", database]
        texts = [part for statement in statements for part in ("-c", statement)]
        done = subprocess.run(
            self._command("psql", *arguments, *texts), capture_output=True, text=True, check=False, cwd=self.folder
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    def new_ledger(self) -> str:
        """A migrated database with the roles `gateway`, `eraser` and `auditor`; its name."""
        name = f"ledger_{uuid.uuid4().hex[:12]}"
        self.sql("postgres", f"CREATE DATABASE {name}")
        pool = Pool(self.url(name))
        try:
            migrate(pool, months=2, now=datetime(2026, 3, 1, tzinfo=UTC))
        finally:
            pool.close()
        for role in ("gateway", "eraser", "auditor"):
            exists = self.sql("postgres", f"SELECT 1 FROM pg_roles WHERE rolname = '{role}'")
            if not exists:
                self.sql("postgres", f"CREATE ROLE {role} LOGIN", f"GRANT ctxgate_{role} TO {role}")
        return name

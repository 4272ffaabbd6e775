"""
A pool of connections on an event loop of its own, for callers on any thread.

The ledger's store is called from the threads of the writer, the sequencer and the readers, which wait for
durability anyway; asyncpg is asynchronous.  One thread between them keeps both as they are.
"""

import asyncio
import threading

from collections.abc import Awaitable, Callable
from concurrent.futures import TimeoutError as WaitedTooLong
from typing import Any, Final, TypeVar

import asyncpg

from ledger.errors import (
    DecisionTakenError,
    LedgerError,
    LedgerUnavailableError,
    SubjectErasedError,
    UnsafeDurabilityError,
)

COMMAND_SECONDS: Final = 60.0
_CONNECTIONS: Final = 8
_SAFE: Final = {
    "fsync": {"on"},
    "full_page_writes": {"on"},
    "synchronous_commit": {"on", "remote_apply", "remote_write", "local"},
}
"""Settings under which a commit that was acknowledged is on the disk of the server, at least."""

DURABILITY: Final = ", ".join(f"current_setting('{name}') AS {name}" for name in _SAFE)
"""The settings as columns, to be asked for with a commit; see `require_durable`."""

_KEPT: Final = (
    *(
        "lanes",
        "runs",
        "records",
        "subjects",
        "asides",
        "head",
        "entries",
        "codes",
        "ranges",
        "tiles",
        "checkpoints",
        "log",
        "newest",
        "refused",
        "log_writers",
        "erasing",
        "certificates",
    ),
    *("held", "tokens", "answers", "turns"),
)
"""Tables that must be there after the server was killed; what is in them decides or proves."""

_UNLOGGED: Final = """
SELECT c.oid::regclass::text FROM pg_class c
WHERE c.relpersistence <> 'p' AND c.relnamespace = current_schema()::regnamespace
AND (c.relname = ANY($1::text[]) OR EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent WHERE i.inhrelid = c.oid AND p.relname = ANY($1::text[])
)) LIMIT 1
"""

_T = TypeVar("_T")
Connection = Any
"""An `asyncpg.Connection`, which has no type stubs."""


class Pool:
    """Connections to one database."""

    def __init__(self, url: str, *, frozen: bool = False, password: str | None = None) -> None:
        """
        Connect, and see that the server keeps what it acknowledges.

        Args:
            url: of the database.
            frozen: whether to read, in one transaction, what is there now, whatever others write meanwhile.
            password: of the role, where the URL holds none.

        Raises:
            LedgerUnavailableError: the server does not answer.

            UnsafeDurabilityError: it would lose acknowledged records.
        """
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="postgres", daemon=True)
        self._thread.start()
        self._pool: Any = None
        self._frozen: Connection = None
        self._one_at_a_time = asyncio.Lock()
        try:
            self._pool = self._wait(self._open(url, password, frozen=frozen))
        except BaseException:
            self.close()
            raise

    async def _open(self, url: str, password: str | None, *, frozen: bool) -> Any:  # noqa: ANN401 - no stubs
        session = await _session(url, password)
        if frozen:
            self._frozen = await asyncpg.connect(
                url, password=password, command_timeout=COMMAND_SECONDS, timeout=10, server_settings=session
            )
            await _require_durability(self._frozen)
            await self._frozen.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            await self._frozen.fetchval("SELECT size FROM head")
            return None
        return await asyncpg.create_pool(
            url,
            password=password,
            min_size=1,
            max_size=_CONNECTIONS,
            command_timeout=COMMAND_SECONDS,
            timeout=10,
            init=_require_durability,
            server_settings=session,
        )

    def run(self, act: Callable[[Connection], Awaitable[_T]]) -> _T:
        """
        Do something with a connection.

        Raises:
            LedgerUnavailableError: the server did not answer, or refused.
        """
        found: _T = self._wait(self._with_connection(act))
        return found

    def transaction(self, act: Callable[[Connection], Awaitable[_T]]) -> _T:
        """
        Do something in one transaction, which is durable when this returns.

        Raises:
            LedgerUnavailableError: it is not known to be.
        """

        async def inside(connection: Connection) -> _T:
            async with connection.transaction():
                return await act(connection)

        return self.run(inside)

    async def _with_connection(self, act: Callable[[Connection], Awaitable[_T]]) -> _T:
        if self._frozen is not None:
            async with self._one_at_a_time:
                return await act(self._frozen)
        async with self._pool.acquire(timeout=10) as connection:
            return await act(connection)

    def _wait(self, work: Any) -> Any:  # noqa: ANN401 - what the work answers
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop).result(2 * COMMAND_SECONDS)
        except asyncpg.ForeignKeyViolationError as error:
            if error.table_name == "asides":
                raise SubjectErasedError("a person was erased meanwhile") from error
            raise LedgerUnavailableError("the ledger's store refused") from error
        except asyncpg.UniqueViolationError as error:
            if (error.table_name or "").startswith("records") and (error.constraint_name or "").endswith("_pkey"):
                raise DecisionTakenError("a decision is in the ledger already") from error
            raise LedgerUnavailableError("the ledger's store refused") from error
        except LedgerError:
            raise
        except (
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            OSError,
            WaitedTooLong,
            TimeoutError,
            ValueError,
        ) as error:
            raise LedgerUnavailableError("the ledger's store did not answer") from error

    def close(self) -> None:
        """Close the connections and end the thread."""
        if self._pool is not None or self._frozen is not None:
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    async def _end(self) -> None:
        if self._frozen is not None:
            await self._frozen.close(timeout=10)
            return
        try:
            await asyncio.wait_for(self._pool.close(), 10)
        except TimeoutError:
            self._pool.terminate()


async def _session(url: str, password: str | None) -> dict[str, str]:
    """
    What a session says of its own durability, whatever the server or the role is set to, now or later.

    Not by `SET`, which a pool takes back when a connection is given back; and never weaker than what the server asks for.
    """
    connection = await asyncpg.connect(url, password=password, command_timeout=COMMAND_SECONDS, timeout=10)
    try:
        value = await connection.fetchval("SELECT current_setting('synchronous_commit')")
    finally:
        await connection.close(timeout=10)
    return {"synchronous_commit": value if value in _SAFE["synchronous_commit"] else "on"}


async def _require_durability(connection: Connection) -> None:
    require_durable(await connection.fetchrow(f"SELECT {DURABILITY}"))
    await require_logged(connection)


def require_durable(settings: Any) -> None:  # noqa: ANN401 - no stubs
    """
    Refuse a server that would lose what it acknowledges.

    Args:
        settings: a row with the columns of `DURABILITY`.

    Raises:
        UnsafeDurabilityError: a setting that a session cannot make for itself is not safe, or its own was not taken.
    """
    for name, safe in _SAFE.items():
        if settings[name] not in safe:
            raise UnsafeDurabilityError(
                f"PostgreSQL has {name}={settings[name]}, so acknowledged records could be lost"
            )


async def require_logged(connection: Connection) -> None:
    """
    Refuse tables that the server empties after it was killed.

    Raises:
        UnsafeDurabilityError: a table or partition of the ledger is UNLOGGED.
    """
    table = await connection.fetchval(_UNLOGGED, _KEPT)
    if table is not None:
        raise UnsafeDurabilityError(f"PostgreSQL has {table} UNLOGGED, so acknowledged records could be lost")

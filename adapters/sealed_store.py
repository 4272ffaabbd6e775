"""
What is kept aside and can be erased: content set aside for review, and what tokens stand for; each value sealed.

Rules held here: a value is on disk only as AES-256-GCM (NIST SP 800-38D) under a key outside the file, bound to its tenant
and place; a write has reached the disk before the call returns; a value that does not open is an error, never a guess.
"""

import asyncio
import json
import os
import sqlite3

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gateway.errors import AsideError
from gateway.model.facts import ReviewFacts, ReviewScope
from gateway.model.review import ReviewAct
from gateway.ports import Held, Secret

_NONCE: Final = 12
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS held (
  tenant TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, scope TEXT NOT NULL, item_id TEXT NOT NULL,
  decision_id TEXT NOT NULL, findings TEXT NOT NULL, at TEXT NOT NULL, seen INTEGER NOT NULL, content BLOB NOT NULL,
  proposed TEXT, verdict TEXT, PRIMARY KEY (tenant, id)
) STRICT;
CREATE INDEX IF NOT EXISTS held_digest ON held (tenant, digest);
CREATE TABLE IF NOT EXISTS tokens (
  tenant TEXT NOT NULL, token TEXT NOT NULL, entity TEXT NOT NULL, purpose TEXT NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (tenant, token)
) STRICT;
"""
_HELD: Final = "id, digest, scope, item_id, decision_id, findings, at, seen, content, proposed, verdict"

_T = TypeVar("_T")


class SealedStore:
    """A `gateway.ports.Reviews` and `gateway.ports.Vault` in one SQLite file."""

    def __init__(self, path: Path, key: bytes) -> None:
        """
        Open or create the file.

        Args:
            path: of the file.
            key: 32 bytes, kept elsewhere.

        Raises:
            AsideError: it cannot be opened.
        """
        self._cipher = AESGCM(key)
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.executescript(_SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise AsideError("what is kept aside cannot be opened") from error

    async def known(self, tenant: str, digests: Sequence[str]) -> dict[str, list[ReviewFacts]]:
        return await self._do(lambda: self._known(tenant, digests))

    async def hold(self, held: Sequence[Held]) -> None:
        await self._do(lambda: self._hold(held))

    async def held(self, tenant: str) -> list[Held]:
        return await self._do(lambda: self._all_held(tenant))

    async def judge(self, held: Held, act: ReviewAct, *, final: bool) -> None:
        column = "verdict = ?, proposed = NULL" if final else "proposed = ?"
        statement = f"UPDATE held SET {column} WHERE tenant = ? AND id = ?"  # noqa: S608 - constant names
        values = (act.model_dump_json(), held.tenant, held.id)
        await self._do(lambda: self._connection.execute(statement, values))

    async def keep(self, tenant: str, purpose: str, values: Mapping[str, tuple[str, str]]) -> None:
        rows = [
            (tenant, token, entity, purpose, self._seal(value, tenant, token))
            for token, (entity, value) in values.items()
        ]
        insert = "INSERT INTO tokens VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        await self._do(lambda: self._written(insert, rows))

    async def look_up(self, tenant: str, tokens: Sequence[str]) -> dict[str, Secret]:
        return await self._do(lambda: self._look_up(tenant, tokens))

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    async def _do(self, act: Callable[[], _T]) -> _T:
        try:
            return await asyncio.to_thread(self._locked, act)
        except (sqlite3.Error, InvalidTag, ValueError) as error:
            raise AsideError("what is kept aside did not answer") from error

    def _locked(self, act: Callable[[], _T]) -> _T:
        with self._lock:
            return act()

    def _written(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        """All rows in one durable transaction."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany(statement, rows)
            self._connection.execute("COMMIT")
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise

    def _hold(self, held: Sequence[Held]) -> None:
        rows = [
            (
                one.tenant,
                one.id,
                one.digest,
                one.scope.model_dump_json(),
                one.item_id,
                one.decision_id,
                json.dumps(one.findings),
                one.at,
                self._seal(one.content, one.tenant, one.id),
            )
            for one in held
        ]
        self._written(
            "INSERT INTO held (tenant, id, digest, scope, item_id, decision_id, findings, at, seen, content)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT (tenant, id) DO UPDATE SET seen = seen + 1,"
            " decision_id = excluded.decision_id, at = excluded.at",
            rows,
        )

    def _known(self, tenant: str, digests: Sequence[str]) -> dict[str, list[ReviewFacts]]:
        marks = ", ".join("?" * len(digests))
        rows = self._connection.execute(
            f"SELECT digest, id, scope, verdict FROM held WHERE tenant = ? AND digest IN ({marks})"  # noqa: S608 - marks
            " AND verdict NOTNULL ORDER BY id",
            (tenant, *digests),
        ).fetchall()
        found: dict[str, list[ReviewFacts]] = {}
        for digest, name, scope, verdict in rows:
            act = ReviewAct.model_validate_json(verdict)
            facts = ReviewFacts(
                id=name, verdict=act.verdict, scope=ReviewScope.model_validate_json(scope), expires=act.expires
            )
            found.setdefault(digest, []).append(facts)
        return found

    def _all_held(self, tenant: str) -> list[Held]:
        rows = self._connection.execute(
            f"SELECT {_HELD} FROM held WHERE tenant = ? ORDER BY at DESC, id",  # noqa: S608 - constant names
            (tenant,),
        ).fetchall()
        return [
            Held(
                id=name,
                tenant=tenant,
                digest=digest,
                scope=ReviewScope.model_validate_json(scope),
                item_id=item,
                decision_id=decision,
                findings=tuple(json.loads(findings)),
                at=at,
                seen=seen,
                content=self._open(content, tenant, name),
                proposed=ReviewAct.model_validate_json(proposed) if proposed else None,
                verdict=ReviewAct.model_validate_json(verdict) if verdict else None,
            )
            for name, digest, scope, item, decision, findings, at, seen, content, proposed, verdict in rows
        ]

    def _look_up(self, tenant: str, tokens: Sequence[str]) -> dict[str, Secret]:
        found = {}
        for token in tokens:
            row = self._connection.execute(
                "SELECT entity, purpose, value FROM tokens WHERE tenant = ? AND token = ?", (tenant, token)
            ).fetchone()
            if row is not None:
                found[token] = Secret(row[0], row[1], self._open(row[2], tenant, token))
        return found

    def _seal(self, value: str, tenant: str, place: str) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, value.encode(errors="surrogatepass"), _bound(tenant, place))

    def _open(self, sealed: bytes, tenant: str, place: str) -> str:
        plain = self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], _bound(tenant, place))
        return plain.decode(errors="surrogatepass")


def _bound(tenant: str, place: str) -> bytes:
    return json.dumps([tenant, place]).encode()

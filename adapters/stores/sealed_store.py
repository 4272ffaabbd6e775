"""
What is kept aside and can be erased: content set aside for review, what tokens stand for, answers; each value sealed.

Rules held here: those of `adapters.stores.sealing`; a write has reached the disk before the call returns.
"""

import json

from collections.abc import Mapping, Sequence
from typing import Final

from adapters.stores.rows import Rows
from adapters.stores.sealing import Sealing, unsealing
from gateway.model.policy_input import ReviewFacts
from gateway.model.review import ReviewAct, ReviewScope
from gateway.ports.stores import Claim, Held, Secret

SCHEMA: Final = """
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
CREATE TABLE IF NOT EXISTS answers (
  tenant TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL, trace_id TEXT, body BLOB,
  PRIMARY KEY (tenant, name)
) STRICT;
CREATE INDEX IF NOT EXISTS answers_at ON answers (at);
CREATE TABLE IF NOT EXISTS turns (
  tenant TEXT NOT NULL, name TEXT NOT NULL, turn INTEGER NOT NULL, at TEXT NOT NULL, state BLOB NOT NULL,
  PRIMARY KEY (tenant, name, turn)
) STRICT;
CREATE INDEX IF NOT EXISTS turns_at ON turns (at);
CREATE TABLE IF NOT EXISTS used_tokens (name TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS used_tokens_until ON used_tokens (until);
"""
_HELD: Final = "id, digest, scope, item_id, decision_id, findings, at, seen, content, proposed, verdict"


class SealedStore:
    """A `gateway.ports.Reviews`, `gateway.ports.Vault` and `gateway.answers.Answers` over some tables."""

    def __init__(self, rows: Rows, key: bytes) -> None:
        """
        Args:
            rows: the tables.
            key: 32 bytes, kept elsewhere.
        """
        self.sealing = Sealing(key)
        self.rows = rows

    async def known(self, tenant: str, digests: Sequence[str]) -> dict[str, list[ReviewFacts]]:
        return await unsealing(lambda: self._known(tenant, digests))

    async def hold(self, held: Sequence[Held]) -> None:
        await unsealing(lambda: self._hold(held))

    async def held(self, tenant: str) -> list[Held]:
        return await unsealing(lambda: self._all_held(tenant))

    async def judge(self, held: Held, act: ReviewAct, *, final: bool) -> None:
        column = "verdict = ?, proposed = NULL" if final else "proposed = ?"
        statement = f"UPDATE held SET {column} WHERE tenant = ? AND id = ?"  # noqa: S608 - constant names
        values = (act.model_dump_json(), held.tenant, held.id)
        await unsealing(lambda: self.rows.write(statement, [values]))

    async def keep(self, tenant: str, purpose: str, values: Mapping[str, tuple[str, str]]) -> None:
        rows = [
            (tenant, token, entity, purpose, self.sealing.seal(value, tenant, token))
            for token, (entity, value) in values.items()
        ]
        insert = "INSERT INTO tokens VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        await unsealing(lambda: self.rows.write(insert, rows))

    async def look_up(self, tenant: str, tokens: Sequence[str]) -> dict[str, Secret]:
        return await unsealing(lambda: self._look_up(tenant, tokens))

    async def erase(self, tenant: str, decision_ids: Sequence[str]) -> int:
        return await unsealing(lambda: self._erase(tenant, decision_ids))

    def _erase(self, tenant: str, decision_ids: Sequence[str]) -> int:
        delete = "DELETE FROM held WHERE tenant = ? AND decision_id = ?"
        return self.rows.write(delete, [(tenant, decision_id) for decision_id in decision_ids])

    async def claim(self, tenant: str, name: str, claim: Claim, oldest: str) -> Claim | None:
        return await unsealing(lambda: self._claim(tenant, name, claim, oldest))

    def _claim(self, tenant: str, name: str, claim: Claim, oldest: str) -> Claim | None:
        self.rows.write("DELETE FROM answers WHERE at < ?", [(oldest,)])
        insert = (
            "INSERT INTO answers (tenant, name, digest, at, trace_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        )
        if self.rows.write(insert, [(tenant, name, claim.digest, claim.at, claim.trace_id)]):
            return None
        select = "SELECT digest, at, trace_id, body FROM answers WHERE tenant = ? AND name = ?"
        for digest, at, trace_id, body in self.rows.read(select, tenant, name):
            return Claim(digest, at, trace_id, None if body is None else self.sealing.open(body, tenant, name))
        return None

    async def answer(self, tenant: str, name: str, body: str) -> None:
        row = (self.sealing.seal(body, tenant, name), tenant, name)
        await unsealing(lambda: self.rows.write("UPDATE answers SET body = ? WHERE tenant = ? AND name = ?", [row]))

    async def forget(self, tenant: str, person: str) -> int:
        delete = "DELETE FROM answers WHERE tenant = ? AND name LIKE ?"
        return await unsealing(lambda: self.rows.write(delete, [(tenant, f"{person}:%")]))

    async def let_go(self, tenant: str, name: str) -> None:
        delete = "DELETE FROM answers WHERE tenant = ? AND name = ? AND body IS NULL"
        await unsealing(lambda: self.rows.write(delete, [(tenant, name)]))

    def close(self) -> None:
        """Release the tables."""
        self.rows.close()

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
                self.sealing.seal(one.content, one.tenant, one.id),
            )
            for one in held
        ]
        self.rows.write(
            "INSERT INTO held (tenant, id, digest, scope, item_id, decision_id, findings, at, seen, content)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT (tenant, id) DO UPDATE SET seen = held.seen + 1,"
            " decision_id = excluded.decision_id, at = excluded.at",
            rows,
        )

    def _known(self, tenant: str, digests: Sequence[str]) -> dict[str, list[ReviewFacts]]:
        marks = ", ".join("?" * len(digests))
        rows = self.rows.read(
            f"SELECT digest, id, scope, verdict FROM held WHERE tenant = ? AND digest IN ({marks})"  # noqa: S608 - marks
            " AND verdict IS NOT NULL ORDER BY id",
            tenant,
            *digests,
        )
        found: dict[str, list[ReviewFacts]] = {}
        for digest, name, scope, verdict in rows:
            act = ReviewAct.model_validate_json(verdict)
            facts = ReviewFacts(id=name, verdict=act.verdict, scope=json.loads(scope), expires=act.expires)
            found.setdefault(digest, []).append(facts)
        return found

    def _all_held(self, tenant: str) -> list[Held]:
        rows = self.rows.read(
            f"SELECT {_HELD} FROM held WHERE tenant = ? ORDER BY at DESC, id",  # noqa: S608 - constant names
            tenant,
        )
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
                content=self.sealing.open(content, tenant, name),
                proposed=ReviewAct.model_validate_json(proposed) if proposed else None,
                verdict=ReviewAct.model_validate_json(verdict) if verdict else None,
            )
            for name, digest, scope, item, decision, findings, at, seen, content, proposed, verdict in rows
        ]

    def _look_up(self, tenant: str, tokens: Sequence[str]) -> dict[str, Secret]:
        found = {}
        for token in tokens:
            select = "SELECT entity, purpose, value FROM tokens WHERE tenant = ? AND token = ?"
            for entity, purpose, value in self.rows.read(select, tenant, token):
                found[token] = Secret(entity, purpose, self.sealing.open(value, tenant, token))
        return found

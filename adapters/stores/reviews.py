"""Content in quarantine, and what reviewers said of it, in a table beside the ledger; each content sealed."""

import json

from collections.abc import Callable, Sequence
from typing import Final

from adapters.stores.tables import Tables
from adapters.stores.value_cipher import decrypting
from gateway.model.policy_input import ReviewFacts
from gateway.model.review import ReviewAct, ReviewScope, nameless
from gateway.ports.stores import KeptReview, QuarantinedItem

_HELD: Final = "id, digest, scope, item_id, decision_id, findings, at, seen, content, proposed, verdict"


class ReviewTable:
    """A `gateway.ports.stores.Reviews`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def known(self, tenant: str, digests: Sequence[str]) -> dict[str, list[KeptReview]]:
        return await decrypting(lambda: self._known(tenant, digests))

    async def quarantine(self, held: Sequence[QuarantinedItem]) -> None:
        await decrypting(lambda: self._quarantine(held))

    async def quarantined(self, tenant: str) -> list[QuarantinedItem]:
        return await decrypting(lambda: self._all_held(tenant))

    async def judge(self, held: QuarantinedItem, act: ReviewAct, *, final: bool) -> None:
        column = "verdict = ?, proposed = NULL" if final else "proposed = ?"
        statement = f"UPDATE held SET {column} WHERE tenant = ? AND id = ?"  # noqa: S608 - constant names
        values = (act.model_dump_json(), held.tenant, held.id)
        await decrypting(lambda: self._tables.rows.write(statement, [values]))

    async def erase(self, tenant: str, decision_ids: Sequence[str]) -> int:
        return await decrypting(lambda: self._erase(tenant, decision_ids))

    async def forget_officer(self, tenant: str, person: str, stands_for: str) -> int:
        return await decrypting(lambda: self._forget_officer(tenant, person, stands_for))

    def _forget_officer(self, tenant: str, person: str, stands_for: str) -> int:
        # A proposal waits for another officer than the one who made it, which nobody could tell any more.
        return self._rewrite(tenant, person, "proposed", lambda _: None) + self._rewrite(
            tenant, person, "verdict", lambda act: nameless(act, stands_for).model_dump_json()
        )

    def _rewrite(self, tenant: str, person: str, column: str, made: Callable[[ReviewAct], str | None]) -> int:
        select = f"SELECT id, {column} FROM held WHERE tenant = ? AND {column} IS NOT NULL"  # noqa: S608 - constant names
        acts = [(name, ReviewAct.model_validate_json(text)) for name, text in self._tables.rows.read(select, tenant)]
        changed = [(made(act), tenant, name) for name, act in acts if act.is_by(person)]
        update = f"UPDATE held SET {column} = ? WHERE tenant = ? AND id = ?"  # noqa: S608 - constant names
        return self._tables.rows.write(update, changed) if changed else 0

    def _erase(self, tenant: str, decision_ids: Sequence[str]) -> int:
        delete = "DELETE FROM held WHERE tenant = ? AND decision_id = ?"
        return self._tables.rows.write(delete, [(tenant, decision_id) for decision_id in decision_ids])

    def _quarantine(self, held: Sequence[QuarantinedItem]) -> None:
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
                self._tables.own.seal(one.content, one.tenant, one.id, one.person),
            )
            for one in held
        ]
        self._tables.rows.write(
            "INSERT INTO held (tenant, id, digest, scope, item_id, decision_id, findings, at, seen, content)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT (tenant, id) DO UPDATE SET seen = held.seen + 1,"
            # Whose it was last can be told; it goes when they do.
            " decision_id = excluded.decision_id, at = excluded.at, content = excluded.content",
            rows,
        )

    def _known(self, tenant: str, digests: Sequence[str]) -> dict[str, list[KeptReview]]:
        marks = ", ".join("?" * len(digests))
        rows = self._tables.rows.read(
            f"SELECT digest, id, scope, verdict FROM held WHERE tenant = ? AND digest IN ({marks})"  # noqa: S608 - marks
            " AND verdict IS NOT NULL ORDER BY id",
            tenant,
            *digests,
        )
        found: dict[str, list[KeptReview]] = {}
        for digest, name, scope, verdict in rows:
            act = ReviewAct.model_validate_json(verdict)
            facts = ReviewFacts(id=name, verdict=act.verdict, scope=json.loads(scope), expires=act.expires)
            found.setdefault(digest, []).append(KeptReview(facts, act.proof))
        return found

    def _all_held(self, tenant: str) -> list[QuarantinedItem]:
        rows = self._tables.rows.read(
            f"SELECT {_HELD} FROM held WHERE tenant = ? ORDER BY at DESC, id",  # noqa: S608 - constant names
            tenant,
        )
        return [
            QuarantinedItem(
                id=name,
                tenant=tenant,
                digest=digest,
                scope=ReviewScope.model_validate_json(scope),
                item_id=item,
                decision_id=decision,
                findings=tuple(json.loads(findings)),
                at=at,
                seen=seen,
                content=self._tables.own.open(content, tenant, name),
                proposed=ReviewAct.model_validate_json(proposed) if proposed else None,
                verdict=ReviewAct.model_validate_json(verdict) if verdict else None,
            )
            for name, digest, scope, item, decision, findings, at, seen, content, proposed, verdict in rows
        ]

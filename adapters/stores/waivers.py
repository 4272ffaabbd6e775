"""Exceptions on request in a table beside the ledger: what decides when, in columns; all the rest of each, sealed."""

from collections.abc import Mapping
from typing import Any, Final

from adapters.stores.tables import Tables
from adapters.stores.value_cipher import decrypting
from gateway.model.base import person_of
from gateway.ports.waivers import KeptWaiver, State, Waiver

_MOST: Final = 1000
_NO_LIMIT: Final = 2**62
_COLUMNS: Final = "id, body, used, last_used"


class WaiverTable:
    """A `gateway.ports.waivers.Waivers`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def keep(self, waiver: Waiver) -> None:
        await decrypting(lambda: self._keep(waiver))

    async def change(self, waiver: Waiver, before: State) -> bool:
        return await decrypting(lambda: self._change(waiver, before))

    async def all_of(self, tenant: str) -> list[KeptWaiver]:
        where = f"tenant = ? ORDER BY at DESC, id LIMIT {_MOST}"
        return await decrypting(lambda: self._found(where, tenant))

    async def one_of(self, tenant: str, name: str) -> KeptWaiver | None:
        found = await decrypting(lambda: self._found("tenant = ? AND id = ?", tenant, name))
        return found[0] if found else None

    async def in_force(self, tenant: str, now: str) -> list[KeptWaiver]:
        where = f"tenant = ? AND state = 'approved' AND expires > ? ORDER BY id LIMIT {_MOST}"
        return await decrypting(lambda: self._found(where, tenant, now))

    async def spend(self, tenant: str, uses: Mapping[str, tuple[int, int | None]], at: str) -> bool:
        return await decrypting(lambda: self._spend(tenant, uses, at))

    async def forget_person(self, tenant: str, person: str, stands_for: str) -> int:
        return await decrypting(lambda: self._forget(tenant, person, stands_for))

    async def counts(self, now: str, soon: str) -> dict[str, int]:
        return await decrypting(lambda: self._counts(now, soon))

    def _keep(self, waiver: Waiver) -> None:
        row = (waiver.tenant, waiver.id, waiver.state, waiver.asked.at, waiver.expires, self._sealed(waiver))
        insert = "INSERT INTO waivers (tenant, id, state, at, expires, used, body) VALUES (?, ?, ?, ?, ?, 0, ?)"
        self._tables.rows.write(insert, [row])

    def _sealed(self, waiver: Waiver) -> bytes:
        return self._tables.cipher.seal(waiver.model_dump_json(), waiver.tenant, waiver.id)

    def _change(self, waiver: Waiver, before: State) -> bool:
        update = "UPDATE waivers SET state = ?, body = ? WHERE tenant = ? AND id = ? AND state = ?"
        row = (waiver.state, self._sealed(waiver), waiver.tenant, waiver.id, before)
        return self._tables.rows.write(update, [row]) == 1

    def _found(self, where: str, *values: object) -> list[KeptWaiver]:
        tenant = str(values[0])
        rows = self._tables.rows.read(f"SELECT {_COLUMNS} FROM waivers WHERE {where}", *values)  # noqa: S608 - constant names
        return [self._kept(tenant, row) for row in rows]

    def _kept(self, tenant: str, row: tuple[Any, ...]) -> KeptWaiver:
        name, body, used, last_used = row
        waiver = Waiver.model_validate_json(self._tables.cipher.open(body, tenant, name))
        return KeptWaiver(waiver, used, last_used)

    def _spend(self, tenant: str, uses: Mapping[str, tuple[int, int | None]], at: str) -> bool:
        update = (
            "UPDATE waivers SET used = used + ?, last_used = ?"
            " WHERE tenant = ? AND id = ? AND state = 'approved' AND used <= ?"
        )
        # In order of the ids, so that two requests that use the same ones wait for each other and never for ever.
        rows = [
            (count, at, tenant, name, (_NO_LIMIT if most is None else most) - count)
            for name, (count, most) in sorted(uses.items())
        ]
        return self._tables.rows.write(update, rows) == len(rows)

    def _forget(self, tenant: str, person: str, stands_for: str) -> int:
        kept = [one.waiver for one in self._found("tenant = ? ORDER BY id", tenant)]
        who = person_of(person)
        # What stays decides as before: its records commit to a token, a role and a department, and to no name.
        gone = [one for one in kept if _is_for_nobody_else(one, who)]
        named = [one for one in kept if one not in gone and any(act.is_by(who) for act in _acts(one))]
        if gone:
            self._tables.rows.write(
                "DELETE FROM waivers WHERE tenant = ? AND id = ?", [(tenant, one.id) for one in gone]
            )
        if named:
            rows = [(self._sealed(_nameless(one, who, stands_for)), tenant, one.id) for one in named]
            self._tables.rows.write("UPDATE waivers SET body = ? WHERE tenant = ? AND id = ?", rows)
        return len(gone) + len(named)

    def _counts(self, now: str, soon: str) -> dict[str, int]:
        approved = "state = 'approved' AND expires > ?"
        wanted: dict[str, tuple[str, tuple[str, ...]]] = {
            "asked": ("state = 'asked' AND expires > ?", (now,)),
            "in_force": (approved, (now,)),
            "lapsing": (f"{approved} AND expires <= ?", (now, soon)),
            "never_used": (f"{approved} AND used = 0", (now,)),
        }
        read = self._tables.rows.read
        return {
            name: read(f"SELECT count(*) FROM waivers WHERE {where}", *values)[0][0]  # noqa: S608 - constant names
            for name, (where, values) in wanted.items()
        }


def _acts(waiver: Waiver) -> list[Any]:
    return [act for act in (waiver.asked, waiver.approved, waiver.revoked) if act is not None]


def _is_for_nobody_else(waiver: Waiver, who: str) -> bool:
    """Whether nothing is left of it without this person: it is for them alone, or only they speak for it."""
    mine = waiver.beneficiary is not None and person_of(waiver.beneficiary) == who
    return mine or (waiver.state == "asked" and waiver.asked.is_by(who))


def _nameless(waiver: Waiver, who: str, stands_for: str) -> Waiver:
    acts = {"asked": waiver.asked, "approved": waiver.approved, "revoked": waiver.revoked}
    return waiver.model_copy(
        update={name: act.nameless(stands_for) for name, act in acts.items() if act is not None and act.is_by(who)}
    )

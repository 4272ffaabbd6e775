"""
Runs against what the log says of their requests.

Rules held here: a pack enters when all its rulings are in the log or enter before it, and only if it counts them, its root is
over them in their order, and each of its items was released by one of them; nothing is ruled of a request whose pack is sealed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ledger.errors import RulingsMissingError, RunRefusedError
from ledger.intake import reasons
from ledger.intake.reading import Taken
from ledger.store import Store
from ledger.tlog.merkle import leaf_hash, root_hash

USABLE: Final = frozenset({"released", "redacted"})
"""Outcomes of what a pack may hold."""

_RULED: Final = "item.ruled"
_SEALED: Final = "pack.sealed"
_Name = tuple[str, str]
"""Tenant and request id."""


@dataclass(slots=True)
class _Request:
    """What the log says of a request, and what enters with it."""

    sealed: bool = False
    rulings: list[tuple[str, bool, bytes]] = field(default_factory=list)
    """Decision id, whether it may be packed, and leaf hash."""


class Requests:
    """The requests that some runs speak of, as the log has them before an index."""

    def __init__(self, store: Store, end: int, runs: Iterable[Taken]) -> None:
        """Ask the store once for all that the runs need."""
        # Leaves are read for what is sealed now alone: of other requests it is enough to know whether they are sealed.
        spoken = [record for taken in runs for record in taken.records if record["kind"] in {_RULED, _SEALED}]
        sealing = {_name(record) for record in spoken if record["kind"] == _SEALED}
        self._known: dict[_Name, _Request] = {_name(record): _Request() for record in spoken}
        wanted: list[tuple[_Name, str, bool]] = []
        for tenant in sorted({tenant for tenant, _ in self._known}):
            names = sorted(request for of, request in self._known if of == tenant)
            for request, kind, decision, outcome in store.rulings(tenant, names, end):
                if kind == _SEALED:
                    self._known[tenant, request].sealed = True
                elif (tenant, request) in sealing:
                    wanted.append(((tenant, request), decision, outcome in USABLE))
        bodies = store.stored([decision for _, decision, _ in wanted]) if wanted else {}
        for name, decision, usable in wanted:
            self._known[name].rulings.append((decision, usable, leaf_hash(bodies.get(decision, b""))))

    def admit(self, taken: Taken) -> None:
        """
        Take a run in, and what it says with it; a run that is not admitted changes nothing.

        Raises:
            RunRefusedError: it contradicts what is known of a request.

            RulingsMissingError: it seals a pack before all its rulings are there.
        """
        undo: list[tuple[_Request, bool, int]] = []
        try:
            for record, leaf in zip(taken.records, taken.leaves, strict=True):
                if record["kind"] in {_RULED, _SEALED}:
                    request = self._known[_name(record)]
                    undo.append((request, request.sealed, len(request.rulings)))
                    _say(request, record, leaf)
        except (RunRefusedError, RulingsMissingError):
            for request, sealed, count in reversed(undo):
                request.sealed = sealed
                del request.rulings[count:]
            raise


def _name(record: dict[str, Any]) -> _Name:
    return record["tenant"], record["request_id"]


def _say(request: _Request, record: dict[str, Any], leaf: bytes) -> None:
    if record["kind"] == _SEALED:
        _check_pack(record["pack"], request.rulings)
        request.sealed = True
    elif request.sealed:
        raise RunRefusedError(reasons.SEALED)
    else:
        request.rulings.append((record["decision_id"], record["outcome"] in USABLE, leaf))


def _check_pack(pack: dict[str, Any] | None, rulings: Sequence[tuple[str, bool, bytes]]) -> None:
    if pack is None or pack["rulings"] < len(rulings):
        raise RunRefusedError(reasons.PACK)
    if pack["rulings"] > len(rulings):
        raise RulingsMissingError("rulings of a pack are not there yet")
    released = {decision for decision, usable, _ in rulings if usable}
    root = root_hash([leaf for _, _, leaf in rulings]).hex()
    if pack["rulings_root"] != root or not released.issuperset(pack["items"]):
        raise RunRefusedError(reasons.PACK)

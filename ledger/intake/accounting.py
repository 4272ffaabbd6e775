"""
What is stored and not in the log, for whoever verifies: what waits, and what was set aside.

Rules held here: what waits is signed by the log, or is from before runs were signed; what was set aside is set aside under a
signature, and a record says so.
"""

from collections.abc import Container, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from ledger.errors import LedgerCorruptError
from ledger.intake.refusing import recorded_as
from ledger.intake.signing import Keyring, refusal_message, run_message
from ledger.store import Run, SetAside, Store
from ledger.tlog.note import Verifier

_Lane = tuple[str, int]

RECORDED_WITHIN: Final = timedelta(minutes=1)
"""A process sets aside first and records then, so that the others go on at once."""


class Outside:
    """What a ledger holds outside its log."""

    def __init__(self, store: Store, origin: str, keys: Sequence[Verifier]) -> None:
        """Without keys every refusal is believed and no run's signature is checked."""
        self._store = store
        self._keyring = Keyring(origin, lambda: keys) if keys else None
        self._refusals = [one for _, one in store.refused() if self._believed(one)]
        self.lanes: set[_Lane] = {(one.lane, one.epoch) for one in self._refusals if one.code.startswith("RUN-")}
        """Lanes of which something is set aside."""

    def _believed(self, refusal: SetAside) -> bool:
        if self._keyring is None:
            return True
        return self._keyring.signed(refusal.signature, refusal_message(self._keyring.origin, refusal))

    def waiting(self) -> Iterator[Run]:
        """
        Runs that wait to enter the log, in order of their lanes.

        Raises:
            LedgerCorruptError: one is not signed by the log.
        """
        for run in self._runs():
            if (run.lane, run.epoch) in self.lanes:
                continue
            keyring = None if run.signature is None or not run.bodies else self._keyring
            if keyring is not None and not keyring.signed(run.signature, run_message(keyring.origin, run)):
                where = f"the run at record {run.first} of lane {run.lane}/{run.epoch}"
                raise LedgerCorruptError(where, "the log did not sign it")
            yield run

    def aside(self) -> int:
        """How many records are set aside."""
        return sum(len(run.bodies) for run in self._runs() if (run.lane, run.epoch) in self.lanes)

    def _runs(self) -> Iterator[Run]:
        logged: dict[_Lane, int] = {}
        for lane, epoch, _, end, _ in self._store.ranges():
            logged[lane, epoch] = max(end, logged.get((lane, epoch), 0))
        ends: dict[_Lane, int] = {}
        for lane, epoch, _, end in self._store.runs():
            ends[lane, epoch] = max(end, ends.get((lane, epoch), 0))
        for (lane, epoch), end in sorted(ends.items()):
            first = logged.get((lane, epoch), 0)
            if end > first:
                yield from self._store.batches(lane, epoch, first, end)

    def check_recorded(self, decisions: Container[str], newest: str) -> None:
        """
        See that a record says what was set aside.

        Args:
            decisions: ids of all records of the ledger.
            newest: time of the newest of them.

        Raises:
            LedgerCorruptError: none does, although there was time.
        """
        for refusal in self._refusals:
            recorded = any(name in decisions for name in recorded_as(refusal.decision_id))
            if not recorded and _moment(refusal) + RECORDED_WITHIN < datetime.fromisoformat(newest):
                where = f"lane {refusal.lane}/{refusal.epoch}"
                raise LedgerCorruptError(
                    where, f"{refusal.code}: it is set aside from {refusal.first} on, and no record says so"
                )


def _moment(refusal: SetAside) -> datetime:
    """When it was set aside, as its UUIDv7 says."""
    return datetime.fromtimestamp(int(refusal.decision_id.replace("-", "")[:12], 16) / 1000, UTC)

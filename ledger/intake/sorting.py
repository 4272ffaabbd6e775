"""Runs that wait, sorted into those that enter the log now, those that never may, and those that must wait for others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ledger.errors import RulingsMissingError, RunRefusedError
from ledger.intake.packs import Requests
from ledger.intake.reading import Taken, read_run
from ledger.intake.signing import Keyring
from ledger.store import Run, Store

_Lane = tuple[str, int]
"""Replica and epoch."""

_Before = Callable[[str, int, int], bytes | None]
"""Answers the leaf hash before a number of a lane and epoch, where that is in the log; None if it is gone."""


@dataclass(slots=True)
class Sorted:
    """What may be done with runs."""

    taken: list[Taken] = field(default_factory=list)
    refused: dict[_Lane, tuple[Run, str]] = field(default_factory=dict)
    """By lane the first run that may not enter, and the code of why; nothing after it can."""

    held: dict[_Lane, Run] = field(default_factory=dict)
    """By lane the first run that waits for rulings of another lane."""


def sort_runs(runs: Sequence[Run], size: int, store: Store, keyring: Keyring, before: _Before) -> Sorted:
    """
    Sort runs, those of each lane in order, that would enter a log of a size.

    Raises:
        LedgerUnavailableError: the store did not answer.
    """
    found = Sorted()
    readable = _read(runs, keyring, before, found)
    requests = Requests(store, size, readable)
    for one in readable:
        lane = (one.run.lane, one.run.epoch)
        # What was found wrong with a later run of the lane is left for when its turn comes.
        before_it = found.refused.get(lane)
        if lane in found.held or (before_it is not None and before_it[0].first < one.run.first):
            continue
        try:
            requests.admit(one)
            found.taken.append(one)
        except RunRefusedError as error:
            found.refused[lane] = one.run, str(error)
        except RulingsMissingError:
            found.refused.pop(lane, None)
            found.held[lane] = one.run
    return found


def _read(runs: Sequence[Run], keyring: Keyring, before: _Before, found: Sorted) -> list[Taken]:
    readable: list[Taken] = []
    ends: dict[_Lane, tuple[int, bytes]] = {}
    for run in runs:
        lane = (run.lane, run.epoch)
        if lane in found.refused:
            continue
        position, leaf = ends[lane] if lane in ends else (run.first, before(run.lane, run.epoch, run.first))
        try:
            taken = read_run(run, leaf if position == run.first else None, keyring)
        except RunRefusedError as error:
            found.refused[lane] = run, str(error)
            continue
        ends[lane] = run.next, taken.leaves[-1]
        readable.append(taken)
    return readable

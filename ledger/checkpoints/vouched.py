"""
What speaks for a log from outside it: its keys, a trust policy with witnesses, and when these cosigned.

Rules held here, for whoever verifies a store:

1. every checkpoint that is kept is signed by the log, by a key whose turn it was, of its own size, with one root for each size;
2. one is kept of each span of sizes (`ledger.checkpoints.kept`), so that none can be taken out unseen;
3. the newest is signed by a key that comes from outside, where there is one;
4. enough witnesses cosigned one of them, where the trust policy asks for witnesses;
5. no record is dated after it was cosigned, or long before the checkpoints around it.
"""

import heapq

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from ledger.checkpoints.kept import SPAN
from ledger.checks.rotation import bounded, check_signer
from ledger.errors import LedgerCorruptError, NoteInvalidError
from ledger.store import Published, Store
from ledger.tlog.checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from ledger.tlog.note import Verifier, open_note
from ledger.tlog.trust import TrustPolicy

SKEW: Final = timedelta(minutes=5)
"""By how much the clocks of the gateway and of witnesses may differ."""

LATE: Final = timedelta(days=1)
"""How long before the checkpoint before it a record may be dated: a request that is repeated is dated at its first try."""


@dataclass(frozen=True, slots=True)
class Trust:
    """Who is believed about a log, from outside it."""

    policy: TrustPolicy | None = None
    logs: Sequence[Verifier] = ()
    """The log's keys, from a source that the ledger's administrator does not write."""

    witnesses: Sequence[Verifier] = ()
    """One for each witness of the policy."""

    late: timedelta = LATE


NO_TRUST: Final = Trust()


@dataclass(frozen=True, slots=True)
class Vouched:
    """A checkpoint whose signatures hold."""

    checkpoint: Checkpoint
    since: datetime | None
    """Since when enough witnesses vouch for it; None where they do not, or none are asked for."""


def vouched(store: Store, origin: str, keys: Sequence[Verifier], trust: Trust) -> Iterator[Vouched]:
    """
    All checkpoints in the order of their sizes, each held against rules 1 to 3 as it comes; none is held in memory.

    Raises:
        LedgerCorruptError: one of them does not hold, or one is missing.
    """
    newest, turns = store.newest(), bounded(store, keys)
    every = heapq.merge(_spanned(store, newest), newest, key=lambda published: published.size)
    last: Checkpoint | None = None
    for published in every:
        one = _opened(published, origin, keys, trust)
        if turns:
            check_signer(published, turns)
        if last is not None and last.size == one.checkpoint.size and last.root != one.checkpoint.root:
            raise LedgerCorruptError(_where(published), "there are two, with different roots")
        last = one.checkpoint
        yield one
    served = store.published()
    if served is not None and trust.logs:
        try:
            open_checkpoint(served.note, trust.logs)
        except NoteInvalidError as error:
            raise LedgerCorruptError(_where(served), f"by the keys from outside: {error}") from error


def _spanned(store: Store, newest: Sequence[Published]) -> Iterator[Published]:
    """What is kept for good, if one of each span is there, that of the newest included."""
    span = -1
    for published in store.checkpoints():
        _require_next(span, published.size // SPAN - 1)
        span = published.size // SPAN
        yield published
    _require_next(span, newest[-1].size // SPAN if newest else span)


def _require_next(span: int, before: int) -> None:
    if span < before:
        sizes = f"{(span + 1) * SPAN} to {(span + 2) * SPAN - 1}"
        raise LedgerCorruptError("the checkpoints", f"none of {sizes} entries is kept, and one of each span is")


def _opened(published: Published, origin: str, keys: Sequence[Verifier], trust: Trust) -> Vouched:
    try:
        if keys:
            checkpoint, _ = open_checkpoint(published.note, keys)
        else:
            checkpoint = read_checkpoint(published.note)
        stamps = open_note(published.note, trust.witnesses).stamps
    except NoteInvalidError as error:
        raise LedgerCorruptError(_where(published), str(error)) from error
    if (checkpoint.origin, checkpoint.size) != (origin, published.size):
        raise LedgerCorruptError(_where(published), "it is another's, or kept under another size")
    since = trust.policy.since(stamps) if trust.policy is not None else None
    try:
        return Vouched(checkpoint, None if since is None else datetime.fromtimestamp(since, UTC))
    except (ValueError, OverflowError, OSError) as error:
        raise LedgerCorruptError(_where(published), "it was cosigned at no time that there is") from error


def _where(published: Published) -> str:
    return f"the checkpoint of {published.size} entries"


@dataclass(slots=True)
class Times:
    """Holds the times that records claim against those at which the checkpoints around them were cosigned."""

    late: timedelta = LATE
    newest: Vouched | None = None
    """The newest checkpoint that enough witnesses vouch for."""

    _low: tuple[str, int] | None = None
    _high: tuple[str, int] | None = None
    _last: datetime | None = field(default=None)

    def take(self, index: int, at: str) -> None:
        """The time of an entry."""
        self._low = min(self._low or (at, index), (at, index))
        self._high = max(self._high or (at, index), (at, index))

    def meet(self, one: Vouched) -> None:
        """
        A checkpoint over all entries so far.

        Raises:
            LedgerCorruptError: an entry is dated after it was cosigned, or long before.
        """
        if one.since is None:
            return
        if self._low is not None and self._high is not None:
            floor = (self._last or one.since) - self.late
            if self._high[0] > _text(one.since + SKEW):
                raise LedgerCorruptError(
                    f"entry {self._high[1]}", f"it is dated {self._high[0]}, after it was cosigned"
                )
            if self._low[0] < _text(floor):
                raise LedgerCorruptError(
                    f"entry {self._low[1]}",
                    f"it is dated {self._low[0]}, and no checkpoint before {_text(one.since)} bears that out",
                )
        self._low = self._high = None
        self._last = max(self._last or one.since, one.since)
        self.newest = one

    def require_witnessed(self, trust: Trust) -> None:
        """
        Raises:
            LedgerCorruptError: the policy asks for witnesses, and of no checkpoint there are enough.
        """
        if trust.policy is not None and trust.policy.asks_witnesses and self.newest is None:
            raise LedgerCorruptError(
                "the checkpoints", "none is cosigned by as many witnesses as the trust policy asks"
            )


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

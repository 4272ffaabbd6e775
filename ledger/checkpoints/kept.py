"""
Which checkpoints are kept for good.

A log signs up to two a second, and each covers all before it, so most need not be kept.  The rule, which `FORMAT.md` has for
verifiers: of each span of `SPAN` sizes the first that is published; and of each hour, by the times of its cosignatures, the
first with more cosignatures than any before it.  So any tree that was ever shown is held against one not much larger, and
the time of any record is bound by cosignatures at most an hour apart while witnesses answer.
"""

import itertools

from collections.abc import Iterable
from typing import Final

from ledger.store import Published
from ledger.tlog.note import parse

SPAN: Final = 65_536
"""Sizes of which one checkpoint is kept."""

HOUR: Final = 3600

LOOKED_AT: Final = 50
"""How many of those that were kept last the rule looks at."""

_STAMPED: Final = 8 + 64
"""Bytes of a witness's signature: a time and an Ed25519 signature; a log's has no time."""


def cosigned_at(note: str) -> list[int]:
    """
    When witnesses say that they cosigned a checkpoint, in seconds since 1970, unchecked.

    Raises:
        NoteInvalidError: it is not a signed note.
    """
    return [int.from_bytes(one.signature[:8]) for one in parse(note)[1] if len(one.signature) == _STAMPED]


def is_kept(size: int, note: str, before: Iterable[Published]) -> bool:
    """
    Whether a checkpoint is one to keep, after those that were kept before.

    Args:
        size: of the tree.
        note: the checkpoint as it is published.
        before: the last `LOOKED_AT` of those that are kept, in any order.

    Raises:
        NoteInvalidError: one of them is not a signed note.
    """
    kept = list(before)
    if all(one.size // SPAN != size // SPAN for one in kept):
        return True
    stamps = cosigned_at(note)
    hour = max(stamps, default=0) // HOUR
    same = [len(other) for other in (cosigned_at(one.note) for one in kept) if max(other, default=0) // HOUR == hour]
    return len(stamps) > max(same, default=0)


def crosses(old: int, new: int) -> bool:
    """Whether a log that grew has come to another span, the first included, so that it needs a checkpoint there."""
    return old == 0 or old // SPAN != new // SPAN


def in_one_step(counts: Iterable[int]) -> int:
    """How many runs of so many records a log may take at once, so that it passes no span without a checkpoint; one in any case."""
    return max(1, sum(size <= SPAN // 2 for size in itertools.accumulate(counts)))

"""Which invariants of the bundle that decides a candidate does without: whoever activates it acknowledges these, as they do cases."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gateway.errors import BundleInvalidError
from gateway.policy.bundle import read_table
from gateway.policy.vetting.words import members
from gateway.workbench.case_changes import CaseChange
from gateway.workbench.proving.invariants import FILE

_FOR_READERS: Final = ("id", "title", "says", "control", "owner")
"""Words of an invariant that say nothing of what it holds."""


def invariants_gone(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[CaseChange]:
    """
    Invariants of *old* that *new* does not have, or that say something else there; a stricter one is told of as well.

    Args:
        old: the checks of the bundle that decides, by file.
        new: those of the candidate.
    """
    before, after = _listed(old), _listed(new)
    if before is None:
        message = "the invariants cannot be read any more, so that nobody can tell whether they are kept."
        yield CaseChange(kind="changed", file=FILE, case="all", message=message)
    for name, said in (before or {}).items():
        now = (after or {}).get(name)
        if now is None:
            yield CaseChange(kind="removed", file=FILE, case=name, message="nothing proves this invariant any more.")
        elif now != said:
            yield CaseChange(kind="changed", file=FILE, case=name, message="the invariant says something else now.")


def _listed(files: Mapping[str, bytes]) -> dict[str, dict[str, Any]] | None:
    """What each invariant says, by its id; None where the file cannot be read."""
    if FILE not in files:
        return {}
    try:
        listed = read_table(FILE, files[FILE]).get("invariants")
    except BundleInvalidError:
        return None
    ones = (one for _, one in members(listed) if isinstance(one, dict))
    return {
        str(one.get("id"))[:20]: {word: what for word, what in one.items() if word not in _FOR_READERS} for one in ones
    }

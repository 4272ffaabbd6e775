"""
Members of lists that are there because a formula says so.

What is asked about one bundle is asked in several questions, one deeper than the other; a member has the same name in each of
them, so that what is said of it is written once.
"""

from functools import lru_cache
from itertools import count
from typing import Final
from weakref import WeakKeyDictionary

from gateway.workbench.proving.formulas.terms import Index, Term, replaced

_KEPT: Final = 30_000
"""Formulas about single members that are kept, at most."""

_numbers: Final = count(1)
_numbered: Final[WeakKeyDictionary[Term, int]] = WeakKeyDictionary()


def member_for(one: Term) -> Index:
    """The member of its own that a formula gets which says that one exists; no other formula has it."""
    if one not in _numbered:
        _numbered[one] = next(_numbers)
    return Index(one.args[0].path, -_numbered[one])


@lru_cache(maxsize=_KEPT)
def said_of(one: Term, member: Index) -> Term:
    """What a formula that says that a member exists says of one member."""
    found: Term = replaced(one.args[1], {one.args[0]: member})
    return found

"""Which name was meant, where one is given that there is not."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_LONGEST: Final = 60
_MOST_LISTED: Final = 12
_MOST_COMPARED: Final = 500
"""With how many names one that is wrong is compared: each comparison costs, and whoever sends a bundle chooses how many there are."""


def hint(name: object, known: Iterable[str]) -> str:
    """Which name was meant, or what there is to choose from."""
    names = sorted(known)
    text = str(name)[:_LONGEST]
    folded = {one.casefold(): one for one in names}
    # Letters in another order are the commonest slip, and as far off as two wrong ones to the comparison.
    turned = {"".join(sorted(one.casefold())): one for one in names}
    close = folded.get(text.casefold()) or turned.get("".join(sorted(text.casefold())))
    close = close or next(iter(get_close_matches(text, names[:_MOST_COMPARED], 1, 0.7)), None)
    if close:
        return f"Did you mean {close}?"
    rest = "" if len(names) <= _MOST_LISTED else ", …"
    return f"There are {', '.join(names[:_MOST_LISTED])}{rest}." if names else "There is none."

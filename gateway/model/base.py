"""What all models share, and the small types of the wire."""

import re
import unicodedata

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ledger.canonical import jcs
from ledger.erasable import commit

TrustClass = Literal["TRUSTED", "UNTRUSTED"]
Outcome = Literal["released", "redacted", "quarantined", "denied", "dropped"]


class Model(BaseModel):
    """Frozen, and refuses what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


def _instant(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min  # noqa: DTZ901 - refused just below
    if moment.tzinfo is None:
        msg = "must be an RFC 3339 time with an offset"
        raise ValueError(msg)
    return text


def _day(text: str) -> str:
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    msg = "must be a date as YYYY-MM-DD"
    raise ValueError(msg)


Instant = Annotated[str, Field(max_length=40), AfterValidator(_instant)]
"""RFC 3339 time with offset."""

Day = Annotated[str, Field(max_length=10), AfterValidator(_day)]
"""Calendar day, YYYY-MM-DD."""

HIDDEN_CHARACTERS: Final = "hidden_characters"
"""Type of the problem that a label with such characters is."""

_HIDDEN: Final = r"\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_TAGS: Final = r"\U000e0000-\U000e007f"
_SEEN: Final = re.compile(f"[^{_HIDDEN}{_TAGS}]*")


def one_visible_line(text: str) -> str:
    """
    The text, if nobody could hide words in it or break out of its line.

    Raises:
        PydanticCustomError: it holds control, bidirectional, tag or line-separator characters.
    """
    if _SEEN.fullmatch(text) is None:
        raise PydanticCustomError(
            HIDDEN_CHARACTERS, "must not hold control, bidirectional, tag or line-separator characters"
        )
    return text


Name = Annotated[
    str,
    Field(min_length=1, max_length=200, json_schema_extra={"pattern": f"^[^{_HIDDEN}]*$"}),
    AfterValidator(one_visible_line),
]
"""A short identifier or label in one line that people can see, so that it says nothing else to whoever reads it after them."""

BankWord = Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z][A-Za-z0-9_.-]*$")]
"""
A word of the bank's vocabulary: a section, a kind of source, a classification, a jurisdiction.

Which words there are is the bundle's to say; the form alone is the gateway's, so that no word can hold a sentence.
"""

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of characters that nobody sees, or that change how others are shown."""


_BLANK: Final = frozenset(
    map(
        chr,
        (
            *(0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
        ),
    )
)
"""Letters, marks and signs that nobody sees either: fillers, joiners and selectors (Unicode, Default_Ignorable_Code_Point)."""


def seen(character: str) -> bool:
    """Whether people see a character, and it leaves others as they are shown."""
    return unicodedata.category(character) not in _INVISIBLE and character not in _BLANK


def person_of(identity: str) -> str:
    """
    What persons are compared by: the identity without what only changes how it is written, and without a tenant.

    Compatibility forms, case, white space and invisible characters are gone (Unicode, NFKC and case folding).  Two identities
    that differ in these alone are one person wherever two persons are needed, so that the mistake this can make is to ask for
    a third one.
    """
    text = identity
    # What is taken out may have stood between a letter and its mark, and folding may undo normal form: a second time settles it.
    for _ in range(2):
        folded = unicodedata.normalize("NFKD", text).casefold()
        text = unicodedata.normalize("NFKC", "".join(one for one in folded if seen(one) and not one.isspace()))
    return text


def name_problem(name: str, *, exact: bool = False) -> str | None:
    """
    Why a person or a tenant cannot be called this; None where it can.

    Args:
        name: as a token says it.
        exact: whether it is compared letter for letter, so that it must have one spelling (NFKC).
    """
    if not any(map(str.isalnum, name)):
        return "has no letter and no digit; such names are reserved"
    if name != name.strip():
        return "begins or ends with white space"
    if not all(map(seen, name)):
        return "has characters that are not seen, or that change how others are shown"
    if exact and unicodedata.normalize("NFKC", name) != name:
        return "is not in normal form (NFKC), so that it looks like another name"
    return None


def utc_text(moment: datetime) -> str:
    """A moment as the ledger and policy see it: UTC with microseconds and Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


Clock = Callable[[], datetime]


class RecordProof(Model):
    """The record that says the same as what this is kept with, and the salt of its commitment."""

    record: str
    """Decision id."""

    salt: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """32 bytes in hex, which go with what this is kept with."""

    def commitment(self, said: object) -> str:
        """What the record commits to, if it was made for exactly this."""
        return commit(bytes.fromhex(self.salt), jcs(said))

"""What detectors look at, what they find, and what is to be changed."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from gateway.model.base import Model


@dataclass(frozen=True, slots=True)
class Leaf:
    """One piece of text within an item: all of a text, or one value of a JSON document."""

    text: str
    path: str = ""
    """JSON Pointer of the value; empty for a text."""

    key: str = ""
    """Name of the field that holds the value, or the nearest one above it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of text to change, in code points, and how."""

    start: int
    end: int
    type: str
    operator: str


class Finding(Model):
    """What a detector saw.  Never the text itself."""

    kind: Literal["pii", "injection"]
    type: str
    """Entity type, such as SG_NRIC_FIN, or the name of the rule."""

    score: Annotated[float, Field(ge=0, le=1)]
    start: int
    """Offset in code points into the text of the leaf, inclusive."""

    end: int
    """Offset in code points, exclusive."""

    detector: str
    via: str = "text"
    """How it was seen: as plain text, by a field's name, or in a decoded view."""

    path: str = ""
    """JSON Pointer (RFC 6901) of the leaf; empty for text."""

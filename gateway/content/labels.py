"""
Names as texts: what stands in labels and in the names of members, beside what they name.

A plain reference, such as `SOP-ORM-014` or `inc-2026-0311`, says nothing and costs nothing; what has words enough to tell
somebody something, or digits enough to be somebody's, is looked at like any other text.
"""

import re

from collections.abc import Iterable
from typing import Final

from gateway.model import Candidate
from gateway.model.content import Leaf

MEDIA_TYPE: Final = "media_type"
METADATA: Final = "metadata"

_PROVENANCE: Final = ("source_id", "version", "owner", "domain", "entity_id", "doc_section", "corpus")
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}(?![a-z])")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINED: Final = re.compile(r"[\s_.:/#|+~-]+")
_BRACKET: Final = re.compile(r"[<\[(]")
"""Begins all that acts where it is rendered."""

_LEAST_WORDS: Final = 3
"""No instruction has fewer."""

_LEAST_DIGITS: Final = 6
"""No identifier of a person that policy knows has fewer."""


def labels_of(item: Candidate) -> dict[str, str]:
    """The labels of an item that reach a prompt or a record and are words of somebody else, by name."""
    source = item.provenance
    named = {"id": item.id, MEDIA_TYPE: item.media_type, **{name: getattr(source, name) for name in _PROVENANCE}}
    beside = {f"labels.{name}": value for name, value in (source.labels or {}).items()}
    # Names too: nobody declares those of metadata, and both come back in the pack.
    kept = {f"{METADATA}.{at}": f"{name}: {value}" for at, (name, value) in enumerate((item.metadata or {}).items())}
    return {name: value for name, value in {**named, **beside, **kept}.items() if isinstance(value, str)}


def speaks(name: str) -> bool:
    """Whether a name has words enough to instruct somebody; a script without spaces always may, and so may markup."""
    return not name.isascii() or len(_WORD.findall(name)) >= _LEAST_WORDS or bool(_BRACKET.search(name))


def identifies(name: str) -> bool:
    """Whether a name may be, or hold, that of a person or a number of one."""
    return not name.isascii() or "@" in name or sum(c.isdigit() for c in name) >= _LEAST_DIGITS or _people(name)


def _people(name: str) -> bool:
    """Whether two words in capitals are in it, as in the name of a person."""
    return bool(sum(word[:1].isupper() and len(word) > 1 and not word.isupper() for word in _WORD.findall(name)) > 1)


def worded(name: str) -> str:
    """A name as the sentence that it may be read as: `ignoreAll_previous-instructions` is "ignore All previous instructions"."""
    words = _JOINED.sub(" ", _HUMP.sub(" ", name)).split()
    # A code in capitals would pass for a name: `agent:DESK_ANALYST` is nobody.
    return " ".join(word.lower() if word.isupper() else word for word in words)


def as_leaves(name: str, path: str = "") -> list[Leaf]:
    """A name as it is written, and as it may be read where that differs."""
    read = worded(name)
    return [Leaf(name, path), *([Leaf(read, path)] if read != name else [])]


def telling(names: Iterable[str]) -> list[str]:
    """Those that say something, each once, in order."""
    return [name for name in dict.fromkeys(names) if speaks(name) or identifies(name)]

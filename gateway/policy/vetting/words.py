"""
Where the words of the bank stand, each in the one table that says what it means.

A jurisdiction is one because `context/jurisdiction` says which law governs there, a source type because `context/trust` says how
far it is believed: a list beside these tables could only disagree with them.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gateway.model.words.vocabulary import SHIPPED
from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.places import Path
from gateway.policy.vetting.slips import Slip

KEYS: Final = "@"
"""At the end of a path: the words are the keys there."""

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "jurisdiction": ("context/jurisdiction/jurisdictions/@", "context/jurisdiction/group_wide"),
    "source type": ("context/trust/sources/@", "context/trust/never_allowed/*"),
    "classification": ("context/classification/levels/@",),
    "role": ("context/entitlement/clearance/@",),
    "department": ("context/entitlement/department_domains/@",),
    "section": ("registry/vocabulary/sections/*/name",),
}
"""By kind of word, the entries that define one."""

_LONGEST: Final = 64
_OF_TOKENS: Final = frozenset({"role", "department"})
"""Kinds whose words are what the trust layer says, in its own form."""

_FIELDS: Final = {
    "jurisdictions": "jurisdiction",
    "source_types": "source type",
    "classifications": "classification",
    "roles": "role",
    "departments": "department",
}


def defined(data: object) -> dict[str, tuple[str, ...]]:
    """The words that a bundle's tables define, by kind, in the order of the tables; classifications by their rank."""
    found = {kind: tuple(_words(data, paths)) for kind, paths in TABLES.items()}
    ranks: Any = at(data, "context/classification/levels") or {}
    if all(isinstance(ranks[name], int) for name in found["classification"]):
        found["classification"] = tuple(sorted(found["classification"], key=lambda name: ranks[name]))
    if at(data, "registry/vocabulary/sections") is None:
        found["section"] = tuple(section.name for section in SHIPPED)
    return found


def words_of(data: object) -> dict[str, object]:
    """The words as fields of `gateway.model.words.vocabulary.Vocabulary`, but for those that its own table holds."""
    words = defined(data)
    everywhere = at(data, "context/jurisdiction/group_wide")
    return {
        **{field: words[kind] for field, kind in _FIELDS.items()},
        "group_wide": everywhere if isinstance(everywhere, str) else None,
    }


def undefinable(data: object) -> Iterator[Slip]:
    """Entries that define a word and cannot be one: `NO` without quotes is a no, not Norway."""
    for kind, paths in TABLES.items():
        for pattern in paths:
            for path, word, key in entries_at(data, tuple(pattern.split("/")), ()):
                if not (isinstance(word, str) and (kind in _OF_TOKENS or _is_word(word))):
                    shown = (
                        str(word)[:_LONGEST] if isinstance(word, str) else f"`{str(word)[:20].lower()}` without quotes"
                    )
                    yield Slip(path, f"{shown} can be no {kind}.", _FORM, key=key)


def unspoken(data: object) -> Iterator[Slip]:
    """Ages for what a label cannot say: they would bind nothing, for ever."""
    above = ("context", "freshness", "longest_days", "by_label")
    for label, ages in members(at(data, "/".join(above))):
        words = at(data, f"registry/vocabulary/labels/{label}/words")
        for word, _ in members(ages) if isinstance(words, list) else ():
            if word not in words:
                yield Slip((*above, label, word), f"the label {label} never says {word}.", hint(word, words), key=True)


def unguarded(data: object) -> Iterator[Slip]:
    """Sections that stand among the instructions of a prompt, and that policy would let anybody's text into."""
    guarded = at(data, "context/trust/instructing_sections")
    for index, row in members(at(data, "registry/vocabulary/sections")):
        if isinstance(row, dict) and row.get("layer") == "L1" and row.get("name") not in (guarded or ()):
            yield Slip(
                ("registry", "vocabulary", "sections", index, "layer"),
                "a section of the layer L1 instructs the model.",
                "Name it in `instructing_sections` of context/trust/data.yaml too, or give it the layer L3.",
            )


_FORM: Final = (
    "A word begins with a letter, has letters, digits, `_`, `-` and `.` alone, 64 at most; write `NO` with quotes."
)


def _is_word(text: str) -> bool:
    plain = text.replace("_", "").replace("-", "").replace(".", "")
    return text.isascii() and text[:1].isalpha() and plain.isalnum() and len(text) <= _LONGEST


def _words(data: object, paths: tuple[str, ...]) -> Iterator[str]:
    words = (word for pattern in paths for _, word, _ in entries_at(data, tuple(pattern.split("/")), ()))
    yield from dict.fromkeys(word for word in words if isinstance(word, str))


def entries_at(data: object, pattern: Path, path: Path) -> Iterator[tuple[Path, object, bool]]:
    """What stands where a pattern says: its path, itself, and whether it is a key; `*` stands for every row."""
    if not pattern:
        yield path, data, False
    elif pattern == (KEYS,):
        yield from (((*path, str(key)), key, True) for key in (data if isinstance(data, dict) else ()))
    elif pattern[0] == "*":
        for step, member in members(data):
            yield from entries_at(member, pattern[1:], (*path, step))
    elif isinstance(data, dict) and pattern[0] in data:
        yield from entries_at(data[pattern[0]], pattern[1:], (*path, pattern[0]))


def members(value: object) -> list[tuple[str, object]]:
    """What a map or a list holds, by key or index; nothing of anything else."""
    if isinstance(value, dict):
        return [(str(key), member) for key, member in value.items()]
    return [(str(index), member) for index, member in enumerate(value)] if isinstance(value, list) else []


def at(data: object, path: str) -> Any:  # noqa: ANN401 - a table
    """What stands at a path of keys; None where nothing does."""
    value: Any = data
    for step in path.split("/"):
        value = value.get(step) if isinstance(value, dict) else None
    return value

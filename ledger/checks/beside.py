"""
What is kept beside the log, held against it: names behind tokens, and sealed sides of records.

Rules checked:

1. a token stands for one person: all its records commit to the same one, whose name and salt are those that are kept;
2. a name is gone only where its erasure is on record;
3. a record that commits to something of its own has its sealed side, for its own token, until that person is erased.

The third is the manifest of evidence: which records have a sealed side follows from what they say (`keeps_aside`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ledger.erasable import commit_person
from ledger.errors import LedgerCorruptError
from ledger.record import SCHEMA
from ledger.store import Store

_SEALED_WITH: Final = {
    "request.opened",
    "item.ruled",
    "pack.sealed",
    "citation.verified",
    "shadow.disagreed",
    "ledger.read",
    "erasure",
    "erasure.reviewed",
    "key.rotated",
    "lane.opened",
}
"""Kinds whose commitments are under salts of their own; others repeat those of a ruling, or keep their salts elsewhere."""

_BATCH: Final = 1000


def keeps_aside(record: Mapping[str, Any]) -> bool:
    """Whether a record has a sealed side, until its person is erased; of the first schema that cannot be told."""
    if record["schema"] != SCHEMA or record["kind"] not in _SEALED_WITH:
        return False
    return bool(record["item"] or record["pack"] or (record["policy"] or {}).get("input_commitment"))


@dataclass(slots=True)
class Beside:
    """Takes every record of a ledger, and says at the end whether what is beside them fits."""

    store: Store
    _persons: dict[str, str | None] = field(default_factory=dict)
    """By token: what its records commit to; None while none does."""

    _erased: set[str] = field(default_factory=set)
    _bare: dict[str, str] = field(default_factory=dict)
    """By token: the first record whose sealed side is gone."""

    _due: list[tuple[str, str, str]] = field(default_factory=list)
    """Records whose sealed sides are not looked for yet: decision id, token, and where they stand."""

    def take(self, where: str, record: Mapping[str, Any]) -> None:
        """
        One more record.

        Raises:
            LedgerCorruptError: its token stands for two persons, or what is sealed with it is another's.
        """
        if record["kind"] == "erasure" and record["item"]:
            self._erased.add(record["item"]["id"])
        token, said = record["subject"], record.get("person")
        if token is None:
            return
        if said is not None and self._persons.get(token) not in {None, said}:
            raise LedgerCorruptError(where, "its token stands for another person in a record before it")
        self._persons[token] = said or self._persons.get(token)
        if keeps_aside(record):
            self._due.append((record["decision_id"], token, where))
            if len(self._due) == _BATCH:
                self._look()

    def close(self) -> None:
        """
        All records were taken.

        Raises:
            LedgerCorruptError: a name is another's, or gone; or a sealed side is gone; and nobody was erased.
        """
        self._look()
        kept = set[str]()
        for one in self.store.named():
            kept.add(one.token)
            said = self._persons.get(one.token)
            if said is not None and said != commit_person(one.salt, one.tenant, one.subject):
                raise LedgerCorruptError(f"the person behind {one.token}", "the records commit to another name")
        for token, where in self._bare.items():
            if token not in self._erased:
                raise LedgerCorruptError(where, "its sealed side is gone, and no erasure of its person is on record")
        for token in self._persons:
            if token not in kept and token not in self._erased:
                raise LedgerCorruptError(f"the person behind {token}", "the name is gone, and no erasure is on record")

    def _look(self) -> None:
        found = self.store.beside([decision_id for decision_id, _, _ in self._due])
        for decision_id, token, where in self._due:
            owner = found.get(decision_id)
            if owner is None:
                self._bare.setdefault(token, where)
            elif owner != token:
                raise LedgerCorruptError(where, "what is sealed with it is under another person's key")
        self._due.clear()

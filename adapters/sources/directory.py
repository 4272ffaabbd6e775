"""
Items from a folder of JSON files, one file per entity: for systems of record that export to disk.

A file ``<folder>/<entity id>.json`` holds a list of items as on the wire.  A missing file is an empty
answer: there is nothing about this entity.
"""

import asyncio

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from gateway.content.parsing import parse_json
from gateway.errors import BodyError, SourceMalformedError, SourceUnavailableError
from gateway.model import Candidate, SourceEntry

_DEEPEST: Final = 64
"""Levels of what a source answers, at most."""

_ITEMS: Final = TypeAdapter(tuple[Candidate, ...])


class DirectorySource:
    """A `gateway.ports.Source` on disk."""

    def __init__(self, entry: SourceEntry, root: Path) -> None:
        self._entry = entry
        self._folder = root / entry.location

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def fetch(self, filters: Mapping[str, Any], query: str | None) -> Sequence[Candidate]:
        entity = filters.get("entity")
        if not entity:
            return []
        return await asyncio.to_thread(self._read, str(entity["id"]))

    def _read(self, entity_id: str) -> Sequence[Candidate]:
        path = self._folder / f"{entity_id}.json"
        if path.parent != self._folder:
            raise SourceMalformedError(f"source {self._entry.id} has no entity of that name")
        try:
            body = path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise SourceUnavailableError(f"source {self._entry.id} cannot be read") from error
        return parse_items(body, self._entry.id)


def parse_items(body: bytes, source: str) -> Sequence[Candidate]:
    """
    A list of items as on the wire.

    Raises:
        SourceMalformedError: the bytes are something else.
    """
    try:
        # As strictly as a caller's: what has no canonical form could be neither signed nor put on record.
        return _ITEMS.validate_python(parse_json(body, depth=_DEEPEST))
    except (BodyError, ValidationError) as error:
        raise SourceMalformedError(f"source {source} answered with something that is not items") from error

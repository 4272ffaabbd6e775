"""Items from a folder of JSON files."""

import json

import pytest

from adapters.sources.directory import DirectorySource
from gateway.errors import (
    SourceMalformedError,
    SourceUnavailableError,
)
from gateway.model import SourceEntry

ITEM = {"id": "a", "section": "entity", "content": {"x": 1}}


def entry(kind, location, **changes):
    fields = {"domains": ["NPA"], "sections": ["entity"], "critical": True, "timeout_seconds": 1.0}
    return SourceEntry.model_validate({"id": "s", "kind": kind, "location": location, **fields, **changes})


class TestDirectorySource:
    FILTERS = {"entity": {"type": "project", "id": "NPA-1"}}

    async def test_items_of_an_entity(self, tmp_path):
        """
        One file per entity; a missing file is an empty answer, and so is a request without an entity.
        """
        (tmp_path / "npa").mkdir()
        (tmp_path / "npa/NPA-1.json").write_text(json.dumps([ITEM]))
        source = DirectorySource(entry("directory", "npa"), tmp_path)
        assert [item.id for item in await source.fetch(self.FILTERS, None)] == ["a"]
        assert await source.fetch({"entity": {"type": "project", "id": "NPA-2"}}, None) == []
        assert await source.fetch({"entity": None}, None) == []

    @pytest.mark.parametrize(
        "value", ["NaN", "1e999", "9007199254740995", '{"a": 1, "a": 2}', "[" * 100 + "]" * 100, '"\\ud800"']
    )
    async def test_what_has_no_canonical_form_is_no_answer(self, tmp_path, value):
        """
        A source that answers with a value that could not be put on record gave no items.
        """
        (tmp_path / "npa").mkdir()
        (tmp_path / "npa/NPA-1.json").write_text(f'[{{"id": "a", "section": "entity", "content": {{"x": {value}}}}}]')
        source = DirectorySource(entry("directory", "npa"), tmp_path)
        with pytest.raises(SourceMalformedError):
            await source.fetch(self.FILTERS, None)

    @pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b"])
    async def test_an_entity_cannot_leave_the_folder(self, tmp_path, name):
        """
        An entity id is a name, not a path.
        """
        (tmp_path / "secret.json").write_text(json.dumps([ITEM]))
        source = DirectorySource(entry("directory", "npa"), tmp_path)
        with pytest.raises(SourceMalformedError):
            await source.fetch({"entity": {"type": "project", "id": name}}, None)

    async def test_nonsense(self, tmp_path):
        """
        A file that does not hold items, or cannot be read, is an error.
        """
        (tmp_path / "npa").mkdir()
        (tmp_path / "npa/NPA-1.json").write_text('{"not": "items"}')
        (tmp_path / "npa/NPA-2.json").mkdir()
        source = DirectorySource(entry("directory", "npa"), tmp_path)
        with pytest.raises(SourceMalformedError):
            await source.fetch(self.FILTERS, None)
        with pytest.raises(SourceUnavailableError):
            await source.fetch({"entity": {"type": "project", "id": "NPA-2"}}, None)

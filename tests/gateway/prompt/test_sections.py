"""Items by the sections that a bundle lists."""

import shutil

import pytest

from gateway.bootstrap.gateway import running
from gateway.model.words.vocabulary import Vocabulary
from gateway.prompt.sections import by_section
from gateway.settings import HOME
from tests.support.clock import NOW
from tests.support.requests import asked


def test_items_come_in_the_order_of_a_pack():
    """
    Sections come in the table's order, items of one section in their own, and empty sections not at all.
    """
    found = by_section([("user", 1), ("knowledge", 2), ("system", 3), ("knowledge", 4)], Vocabulary())
    assert [(section.name, items) for section, items in found] == [
        ("system", [3]),
        ("knowledge", [2, 4]),
        ("user", [1]),
    ]


def test_an_item_of_a_section_that_is_listed_no_more_is_not_lost():
    """
    What a session brings from a bundle that had another section stands after all others, and what it brings stays in the pack.
    """
    found = by_section([("annex", 1), ("user", 2)], Vocabulary())
    assert [(section.name, items) for section, items in found] == [("user", [2]), ("annex", [1])]


@pytest.mark.parametrize(
    ("old", "new", "first"),
    [
        ("name: knowledge, layer: L3, reading_order: 6", "name: knowledge, layer: L3, reading_order: 0", "knowledge"),
        ("name: entity, layer: L3, reading_order: 3", "name: entity, layer: L3, reading_order: 3", "entity"),
    ],
)
async def test_the_table_says_where_items_stand(settings, small, subject, tmp_path, old, new, first):
    """
    Officers who give a section another reading order find its items elsewhere in the prompt.
    """
    folder = tmp_path / "policies"
    shutil.copytree(HOME / "policies", folder)
    table = folder / "registry/vocabulary/data.yaml"
    assert old in table.read_text()
    table.write_text(table.read_text().replace(old, new))
    async with running(settings.model_copy(update={"policies_dir": folder}), clock=lambda: NOW) as gateway:
        pack = await gateway.pipeline.assemble(asked(small, subject))
    [layer] = [one for one in pack.envelope.layers if one.layer == "L3"]
    sections = {item.id: section.type for section in pack.sections for item in section.items}
    assert next(sections[one.item_id] for one in layer.segments if one.item_id) == first

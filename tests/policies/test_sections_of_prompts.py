"""Where a section stands in a prompt, and whether its items are compared, is what its row of the table says."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

import pytest

from gateway.model.content import content_digest
from gateway.policy.bundle import Bundle, load_bundle
from gateway.prompt.render import texts
from gateway.settings import HOME, Settings
from tests.support.clock import NOW
from tests.support.registry_stories import Stories, call
from tests.support.small_stories import two_alike, two_said

LAYERS: Final = ("L1", "L3", "L4", "L5")
OTHER: Final = {"L1": "L3", "L3": "L5", "L5": "L3"}


def with_prompts(bundle: Bundle) -> Bundle:
    """The bundle with a library that lists the texts of the test for the sections that instruct."""
    data = deepcopy(bundle.data)
    prompts = data["registry"]["prompts"]["prompts"]
    prompts += [
        {**prompts[-1], "id": f"two-{name}", "sha256": content_digest(two_said(name)), "sections": [name]}
        for name in ("system", "tool_schema", "few_shot")
    ]
    return replace(bundle, data=data)


BUNDLE: Final = with_prompts(load_bundle(HOME / "policies"))
SECTIONS: Final = {row["name"]: row for row in BUNDLE.data["registry"]["vocabulary"]["sections"]}


def changed(section: str, **row: Any) -> dict[str, Any]:
    data = deepcopy(BUNDLE.data)
    [found] = [one for one in data["registry"]["vocabulary"]["sections"] if one["name"] == section]
    found.update(row)
    return data


def in_prompt(pack: Any) -> str:
    """What a model reads, layer by layer."""
    return repr([(layer, list(texts(pack, layer))) for layer in LAYERS])


@pytest.fixture(params=sorted(SECTIONS))
def section(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def gateway(tmp_path_factory) -> Iterator[tuple[Stories, dict[str, Any]]]:
    """One that was asked for a prompt of each section, with what it answered."""
    folder = tmp_path_factory.mktemp("sections")
    settings = Settings(state_dir=folder / "state", detector_workers=0, pin_every_seconds=0)
    asked = [tuple(call(claims, one, NOW) for one in wanted) for claims, wanted in map(two_alike, SECTIONS)]
    stories = Stories(settings, BUNDLE, folder / "sources", asked=asked, told=in_prompt)
    yield stories, dict(zip(SECTIONS, stories.before, strict=True))
    stories.close()


@pytest.fixture
def stories(gateway, section) -> Stories:
    """The same, for the section alone."""
    found, before = gateway
    found.before = [before[section]]
    return found


def test_the_items_of_a_section_stand_in_its_layer(section, stories):
    """
    Both items, or the one that stands for both, are in the prompt in the layer of the row; with another layer the prompt is another.
    """
    [(_, [prompt])] = stories.before
    assert two_said(section) in prompt
    if section == "conversation":
        # The history is its own, which no table changes: tests/gateway/model/words.
        return
    assert stories.answer_otherwise([changed(section, layer=OTHER[SECTIONS[section]["layer"]])])


def test_the_items_of_a_section_are_compared_unless_they_stand_in_order(section, stories):
    """
    Of two that say the same one is left out where they are ranked, and both stay where they stand in order; the row says which.
    """
    in_order = SECTIONS[section].get("in_order", False)
    [(_, [prompt])] = stories.before
    assert prompt.count(two_said(section)) == (2 if in_order else 1)
    assert stories.answer_otherwise([changed(section, in_order=not in_order)])

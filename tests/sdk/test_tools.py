"""The decorator for tools: what a function returns becomes an item that the gateway verifies."""

import asyncio
import inspect

import pytest

from ctxgate_source import make_key, with_provenance
from gateway.model import Candidate
from tests.support.clock import NOW
from tests.support.vectors import sources_of, verdict

KEY = make_key("k")
SOURCES = sources_of({"sor-npa": KEY.as_dict(private=False)})


def record(project, *, currency="SGD"):
    """The project's row."""
    return {"project_id": project, "notional": 25.0, "currency": currency}


def decorated(function, **more):
    labels = {"source_id": "SoR:npa_projects", "source_type": "system_of_record", "domain": "NPA", "ttl_seconds": 300}
    return with_provenance(key=KEY, issuer="sor-npa", section="entity", clock=lambda: NOW, **labels, **more)(function)


def test_a_function():
    """
    A tool keeps its name, its words and its arguments; its answer is an item whose signature holds, fetched when it was called.
    """
    tool = decorated(record, labels_of=lambda project, **_: {"entity_id": project})
    assert (tool.__name__, tool.__doc__) == ("record", "The project's row.")
    item = Candidate.model_validate(tool("PRJ-1", currency="EUR"))
    assert verdict(item, sources=SOURCES)["verified"] is True
    assert item.content == {"project_id": "PRJ-1", "notional": 25.0, "currency": "EUR"}
    labels = item.provenance
    assert (labels.entity_id, labels.source_type, labels.fetched_at) == ("PRJ-1", "system_of_record", NOW.isoformat())
    assert (item.section, item.media_type) == ("entity", "application/json")


def test_an_async_function():
    """
    A tool that is awaited stays one.
    """

    async def fetch(text):
        return text

    tool = decorated(fetch)
    assert inspect.iscoroutinefunction(tool)
    item = Candidate.model_validate(asyncio.run(tool("a text")))
    assert verdict(item, sources=SOURCES)["verified"] is True
    assert item.media_type == "text/plain"


def test_items_have_names_of_their_own():
    """
    Two answers have two ids, and the same answer has the same, at most as long as the gateway takes.
    """
    tool = decorated(record, labels_of=lambda *_, **__: {"source_id": "s" * 200})
    one, other = tool("PRJ-1")["id"], tool("PRJ-2")["id"]
    assert one == tool("PRJ-1")["id"] != other
    assert len(one) == 200


def test_labels_that_are_none():
    """
    A label that the gateway does not know is refused where the tool is written, and where it comes from a call.
    """
    with pytest.raises(ValueError, match="sourceid"):
        decorated(record, sourceid="x")
    with pytest.raises(ValueError, match="colour"):
        decorated(record, labels_of=lambda _: {"colour": "red"})("PRJ-1")


def test_its_labels_are_the_gateways():
    """
    The labels that the package knows are those of an item's provenance.
    """
    from ctxgate_source.tools import _LABELS
    from gateway.model import Provenance

    assert set(Provenance.model_fields) == _LABELS

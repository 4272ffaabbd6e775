"""Lines of the table of sources."""

import pytest

from pydantic import ValidationError

from gateway.model import SourceEntry


@pytest.mark.parametrize("kind", ["mcp", "sql", "openapi"])
def test_what_tools_are_called_of_says_nothing_that_tools_say(kind):
    """
    Where it is stands in the file of connections; for which domains and sections it is, its tools say.
    """
    assert SourceEntry.model_validate({"id": "s", "kind": kind}).calls_tools
    for other in ({"location": "x"}, {"domains": ["NPA"]}, {"sections": ["entity"]}):
        with pytest.raises(ValidationError):
            SourceEntry.model_validate({"id": "s", "kind": kind, **other})


@pytest.mark.parametrize("kind", ["directory", "http"])
def test_what_items_are_fetched_from_is_somewhere(kind):
    """
    A folder and a URL are part of the bundle, as they were.
    """
    assert not SourceEntry.model_validate({"id": "s", "kind": kind, "location": "x"}).calls_tools
    with pytest.raises(ValidationError):
        SourceEntry.model_validate({"id": "s", "kind": kind})

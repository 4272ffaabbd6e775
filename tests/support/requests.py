"""Requests of the bundled stories, as calls of the pipeline."""

from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.clock import NOW


def asked(request, person):
    """The call of a person, at `NOW`."""
    return Asked(PackRequest.model_validate(request), Subject.model_validate(person), NOW)


def with_items(request, *items, **changes):
    """A request with some of its items, and with members changed."""
    return {**request, **changes, "items": [item for item in request["items"] if item["id"] in items]}

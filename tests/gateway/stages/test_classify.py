"""What kind of request it is, and the ids of all that follows."""

import pytest

from gateway.errors import AgentUnknownError, FieldInvalidError, ModelUnknownError, PurposeUnknownError
from gateway.model import PackRequest, PolicyVersion, Subject
from gateway.stages.classify import classify
from tests.support.clock import NOW
from tests.support.packing import REGISTRY

REQUEST = {
    "agent_id": "RISK",
    "purpose": "risk_assessment",
    "jurisdictions": ["SG"],
    "model": "gpt-4o",
    "token_budget": 1000,
}
PERSON = {"sub": "ann", "tenant": "gfm", "role": "r", "department": "d", "jurisdictions": ["SG"]}


def case(request=None, person=None, **circumstances):
    given = {
        "registry": REGISTRY,
        "policy": PolicyVersion(revision="r", engine="e", engine_version="1"),
        "detectors": {"pii": "1"},
        "now": NOW,
        "trace_id": None,
        "secret": b"secret",
        "call": "packs",
    }
    body = PackRequest.model_validate({**REQUEST, **(request or {})})
    return classify(body, Subject.model_validate({**PERSON, **(person or {})}), **{**given, **circumstances})


@pytest.mark.parametrize(
    ("change", "error", "field"),
    [
        ({"agent_id": "NOBODY"}, AgentUnknownError, "agent_id"),
        ({"purpose": "fun"}, PurposeUnknownError, "purpose"),
        ({"model": "abacus"}, ModelUnknownError, "model"),
        ({"jurisdictions": ["SG", "MY"]}, FieldInvalidError, "jurisdictions.1"),
        ({"token_budget": 9_000_000}, FieldInvalidError, "token_budget"),
    ],
)
def test_what_is_not_registered(change, error, field):
    """
    An agent, a purpose, a model or a country that nobody registered, and a budget beyond the model's window, name their field.
    """
    with pytest.raises(error) as caught:
        case(change)
    assert caught.value.fields[0][0] == field


def test_the_whole_window_may_be_asked_for():
    """
    The window itself is allowed.
    """
    window = REGISTRY.models["gpt-4o"].window
    assert case({"token_budget": window}).request.token_budget == window


def test_the_domain_is_that_of_the_entity():
    """
    An agent of several domains works in the one that deals with the request's entity, in its first one otherwise.
    """
    agent = next(agent for agent in REGISTRY.agents.values() if len(agent.domains) > 1)
    for domain in agent.domains:
        entity = {"type": REGISTRY.domains[domain].primary_entity, "id": "x"}
        assert case({"agent_id": agent.id, "entity": entity}).domain == domain
    assert case({"agent_id": agent.id}).domain == agent.domains[0]
    assert case({"agent_id": agent.id, "entity": {"type": "starship", "id": "x"}}).domain == agent.domains[0]


@pytest.mark.parametrize(
    "other",
    [
        {"request": {"query": "x"}},
        {"person": {"sub": "ben"}},
        {"person": {"tenant": "asia"}},
        {"now": NOW.replace(microsecond=1)},
        {"policy": PolicyVersion(revision="s", engine="e", engine_version="1")},
        {"detectors": {"pii": "2"}},
        {"call": "rulings"},
        {"carried": "digest"},
        {"secret": b"other"},
    ],
)
def test_ids_depend_on_all_that_decides(other):
    """
    A retry of the same request is the same decision; whatever could decide otherwise makes it another one.
    """
    assert case().request_id == case().request_id
    assert case(**other).request_id != case().request_id


def test_a_trace_of_its_own():
    """
    Without a caller's trace the request has one of its own, the same every time; with one it has that.
    """
    assert len(case().trace_id) == 32
    assert case().trace_id == case().trace_id
    assert case(trace_id="a" * 32).trace_id == "a" * 32


def test_names_of_values_are_the_tenants():
    """
    Two tenants have keys of their own, the persons of one tenant the same.
    """
    assert case().tenant_key == case(person={"sub": "ben"}).tenant_key
    assert case().tenant_key != case(person={"tenant": "asia"}).tenant_key

"""The client's models against the gateway's OpenAPI document."""

import jsonschema_rs
import pytest

from ctxgate_client import answers, problems, requests
from ctxgate_client.requests import Candidate, Entity, PackRequest, Provenance
from gateway.api.app import create_app
from gateway.settings import Settings

DOCUMENT = create_app(Settings()).openapi()
SCHEMAS = DOCUMENT["components"]["schemas"]
PROBLEM = DOCUMENT["paths"]["/v1/packs"]["post"]["responses"]["default"]["content"]["application/problem+json"][
    "schema"
]


def models(module):
    return [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]


ASKED = [one for one in models(requests) if one is not requests.Asked]
TOLD = [one for one in models(answers) if one is not answers.Told]


@pytest.mark.parametrize("model", ASKED, ids=lambda one: one.__name__)
def test_what_is_asked(model):
    """
    A request has the members that the document gives it, all of them and no others, and must say what the document requires.
    """
    schema = SCHEMAS[model.__name__]
    assert model.model_fields.keys() == schema["properties"].keys()
    defaults = {name for name, field in model.model_fields.items() if not field.is_required()}
    # A model and a budget of tokens are sent with every request: the client knows which where the caller does not say.
    assert {*schema.get("required", ())} & defaults <= {"model", "token_budget"}


@pytest.mark.parametrize("model", TOLD, ids=lambda one: one.__name__)
def test_what_is_told(model):
    """
    Each member that the client reads is one of the document's, and what the client cannot do without is always there.
    """
    schema = SCHEMAS[model.__name__]
    assert model.model_fields.keys() <= schema["properties"].keys()
    required = {name for name, field in model.model_fields.items() if field.is_required()}
    assert required <= {*schema.get("required", ())}


def test_problems():
    """
    A problem document has what the exception says.
    """
    assert problems.Problem.model_fields.keys() == PROBLEM["properties"].keys()
    named = {name for name, field in problems.Problem.model_fields.items() if field.is_required()}
    assert named <= {*PROBLEM["required"]}


def test_a_whole_request_fits():
    """
    A request with every member set is one that the document allows.
    """
    item = Candidate(
        id="a",
        section="user",
        content={"a": 1},
        media_type="application/json",
        score=0.5,
        provenance=Provenance(source_id="s", source_type="email", ttl_seconds=5, labels={"document_type": "policy"}),
        metadata={"page": 3},
    )
    asked = PackRequest(
        agent_id="RISK",
        purpose="general_research",
        jurisdictions=("SG",),
        items=(item,),
        query="?",
        entity=Entity(type="project", id="P"),
        session_id="s",
        turn=1,
        allow_truncation=True,
        render="openai",
    )
    schema = {"$ref": "#/components/schemas/PackRequest", "components": DOCUMENT["components"]}
    jsonschema_rs.validate(schema, asked.document())
    bare = PackRequest(agent_id="RISK", purpose="general_research").document()
    assert bare == {"agent_id": "RISK", "purpose": "general_research", "model": "gpt-4o", "token_budget": 16000}

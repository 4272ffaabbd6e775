"""What may be asked for."""

import re

from gateway.api.catalog import SCOPES, catalog_of
from gateway.model import Subject
from gateway.settings import HOME
from tests.support.packing import REGISTRY

PERSON = {"sub": "ann", "tenant": "gfm", "role": "r", "department": "d", "jurisdictions": ["SG"]}


def catalog(**claims):
    return catalog_of(REGISTRY, "sha256:1", Subject.model_validate({**PERSON, **claims}))


def test_of_agents_those_of_the_token():
    """
    Nobody learns from the catalog which agents there are that the token does not speak for.
    """
    assert [agent.id for agent in catalog(agents=["RISK", "NOBODY"]).agents] == ["RISK"]
    assert catalog(agents=[]).agents == ()
    assert {agent.id for agent in catalog(agents=None).agents} == {*REGISTRY.agents}


def test_of_sources_those_of_the_agents():
    """
    A source that speaks of no domain of the token's agents is not listed, and of those that are nobody learns where they are or
    which keys they hold.
    """
    told = catalog(agents=["RISK"])
    assert [source.id for source in told.sources] == [
        one.id for one in REGISTRY.sources.values() if "NPA" in one.grant.domains
    ]
    [desk] = [one for one in catalog(agents=["DESK_ANALYST"]).sources if one.id == "sor-desk"]
    assert desk.fetched is True
    assert {*desk.model_dump()} == {"id", "fetched", "source_types", "corpora", "domains"}
    assert "sor-desk" not in {source.id for source in told.sources}
    assert catalog(agents=[]).sources == ()


def test_what_an_agent_cannot_do_without():
    """
    Each agent comes with what its contract names, so that nobody learns of it from a refusal.
    """
    [risk] = catalog(agents=["RISK"]).agents
    assert risk.needs == tuple(need.name for need in REGISTRY.contracts["RISK-1.1.0"].required_sources)
    assert risk.needs


def test_the_words_are_the_bundles():
    """
    Who writes a request finds each word that the gateway would take, and labels with what they may say.
    """
    told = catalog(agents=[])
    assert {purpose.id for purpose in told.purposes} == {*REGISTRY.purposes}
    assert {model.id for model in told.models} == {*REGISTRY.models}
    assert "MY" not in told.jurisdictions
    assert {"SG", "GLOBAL"} <= {*told.jurisdictions}
    assert (told.classifications[0], told.classifications[-1]) == ("PUBLIC", "RESTRICTED")
    assert "bank_sop" in told.source_types
    assert told.sections[0] == "system"
    [label] = [one for one in told.labels if one.name == "document_type"]
    assert "kyc_document" in label.words


def test_scopes_are_those_that_routes_ask_for():
    """
    A scope that a route asks for is in the list, and none that none asks for.
    """
    routes = [*(HOME / "gateway/api").rglob("*.py")]
    named = {
        scope
        for path in routes
        if path.name != "catalog.py"
        for scope in re.findall(r'"([a-z]+:[a-z]+)"', path.read_text())
    }
    assert named == {*SCOPES}

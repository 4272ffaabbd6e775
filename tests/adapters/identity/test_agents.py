"""For which agents a token speaks: which claims are believed, and what of them."""

import pytest

from adapters.identity.agents import AgentClaims
from gateway.errors import ClaimMissingError, ConfigurationError
from gateway.model.request import MOST_AGENTS
from tests.support.clock import NOW
from tests.support.tokens import new_key, published, signed, verifier

MANY = [f"A{n}" for n in range(10_000)]
ACTOR = {"act": {"sub": "RISK", "act": {"sub": "CLASSIFIER"}}}


@pytest.mark.parametrize(
    ("claims", "token", "agents"),
    [
        (["agents"], {"agents": ["RISK", "CLASSIFIER"]}, ("RISK", "CLASSIFIER")),
        (["agents"], {"agents": "RISK"}, ("RISK",)),
        (["agents"], {"agents": []}, ()),
        (["agents"], {}, ()),
        (["agents"], {"agents": ["RISK", "RISK", "CLASSIFIER", "RISK"]}, ("RISK", "CLASSIFIER")),
        (["act.sub"], ACTOR, ("RISK",)),
        (["act.sub"], {"act": {"act": {"sub": "RISK"}}}, ()),
        (["act.act.sub"], ACTOR, ("CLASSIFIER",)),
        (["azp"], {"azp": "RISK", "client_id": "CLASSIFIER"}, ("RISK",)),
        (["client_id"], {"azp": "RISK", "client_id": "CLASSIFIER"}, ("CLASSIFIER",)),
        (["https://bank.example/agents"], {"https://bank.example/agents": ["RISK"]}, ("RISK",)),
        (["act.sub", "azp"], {**ACTOR, "azp": "GOVERNANCE"}, ("RISK",)),
        (["act.sub", "azp"], {"azp": "GOVERNANCE"}, ("GOVERNANCE",)),
        (["agents", "azp"], {"agents": [], "azp": "GOVERNANCE"}, ()),
    ],
)
def test_the_claims_of_the_setting_and_no_other(claims, token, agents):
    """
    The first claim of the setting that is there says it, alone: the current actor and none before it, a client, or a list.
    """
    assert AgentClaims(claims).of(token) == agents


@pytest.mark.parametrize(
    "said", ["risk", "RISK ", " RISK", "RISK,CLASSIFIER", "RISK CLASSIFIER", "*", "R\u0406SK", "\uff32ISK"]
)
def test_names_are_not_mended(said):
    """
    Another case, a space, a list in one text, a star or a letter that looks the same is a name of its own.
    """
    assert AgentClaims().of({"agents": said}) == (said,)


@pytest.mark.parametrize(
    "said",
    [None, 7, True, {}, {"RISK": True}, [None], ["RISK", 7], ["RISK", ["CLASSIFIER"]], "", ["RISK", ""], MANY],
)
async def test_a_claim_that_cannot_be_read(said):
    """
    A claim that is no name and no list of a hundred names at most makes the token unusable, and the error names it; no
    other claim of the setting speaks in its place.
    """
    with pytest.raises(ClaimMissingError, match="agents"):
        AgentClaims(["agents", "azp"]).of({"agents": said, "azp": "RISK"})
    key = new_key("a")
    if said is not None:
        with pytest.raises(ClaimMissingError, match="agents"):
            await verifier(published(key)).verify(signed(key, agents=said), NOW)


@pytest.mark.parametrize("act", ["RISK", ["RISK"], None, 7])
def test_an_actor_that_is_no_object(act):
    """
    An actor claim of another shape than RFC 8693 has is broken and not absent.
    """
    with pytest.raises(ClaimMissingError, match=r"act\.sub"):
        AgentClaims(["act.sub", "azp"]).of({"act": act, "azp": "RISK"})


class TestClients:
    CLIENTS = {"npa-frontend": ["RISK", "CLASSIFIER"], "orm": ["ORM_ANALYST"], "RISK": []}

    @pytest.mark.parametrize(
        ("azp", "agents"),
        [
            ("npa-frontend", ("RISK", "CLASSIFIER")),
            (["npa-frontend", "orm", "npa-frontend"], ("RISK", "CLASSIFIER", "ORM_ANALYST")),
            ("RISK", ()),
            ("CLASSIFIER", ()),
            ("NPA-frontend", ()),
            ("npa-frontend ", ()),
        ],
    )
    def test_a_client_is_its_agents(self, azp, agents):
        """
        Where clients are listed, a value is the agents of its row: a client that calls itself like an agent is none.
        """
        assert AgentClaims(["azp"], self.CLIENTS).of({"azp": azp}) == agents

    def test_clients_of_too_many(self):
        """
        A table cannot give a token more agents than a list could.
        """
        many = {name: [f"{name}{n}" for n in range(60)] for name in ("a", "b")}
        assert len(AgentClaims(["azp"], many).of({"azp": "a"})) == 60
        with pytest.raises(ClaimMissingError):
            AgentClaims(["azp"], many).of({"azp": ["a", "b"]})


async def test_the_subject_of_a_token():
    """
    What a verified token says is the subject's; one without the claim speaks for nobody, and only where requests are
    believed does nobody ask.
    """
    key = new_key("a")
    keys = published(key)
    assert (await verifier(keys).verify(signed(key, agents=["RISK"]), NOW)).agents == ("RISK",)
    assert (await verifier(keys).verify(signed(key), NOW)).agents == ()
    assert (
        await verifier(keys).verify(signed(key, azp="RISK", client_id="RISK", act={"sub": "RISK"}), NOW)
    ).agents == ()
    declared = AgentClaims(declared=True)
    for claims in ({}, {"agents": ["RISK"]}, {"agents": 7}):
        assert (await verifier(keys, agents=declared).verify(signed(key, **claims), NOW)).agents is None
    most = [f"A{n}" for n in range(MOST_AGENTS)]
    assert (await verifier(keys).verify(signed(key, agents=most), NOW)).agents == tuple(most)


@pytest.mark.parametrize("claims", [[], [""], ["agents", ""]])
def test_a_setting_without_a_claim(claims):
    """
    A setting that names no claim is refused at start.
    """
    with pytest.raises(ConfigurationError):
        AgentClaims(claims)

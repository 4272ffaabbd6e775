"""Tokens of the trust layer: what is believed of them, and what never is."""

import json

import pytest

from joserfc.jwk import OctKey, OKPKey

from adapters.identity.agents import AgentClaims
from gateway.errors import (
    ClaimMissingError,
    ConfigurationError,
    TokenAudienceError,
    TokenExpiredError,
    TokenInvalidError,
)
from gateway.model import Subject
from tests.support.clock import NOW
from tests.support.tokens import CLAIMS, new_key, published, signed, verifier


class TestTokens:
    async def test_a_good_token(self):
        """
        A token that the trust layer signed names the person.
        """
        key = new_key("a")
        subject = await verifier(published(key)).verify(signed(key), NOW)
        assert (subject.sub, subject.tenant, subject.role) == ("sarah.lim", "gfm", "analyst")

    @pytest.mark.parametrize(
        ("changes", "error"),
        [
            ({"iss": "other"}, TokenInvalidError),
            ({"aud": "other"}, TokenAudienceError),
            ({"aud": ["x", "y"]}, TokenAudienceError),
            ({"exp": int(NOW.timestamp()) - 31}, TokenExpiredError),
            ({"exp": None}, TokenExpiredError),
            ({"exp": "soon"}, TokenExpiredError),
            ({"nbf": int(NOW.timestamp()) + 31}, TokenExpiredError),
            ({"role": None}, ClaimMissingError),
            ({"jurisdictions": "SG"}, ClaimMissingError),
            ({"tenant": ""}, ClaimMissingError),
            ({"tenant": "-"}, ClaimMissingError),
        ],
    )
    async def test_bad_claims(self, changes, error):
        """
        Each claim that is not what it should be has its own error.
        """
        key = new_key("a")
        with pytest.raises(error):
            await verifier(published(key)).verify(signed(key, **changes), NOW)

    async def test_within_the_skew(self):
        """
        Clocks may be apart by as much as the setting says.
        """
        key = new_key("a")
        for changes in (
            {"exp": int(NOW.timestamp()) - 29},
            {"nbf": int(NOW.timestamp()) + 29},
            {"aud": ["x", "ctxgate"]},
        ):
            await verifier(published(key)).verify(signed(key, **changes), NOW)

    async def test_algorithms(self):
        """
        No setting makes the gateway accept `none` or a shared secret, and no token chooses one.
        """
        for algorithms in ([], ["none"], ["HS256"], ["ES256", "HS256"]):
            with pytest.raises(ConfigurationError):
                verifier(published(new_key("a")), algorithms=algorithms)
        key, other = new_key("a"), OKPKey.generate_key("Ed25519", {"kid": "b"})
        both = verifier(published(key, other))
        secret = OctKey.import_key(json.dumps(key.as_dict(private=False)).encode(), {"kid": "a"})
        for token in (signed(secret, "HS256"), signed(other, "Ed25519"), signed(new_key("a")), "x", "a.b.c", ""):
            with pytest.raises(TokenInvalidError):
                await both.verify(token, NOW)


MAPPED = {
    "sub": ("preferred_username", {"preferred_username": "s.lim"}, "s.lim"),
    "tenant": ("bank.unit", {"bank": {"unit": "gfm-asia"}}, "gfm-asia"),
    "role": ("https://bank.example/role", {"https://bank.example/role": "checker2"}, "checker2"),
    "department": ("org.department", {"org": {"department": "ORM"}}, "ORM"),
    "jurisdictions": ("bank.countries", {"bank": {"countries": ["HK"]}}, ("HK",)),
    "domains": ("bank.domains", {"bank": {"domains": ["NPA"]}}, ("NPA",)),
    "entitlements": ("groups", {"groups": ["a", "b"]}, ("a", "b")),
    "agents": ("act.sub", {"act": {"sub": "RISK"}}, ("RISK",)),
    "session_id": ("sid", {"sid": "s-1"}, "s-1"),
    "scope": ("scp", {"scp": ["packs:write", "ledger:read"]}, "packs:write ledger:read"),
}


class TestClaims:
    def test_every_field_has_a_row(self):
        """
        The table below has a row for every field of a subject.
        """
        assert set(MAPPED) == set(Subject.model_fields)

    @pytest.mark.parametrize("field", sorted(MAPPED))
    async def test_a_claim_of_another_name(self, field):
        """
        A field is taken from the claim that the setting names, also within an object, and from no other.
        """
        path, extra, expected = MAPPED[field]
        key = new_key("a")
        mapping = {"agents": AgentClaims([path])} if field == "agents" else {"claims": {field: path}}
        mapped = verifier(published(key), **mapping)
        subject = await mapped.verify(signed(key, **{field: None}, **extra), NOW)
        assert getattr(subject, field) == expected
        if field in CLAIMS and field != "scope":
            with pytest.raises(ClaimMissingError, match=path.replace(".", r"\.")):
                await mapped.verify(signed(key), NOW)

    def test_agents_have_a_setting_of_their_own(self):
        """
        The claim of the agents is named in one setting; in the one for other fields it is refused.
        """
        with pytest.raises(ConfigurationError, match="CTXGATE_JWT_AGENTS"):
            verifier(published(new_key("a")), claims={"agents": "azp"})

    def test_a_field_that_is_none(self):
        """
        A setting for a field that a subject does not have is refused at start.
        """
        with pytest.raises(ConfigurationError, match="clearance"):
            verifier(published(new_key("a")), claims={"clearance": "x"})


class TestTimes:
    @pytest.mark.parametrize("times", [{"exp": float("nan")}, {"nbf": float("nan")}])
    async def test_no_time_is_no_expiry(self, times):
        """
        A token whose times are not numbers of seconds is not believed.
        """
        key = new_key("a")
        with pytest.raises((TokenExpiredError, TokenInvalidError)):
            await verifier(published(key)).verify(signed(key, **times), NOW)

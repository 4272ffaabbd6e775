"""Tokens of the trust layer: what is believed of them, and what never is."""

import json

import pytest

from joserfc.jwk import OctKey, OKPKey

from adapters.identity.agents import AgentClaims
from gateway.errors import (
    ClaimMissingError,
    ConfigurationError,
    NameReservedError,
    TokenAudienceError,
    TokenExpiredError,
    TokenInvalidError,
    TokenLifetimeError,
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
            ({"tenant": "-"}, NameReservedError),
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
    "identity": ("ids.oid", {"ids": {"oid": "A-77"}}, "A-77"),
    "purposes": ("for", {"for": ["routing"]}, ("routing",)),
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
        own = {"agents": {"agents": AgentClaims([path])}, "identity": {"person": path}}
        mapped = verifier(published(key), **own.get(field, {"claims": {field: path}}))
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


class TestNames:
    @pytest.mark.parametrize("claim", ["sub", "tenant"])
    @pytest.mark.parametrize(
        "name",
        [
            "-",
            "*",
            "%",
            " ",
            "..",
            "gfm ",
            "\u00a0gfm",
            "g\u200bfm",
            "gf\u202em",
            "gfm\n",
            "g\u2028fm",
            "gfm\x1b[2J",
            "g\xadfm",
        ],
    )
    async def test_reserved_and_unsafe_names(self, claim, name):
        """
        Nobody, and no tenant, has a name that is reserved, that is blank or that holds what nobody sees.
        """
        key = new_key("a")
        with pytest.raises(NameReservedError) as caught:
            await verifier(published(key)).verify(signed(key, **{claim: name}), NOW)
        assert (caught.value.code, caught.value.fields[0][0]) == ("GW-182", claim)
        assert len(name) == 1 or name not in caught.value.detail

    async def test_a_tenant_has_one_spelling(self):
        """
        A tenant that looks like another for its compatibility forms is none; persons are compared without these, and may.
        """
        key = new_key("a")
        with pytest.raises(NameReservedError):
            await verifier(published(key)).verify(signed(key, tenant="\uff47fm"), NOW)
        person = await verifier(published(key)).verify(signed(key, sub="\uff24ana.Ng"), NOW)
        assert person.person == "dana.ng"

    async def test_who_somebody_is_may_be_another_claim(self):
        """
        Where a claim is set for it, officers are compared by that one, and a token without it is not believed.
        """
        key = new_key("a")
        by_oid = verifier(published(key), person="ids.oid", claims={"sub": "upn"})
        one = await by_oid.verify(signed(key, upn="dana@a", tenant="a1", ids={"oid": "A-77"}), NOW)
        two = await by_oid.verify(signed(key, upn="d.ng@b", tenant="b2", ids={"oid": "a-77"}), NOW)
        assert (one.person, one.sub, two.sub) == (two.person, "dana@a", "d.ng@b")
        for bad in ({}, {"oid": ""}, {"oid": 7}):
            with pytest.raises(ClaimMissingError, match=r"ids\.oid"):
                await by_oid.verify(signed(key, upn="dana@a", ids=bad), NOW)
        with pytest.raises(NameReservedError):
            await by_oid.verify(signed(key, upn="dana@a", ids={"oid": "*"}), NOW)
        forged = await verifier(published(key)).verify(signed(key, identity="somebody.else"), NOW)
        assert forged.person == "sarah.lim"
        with pytest.raises(ConfigurationError, match="CTXGATE_JWT_PERSON"):
            verifier(published(key), claims={"identity": "oid"})

    async def test_purposes_are_one_or_a_list(self):
        """
        For which purposes a token may learn values is one name or a list of them, none where it does not say.
        """
        key = new_key("a")
        for said, heard in (("routing", ("routing",)), (["routing", "x"], ("routing", "x")), (None, ())):
            assert (await verifier(published(key)).verify(signed(key, purposes=said), NOW)).purposes == heard


class TestTimes:
    @pytest.mark.parametrize(
        "times",
        [
            {"exp": float("inf")},
            {"exp": 1e300},
            {"exp": 10**400},
            {"exp": int(NOW.timestamp()) + 86_400 + 31},
            {"exp": int(NOW.timestamp()) + 60, "iat": int(NOW.timestamp()) - 86_400},
            {"exp": int(NOW.timestamp()) + 86_460, "iat": int(NOW.timestamp()) + 86_400},
            {"exp": int(NOW.timestamp()) + 60, "iat": -(10**400)},
            {"iat": "then"},
            {"iat": float("nan")},
        ],
    )
    async def test_no_token_is_valid_for_long(self, times):
        """
        A token that is valid for longer than the setting, from its issue or from now, or for ever, is not believed.
        """
        key = new_key("a")
        with pytest.raises(TokenLifetimeError):
            await verifier(published(key)).verify(signed(key, **times), NOW)

    async def test_the_longest_lifetime_is_a_setting(self):
        """
        What is valid for exactly so long is believed.
        """
        key, now = new_key("a"), int(NOW.timestamp())
        short = verifier(published(key), longest_seconds=600)
        assert await short.verify(signed(key, iat=now - 300, exp=now + 300), NOW)
        with pytest.raises(TokenLifetimeError):
            await short.verify(signed(key, iat=now - 300, exp=now + 331), NOW)

    @pytest.mark.parametrize("times", [{"exp": float("nan")}, {"nbf": float("nan")}])
    async def test_no_time_is_no_expiry(self, times):
        """
        A token whose times are not numbers of seconds is not believed.
        """
        key = new_key("a")
        with pytest.raises((TokenExpiredError, TokenInvalidError)):
            await verifier(published(key)).verify(signed(key, **times), NOW)

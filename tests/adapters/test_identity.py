"""Who is asking: tokens, keys that rotate, claims under other names, tokens that are believed once."""

import asyncio
import json

from datetime import timedelta

import httpx
import pytest

from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey

from adapters.identity.jose import JwtVerifier
from adapters.identity.jwks import FetchedKeys, FixedKeys, file_keys, key_set
from adapters.stores.rows import PostgresRows, SqliteRows
from adapters.stores.tables import SCHEMA
from adapters.stores.used_tokens import UsedTokenTable
from gateway.errors import (
    ClaimMissingError,
    ConfigurationError,
    KeysUnavailableError,
    StoreError,
    TokenAudienceError,
    TokenExpiredError,
    TokenInvalidError,
    TokenReplayedError,
)
from gateway.model import Subject
from tests.conftest import NOW

CLAIMS = {
    "iss": "trust",
    "aud": "ctxgate",
    "exp": int(NOW.timestamp()) + 60,
    "sub": "sarah.lim",
    "tenant": "gfm",
    "role": "analyst",
    "department": "RMG",
    "jurisdictions": ["SG"],
    "scope": "packs:write",
}


def new_key(kid):
    return ECKey.generate_key("P-256", {"kid": kid})


def published(*keys):
    return {"keys": [key.as_dict(private=False) for key in keys]}


def signed(key, algorithm="ES256", **changes):
    claims = {name: value for name, value in {**CLAIMS, **changes}.items() if value is not None}
    return jwt.encode({"alg": algorithm, "kid": key.kid}, claims, key, algorithms=[algorithm])


def verifier(keys, **changes):
    fixed = keys if hasattr(keys, "keys") and not isinstance(keys, dict) else FixedKeys(key_set(keys))
    given = {"issuer": "trust", "audience": "ctxgate", "algorithms": ["ES256"], "skew_seconds": 30, **changes}
    return JwtVerifier(fixed, **given)


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
        mapped = verifier(published(key), claims={field: path})
        subject = await mapped.verify(signed(key, **{field: None}, **extra), NOW)
        assert getattr(subject, field) == expected
        if field in CLAIMS and field != "scope":
            with pytest.raises(ClaimMissingError, match=path.replace(".", r"\.")):
                await mapped.verify(signed(key), NOW)

    def test_a_field_that_is_none(self):
        """
        A setting for a field that a subject does not have is refused at start.
        """
        with pytest.raises(ConfigurationError, match="clearance"):
            verifier(published(new_key("a")), claims={"clearance": "x"})


@pytest.fixture(params=["sqlite", "postgres"])
def rows(request, tmp_path):
    """The tables beside the ledger, on either database."""
    if request.param == "sqlite":
        made = SqliteRows(tmp_path / "aside.sqlite", SCHEMA)
    else:
        server = request.getfixturevalue("postgres")
        made = PostgresRows(server.url(server.new_ledger(), "gateway"))
    yield made
    made.close()


class TestOnce:
    async def test_a_token_is_believed_once(self, rows):
        """
        A second use of a token is refused; one without an id is never believed; after its time it is forgotten.
        """
        key = new_key("a")
        once = verifier(published(key), used=UsedTokenTable(rows))
        token = signed(key, jti="1")
        await once.verify(token, NOW)
        with pytest.raises(TokenReplayedError):
            await once.verify(token, NOW)
        await once.verify(signed(key, jti="2"), NOW)
        with pytest.raises(TokenInvalidError, match="jti"):
            await once.verify(signed(key), NOW)
        later = NOW + timedelta(seconds=200)
        await once.verify(signed(key, jti="1", exp=int(later.timestamp())), later)
        assert len(rows.read("SELECT name FROM used_tokens")) == 1
        await once.verify(signed(key, jti="far", exp=1e300), NOW)

    async def test_replicas_believe_a_token_once(self, rows):
        """
        Of many uses at once, at several replicas, one is believed; a replica that starts anew still knows.
        """
        key = new_key("a")
        replicas = [verifier(published(key), used=UsedTokenTable(rows)) for _ in range(4)]
        token = signed(key, jti="1")
        uses = (replicas[n % 4].verify(token, NOW) for n in range(20))
        answers = await asyncio.gather(*uses, return_exceptions=True)
        assert sum(isinstance(answer, Subject) for answer in answers) == 1
        assert sum(isinstance(answer, TokenReplayedError) for answer in answers) == 19
        with pytest.raises(TokenReplayedError):
            await verifier(published(key), used=UsedTokenTable(rows)).verify(token, NOW)

    async def test_where_it_cannot_be_told_nobody_is_believed(self, tmp_path):
        """
        Without the table of used tokens no token is believed.
        """
        key, rows = new_key("a"), SqliteRows(tmp_path / "aside.sqlite", SCHEMA)
        rows.close()
        with pytest.raises(StoreError):
            await verifier(published(key), used=UsedTokenTable(rows)).verify(signed(key, jti="1"), NOW)

    @pytest.mark.parametrize("times", [{"exp": float("nan")}, {"nbf": float("nan")}])
    async def test_no_time_is_no_expiry(self, times):
        """
        A token whose times are not numbers of seconds is not believed.
        """
        key = new_key("a")
        with pytest.raises((TokenExpiredError, TokenInvalidError)):
            await verifier(published(key)).verify(signed(key, **times), NOW)


class Server:
    """A JWK set that rotates, goes away and comes back."""

    def __init__(self, *keys):
        self.keys, self.up, self.asked, self.now = list(keys), True, 0, 0.0

    def answer(self, request):
        self.asked += 1
        return httpx.Response(200, json=published(*self.keys)) if self.up else httpx.Response(500)

    def fetched(self):
        client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        limits = {"refresh_seconds": 300, "stale_seconds": 3600, "unknown_seconds": 10}
        return FetchedKeys("http://trust/jwks", client, clock=lambda: self.now, **limits)


class TestFetchedKeys:
    async def test_keys_are_cached(self):
        """
        Many tokens cost one fetch; keys that are old are fetched anew, and nobody waits for that.
        """
        key = new_key("a")
        server = Server(key)
        tokens = verifier(server.fetched())
        for _ in range(20):
            await tokens.verify(signed(key), NOW)
        assert server.asked == 1
        server.now = 301
        await tokens.verify(signed(key), NOW)
        await asyncio.sleep(0)
        await tokens.verify(signed(key), NOW)
        assert server.asked == 2

    async def test_rotation(self):
        """
        A key that is not known is looked for at once; the one that was withdrawn is believed no more.
        """
        old, new = new_key("a"), new_key("b")
        server = Server(old)
        tokens = verifier(server.fetched())
        await tokens.verify(signed(old), NOW)
        server.keys, server.now = [new], 20
        await tokens.verify(signed(new), NOW)
        with pytest.raises(TokenInvalidError):
            await tokens.verify(signed(old), NOW)

    async def test_unknown_keys_do_not_make_a_flood(self):
        """
        However many tokens name keys that nobody has, the keys are asked for no oftener than the limit.
        """
        key = new_key("a")
        server = Server(key)
        tokens = verifier(server.fetched())
        for second in range(60):
            server.now = float(second)
            for _ in range(5):
                with pytest.raises(TokenInvalidError):
                    await tokens.verify(signed(new_key(f"x{second}")), NOW)
        assert server.asked <= 7

    async def test_an_outage(self):
        """
        While the URL does not answer the known keys are believed for as long as the setting says, then nobody is.
        """
        key = new_key("a")
        server = Server(key)
        tokens = verifier(server.fetched())
        await tokens.verify(signed(key), NOW)
        server.up, server.now = False, 3599
        await tokens.verify(signed(key), NOW)
        server.now = 3700
        with pytest.raises(KeysUnavailableError):
            await tokens.verify(signed(key), NOW)
        server.up = True
        await tokens.verify(signed(key), NOW)

    async def test_without_keys(self):
        """
        What is not a JWK set is no keys.
        """
        server = Server()
        server.answer = lambda request: httpx.Response(200, json=[1])
        keys = server.fetched()
        with pytest.raises(KeysUnavailableError):
            await keys.keys(None)
        assert keys.failures == 1

    def test_keys_from_a_file(self, tmp_path):
        """
        Keys may come from a file; without them the gateway does not start.
        """
        (tmp_path / "jwks.json").write_text(json.dumps(published(new_key("a"))))
        file_keys(tmp_path / "jwks.json")
        (tmp_path / "bad.json").write_text('{"keys": [{"kty": "?"}]}')
        for name in ("none.json", "bad.json"):
            with pytest.raises(ConfigurationError):
                file_keys(tmp_path / name)

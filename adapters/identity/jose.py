"""
Bearer tokens, verified by joserfc.

Rules held here: only the algorithms of the setting, all of them asymmetric; signature, issuer, audience,
expiry and not-before are checked before any claim is believed; no token is valid for longer than the setting; a claim that
decisions need must be there; nobody has a name that is reserved or looks like another's; where that is set, a token is
believed once.
"""

import math

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from pydantic import ValidationError

from adapters.identity.agents import AgentClaims
from gateway.errors import (
    ClaimMissingError,
    ConfigurationError,
    NameReservedError,
    TokenAudienceError,
    TokenExpiredError,
    TokenInvalidError,
    TokenLifetimeError,
    TokenReplayedError,
)
from gateway.model import Subject
from gateway.model.base import name_problem
from gateway.ports.identity import UsedTokens

ALLOWED: Final = ("EdDSA", "ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "Ed25519")


_LATEST: Final = 253_402_300_799
"""The end of the year 9999, in seconds since 1970: no instant is later."""


_CLAIMED: Final = tuple(field for field in Subject.model_fields if field not in {"agents", "identity"})
"""Fields of a subject that are claims as they stand."""


class Keys(Protocol):
    """Public keys of the trust layer."""

    async def keys(self, kid: str | None) -> KeySet:
        """
        The keys that may have signed a token that names *kid*.

        Raises:
            KeysUnavailableError: they cannot be had.
        """


class JwtVerifier:
    """A `gateway.ports.identity.TokenVerifier` for JWTs of one issuer."""

    def __init__(
        self,
        keys: Keys,
        *,
        issuer: str,
        audience: str,
        algorithms: Sequence[str],
        skew_seconds: int,
        claims: Mapping[str, str] | None = None,
        agents: AgentClaims | None = None,
        used: UsedTokens | None = None,
        person: str | None = None,
        longest_seconds: int = 86_400,
    ) -> None:
        """
        Args:
            keys: the trust layer's.
            issuer: who must have issued the token.
            audience: for whom it must have been issued.
            algorithms: which signature algorithms are accepted.
            skew_seconds: how far clocks may be apart.
            claims: for each field of a subject the claim that says it, with dots into objects; others by their own name.
            agents: which claims say for which agents a token speaks; the claim `agents` where that is None.
            used: where tokens are believed once, which then must have a `jti`; None where they may be used again.
            person: which claim says who somebody is wherever two persons are needed, with dots into objects; that of `sub`
                where it is None.
            longest_seconds: for how long a token may be valid, from its issue and from now.

        Raises:
            ConfigurationError: the algorithms or the claims are not acceptable.
        """
        if not algorithms or set(algorithms) - set(ALLOWED):
            raise ConfigurationError("only asymmetric signature algorithms may verify tokens")
        if "agents" in (claims or {}):
            raise ConfigurationError(
                "which claims name agents is said by CTXGATE_JWT_AGENTS, not by CTXGATE_JWT_CLAIMS"
            )
        if "identity" in (claims or {}):
            raise ConfigurationError("which claim says who somebody is is said by CTXGATE_JWT_PERSON")
        if unknown := set(claims or ()) - set(Subject.model_fields):
            raise ConfigurationError(f"a subject has no {', '.join(sorted(unknown))}")
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._algorithms = list(algorithms)
        self._skew = skew_seconds
        self._claims = dict(claims or {})
        self._agents = agents or AgentClaims()
        self._used = used
        self._person = person
        self._longest = longest_seconds

    @property
    def failures(self) -> int:
        """How often the keys could not be fetched."""
        return getattr(self._keys, "failures", 0)

    async def verify(self, token: str, now: datetime) -> Subject:
        try:
            kid = jws.extract_compact(token.encode()).headers().get("kid")
            keys = await self._keys.keys(kid if isinstance(kid, str) else None)
            claims = jwt.decode(token, keys, algorithms=self._algorithms).claims
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise TokenInvalidError("the token must be signed by a published key of the configured issuer") from error
        self._check(claims, now.timestamp())
        await self._use(claims, now)
        return self._subject(claims)

    def _subject(self, claims: dict[str, Any]) -> Subject:
        said = {field: _at(claims, self._claims.get(field, field)) for field in _CLAIMED}
        if isinstance(said["scope"], list):
            said["scope"] = " ".join(map(str, said["scope"]))
        if isinstance(said["purposes"], str):
            said["purposes"] = [said["purposes"]]
        said["identity"] = self._identity(claims)
        self._check_names(said)
        try:
            given = {field: value for field, value in said.items() if value is not None}
            return Subject.model_validate({**given, "agents": self._agents.of(claims)})
        except ValidationError as error:
            fields = [str(problem["loc"][0]) for problem in error.errors()]
            # By the names that the issuer uses: who mends this looks at the token and not at our fields.
            missing = [self._claims.get(field, field) for field in fields]
            raise ClaimMissingError(
                f"the token lacks a usable claim: {', '.join(missing)}",
                fields=[(name, "is missing or of the wrong type") for name in missing],
            ) from error

    def _identity(self, claims: dict[str, Any]) -> str | None:
        """Who somebody is by the claim that is set, without which nobody could be told from another officer."""
        if self._person is None:
            return None
        identity = _at(claims, self._person)
        if not isinstance(identity, str) or not identity:
            raise ClaimMissingError(
                f"the token lacks a usable claim: {self._person}",
                fields=[(self._person, "is missing or of the wrong type")],
            )
        return identity

    def _check_names(self, said: Mapping[str, Any]) -> None:
        for field in ("sub", "tenant", "identity"):
            name = said[field]
            problem = name_problem(name, exact=field == "tenant") if isinstance(name, str) and name else None
            if problem is not None:
                claim = (self._person if field == "identity" else None) or self._claims.get(field, field)
                raise NameReservedError(f"the token's {claim} {problem}", fields=[(claim, problem)])

    async def _use(self, claims: dict[str, Any], now: datetime) -> None:
        if self._used is None:
            return
        name = claims.get("jti")
        if not isinstance(name, str) or not name:
            raise TokenInvalidError("the token must have a `jti`, since this gateway accepts each token once")
        until = datetime.fromtimestamp(min(claims["exp"] + 2 * self._skew, _LATEST), UTC)
        if not await self._used.first_use(self._issuer, name, until, now):
            raise TokenReplayedError("the token has already been used")

    def _check(self, claims: dict[str, Any], now: float) -> None:
        if claims.get("iss") != self._issuer:
            raise TokenInvalidError("the token must name the configured issuer")
        audience = claims.get("aud")
        if self._audience not in (audience if isinstance(audience, list) else [audience]):
            raise TokenAudienceError("the token must name this gateway as its audience")
        expiry, start = claims.get("exp"), claims.get("nbf", 0)
        if not isinstance(expiry, int | float) or not now <= expiry + self._skew:
            raise TokenExpiredError("the token has expired")
        if not isinstance(start, int | float) or not now >= start - self._skew:
            raise TokenExpiredError("the token is not valid yet")
        issued = claims.get("iat", now)
        # An issue in the future would make any expiry a near one.
        begun = max(0, min(issued, now)) if isinstance(issued, int | float) else math.nan
        if not min(expiry, _LATEST) - begun <= self._longest + self._skew:
            raise TokenLifetimeError(f"the token must not be valid for longer than {self._longest} s")


def _at(claims: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 - any JSON value
    """The claim of a name, or at a path with dots into objects; None where there is none."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found

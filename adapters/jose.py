"""
Bearer tokens, verified by joserfc.

Rules held here: only the algorithms of the setting, all of them asymmetric; signature, issuer, audience,
expiry and not-before are checked before any claim is believed; a claim that decisions need must be there; where
that is set, a token is believed once.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from cachetools import TLRUCache
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from pydantic import ValidationError

from gateway.errors import (
    ClaimMissingError,
    ConfigurationError,
    TokenAudienceError,
    TokenExpiredError,
    TokenInvalidError,
    TokenReplayedError,
)
from gateway.model import Subject

ALLOWED: Final = ("EdDSA", "ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "Ed25519")
_REMEMBERED: Final = 1_000_000
"""Tokens that are remembered as used, at most; more are refused rather than forgotten."""


class Keys(Protocol):
    """Public keys of the trust layer."""

    async def keys(self, kid: str | None) -> KeySet:
        """
        The keys that may have signed a token that names *kid*.

        Raises:
            KeysUnavailableError: they cannot be had.
        """


class JwtVerifier:
    """A `gateway.ports.TokenVerifier` for JWTs of one issuer."""

    def __init__(
        self,
        keys: Keys,
        *,
        issuer: str,
        audience: str,
        algorithms: Sequence[str],
        skew_seconds: int,
        claims: Mapping[str, str] | None = None,
        once: bool = False,
    ) -> None:
        """
        Args:
            keys: the trust layer's.
            issuer: who must have issued the token.
            audience: for whom it must have been issued.
            algorithms: which signature algorithms are accepted.
            skew_seconds: how far clocks may be apart.
            claims: for each field of a subject the claim that says it, with dots into objects; others by their own name.
            once: whether a token must have a `jti`, and is believed once.

        Raises:
            ConfigurationError: the algorithms or the claims are not acceptable.
        """
        if not algorithms or set(algorithms) - set(ALLOWED):
            raise ConfigurationError("only asymmetric signature algorithms may verify tokens")
        if unknown := set(claims or ()) - set(Subject.model_fields):
            raise ConfigurationError(f"a subject has no {', '.join(sorted(unknown))}")
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._algorithms = list(algorithms)
        self._skew = skew_seconds
        self._claims = dict(claims or {})
        self._used: TLRUCache[str, float] | None = None
        self._now = 0.0
        if once:
            self._used = TLRUCache(_REMEMBERED, ttu=lambda _, until, __: until, timer=lambda: self._now)

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
            raise TokenInvalidError("the token is not signed by a key we accept") from error
        self._check(claims, now.timestamp())
        self._use(claims, now.timestamp())
        return self._subject(claims)

    def _subject(self, claims: dict[str, Any]) -> Subject:
        said = {field: _at(claims, self._claims.get(field, field)) for field in Subject.model_fields}
        if isinstance(said["scope"], list):
            said["scope"] = " ".join(map(str, said["scope"]))
        try:
            return Subject.model_validate({field: value for field, value in said.items() if value is not None})
        except ValidationError as error:
            fields = [str(problem["loc"][0]) for problem in error.errors()]
            missing = [self._claims.get(field, field) for field in fields]
            raise ClaimMissingError(
                f"the token lacks a usable claim: {', '.join(missing)}",
                fields=[(name, "is missing or of the wrong type") for name in missing],
            ) from error

    def _use(self, claims: dict[str, Any], now: float) -> None:
        if self._used is None:
            return
        self._now = now
        name = claims.get("jti")
        if not isinstance(name, str) or not name:
            raise TokenInvalidError("the token has no jti, and tokens are believed once here")
        if name in self._used:
            raise TokenReplayedError("the token was used before")
        self._used.expire()
        if len(self._used) >= _REMEMBERED:
            raise TokenReplayedError("more tokens were used than can be told apart")
        self._used[name] = claims["exp"] + 2 * self._skew

    def _check(self, claims: dict[str, Any], now: float) -> None:
        if claims.get("iss") != self._issuer:
            raise TokenInvalidError("the token is by another issuer")
        audience = claims.get("aud")
        if self._audience not in (audience if isinstance(audience, list) else [audience]):
            raise TokenAudienceError("the token is for another audience")
        expiry, start = claims.get("exp"), claims.get("nbf", 0)
        if not isinstance(expiry, int | float) or now > expiry + self._skew:
            raise TokenExpiredError("the token has expired")
        if not isinstance(start, int | float) or now < start - self._skew:
            raise TokenExpiredError("the token is not valid yet")


def _at(claims: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 - any JSON value
    """The claim of a name, or at a path with dots into objects; None where there is none."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found

"""
Bearer tokens, verified by joserfc.

Rules held here: only the algorithms of the setting, all of them asymmetric; signature, issuer, audience,
expiry and not-before are checked before any claim is believed; a claim that decisions need must be there.
"""

import json

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import httpx

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from pydantic import ValidationError

from gateway.errors import (
    ClaimMissingError,
    ConfigurationError,
    TokenAudienceError,
    TokenExpiredError,
    TokenInvalidError,
)
from gateway.model import Subject

ALLOWED: Final = ("EdDSA", "ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "Ed25519")


class JwtVerifier:
    """A `gateway.ports.TokenVerifier` for JWTs of one issuer."""

    def __init__(
        self,
        keys: dict[str, Any],
        *,
        issuer: str,
        audience: str,
        algorithms: Sequence[str],
        skew_seconds: int,
    ) -> None:
        """
        Args:
            keys: a JWK set (RFC 7517).
            issuer: who must have issued the token.
            audience: for whom it must have been issued.
            algorithms: which signature algorithms are accepted.
            skew_seconds: how far clocks may be apart.

        Raises:
            ConfigurationError: the keys or the algorithms are not acceptable.
        """
        if not algorithms or set(algorithms) - set(ALLOWED):
            raise ConfigurationError("only asymmetric signature algorithms may verify tokens")
        try:
            self._keys = KeySet.import_key_set(keys)  # type: ignore[arg-type]
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise ConfigurationError("the token keys are not a JWK set") from error
        self._issuer = issuer
        self._audience = audience
        self._algorithms = list(algorithms)
        self._skew = skew_seconds

    async def verify(self, token: str, now: datetime) -> Subject:
        try:
            claims = jwt.decode(token, self._keys, algorithms=self._algorithms).claims
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise TokenInvalidError("the token is not signed by a key we accept") from error
        self._check(claims, now.timestamp())
        try:
            return Subject.model_validate(claims)
        except ValidationError as error:
            missing = [str(problem["loc"][0]) for problem in error.errors()]
            raise ClaimMissingError(
                f"the token lacks a usable claim: {', '.join(missing)}",
                fields=[(name, "is missing or of the wrong type") for name in missing],
            ) from error

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


def load_keys(location: str) -> dict[str, Any]:
    """
    A JWK set from a file or a URL.

    Raises:
        ConfigurationError: there is none.
    """
    try:
        if location.startswith(("https://", "http://")):
            return dict(httpx.get(location, timeout=5).raise_for_status().json())
        return dict(json.loads(Path(location).read_bytes()))
    except (httpx.HTTPError, OSError, ValueError) as error:
        raise ConfigurationError(f"no JWK set at {location}") from error

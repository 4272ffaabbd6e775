"""Bearer tokens as a trust layer would sign them, and a verifier for them."""

from typing import Any, Final

import yaml

from joserfc import jwt
from joserfc.jwk import ECKey

from adapters.identity.jose import JwtVerifier
from adapters.identity.jwks import FixedKeys, key_set
from gateway.settings import HOME
from tests.support.clock import NOW

EVERY_AGENT: Final = sorted(yaml.safe_load((HOME / "policies/registry/agents/data.yaml").read_text()))
"""Ids of all registered agents."""

CLAIMS: Final = {
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


def new_key(kid: str) -> ECKey:
    """A fresh key on P-256 with a key id."""
    return ECKey.generate_key("P-256", {"kid": kid})


def published(*keys: Any) -> dict[str, Any]:
    """The public halves of keys, as a JWK set."""
    return {"keys": [key.as_dict(private=False) for key in keys]}


def signed(key: Any, algorithm: str = "ES256", **changes: Any) -> str:
    """A token with `CLAIMS`, some of them changed or, if None, left out."""
    claims = {name: value for name, value in {**CLAIMS, **changes}.items() if value is not None}
    return jwt.encode({"alg": algorithm, "kid": key.kid}, claims, key, algorithms=[algorithm])


def verifier(keys: Any, **changes: Any) -> JwtVerifier:
    """A verifier of such tokens, by a JWK set or by an object that answers `keys`."""
    fixed = FixedKeys(key_set(keys)) if isinstance(keys, dict) else keys
    given = {"issuer": "trust", "audience": "ctxgate", "algorithms": ["ES256"], "skew_seconds": 30, **changes}
    return JwtVerifier(fixed, **given)

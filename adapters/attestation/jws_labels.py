"""
Signatures over labels: a JWS with a detached payload (RFC 7515, appendix F), verified by joserfc.

The payload is the JCS (RFC 8785) of `{"labels": …, "sha256": …}`: the item's provenance without what is null, and the SHA-256
of its content.  Who signed, when, and with which key stands in the protected header: `iss`, `iat`, `kid`.
"""

import base64

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal

from cachetools import LRUCache
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, Key, OKPKey

from gateway.model import Candidate, SourceEntry, utc_text
from gateway.model.policy_input import AttestationFacts
from ledger.canonical import jcs

ALGORITHMS: Final = ("EdDSA", "Ed25519", "ES256")
DEVELOPMENT: Final = "development"
"""Issuer of what a development key signed."""

_LATEST: Final = 253_402_300_800
"""The year 10000, in seconds since 1970."""

_REGISTRY: Final = jws.JWSRegistry(algorithms=list(ALGORITHMS), strict_check_header=False)


def payload_of(item: Candidate) -> bytes:
    """What is signed."""
    labels = item.provenance.model_dump(exclude_none=True)
    return jcs({"labels": labels, "sha256": item.digest})


class JwsLabelVerifier:
    """A `gateway.ports.attestation.LabelVerifier` for signatures of the registry's sources, and of a development key."""

    def __init__(self, development: dict[str, Any] | None = None, *, remembered: int = 50_000) -> None:
        """
        Args:
            development: the public development key, where it is believed.
            remembered: for how many signatures it is remembered whether they hold.
        """
        self._development = None if development is None else OKPKey.import_key(development)
        self._seen: LRUCache[tuple[str, bytes, str], bool] = LRUCache(remembered)

    def verify(self, item: Candidate, sources: Mapping[str, SourceEntry], now: datetime) -> AttestationFacts | None:
        if item.attestation is None:
            return None
        try:
            header: Mapping[str, Any] = jws.extract_compact(item.attestation.encode()).headers()
        except (JoseError, ValueError):
            header = {}
        issuer, kid, at = header.get("iss"), header.get("kid"), header.get("iat")
        issuer, kid = (issuer if isinstance(issuer, str) else ""), (kid if isinstance(kid, str) else "")
        key = self._key(issuer, kid, sources)
        moment = _moment(at)
        method: Literal["signature", "development"] = "development" if issuer == DEVELOPMENT else "signature"
        return {
            "method": method,
            "issuer": issuer,
            "key": kid,
            "signed_at": None if moment is None else utc_text(moment),
            "age_seconds": None if moment is None else int((now - moment).total_seconds() // 1),
            "verified": key is not None and moment is not None and self._holds(item, key),
        }

    def _key(self, issuer: str, kid: str, sources: Mapping[str, SourceEntry]) -> Key | None:
        if issuer == DEVELOPMENT:
            return self._development
        source = sources.get(issuer)
        jwk = next((key.jwk for key in source.keys if key.kid == kid), None) if source else None
        if jwk is None:
            return None
        return ECKey.import_key(jwk) if jwk.get("kty") == "EC" else OKPKey.import_key(jwk)

    def _holds(self, item: Candidate, key: Key) -> bool:
        payload = payload_of(item)
        seen = (str(item.attestation), payload, key.thumbprint())
        if seen not in self._seen:
            self._seen[seen] = _verified(str(item.attestation), payload, key)
        return self._seen[seen]


def _moment(value: object) -> datetime | None:
    """The time that a header states in seconds since 1970; None where it states none between then and the year 9999."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _LATEST:
        return None
    return datetime.fromtimestamp(value, UTC)


def _verified(signature: str, payload: bytes, key: Key) -> bool:
    header, _, mark = signature.split(".")
    body = base64.urlsafe_b64encode(payload).decode().rstrip("=")
    try:
        jws.deserialize_compact(f"{header}.{body}.{mark}".encode(), key, registry=_REGISTRY)
    except (JoseError, ValueError):
        return False
    return True


def sign(item: Candidate, key: Key, *, issuer: str, at: datetime, algorithm: str = "Ed25519") -> str:
    """The signature over an item's labels and content, as it stands in a request."""
    header = {"alg": algorithm, "kid": str(key.kid), "iss": issuer, "iat": int(at.timestamp())}
    whole = jws.serialize_compact(header, payload_of(item), key, registry=_REGISTRY)
    protected, _, mark = whole.split(".")
    return f"{protected}..{mark}"

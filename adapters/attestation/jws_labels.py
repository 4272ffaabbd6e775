"""
Signatures over labels: a JWS with a detached payload (RFC 7515, appendix F), verified by joserfc.

The payload is the JCS (RFC 8785) of `{"labels": …, "sha256": …}`: the item's provenance without what is null, and the SHA-256
of its content.  Who signed, when, and with which key stands in the protected header: `iss`, `iat`, `kid`.

Rules held here: the header has these members and `alg`, and no other, so that nothing in it can bring a key or change how it is
read; the algorithm is the one of the key on record, whatever the header would like; a key is found by issuer and id together.
"""

import base64
import binascii
import hashlib
import json

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Final, Literal

from cachetools import LRUCache
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, Key, OKPKey

from gateway.model import Candidate, SourceEntry, utc_text
from gateway.model.policy_input import AttestationFacts
from ledger.canonical import jcs

DEVELOPMENT: Final = "development"
"""Issuer of what a development key signed."""

_MEMBERS: Final = {"alg", "kid", "iss", "iat"}
_LATEST: Final = 253_402_300_800
"""The year 10000, in seconds since 1970."""

_NAME: Final = 200
"""Characters of an issuer or a key id, at most."""

_SIGNATURE: Final = 64
"""Bytes of a signature, of Ed25519 and of ES256 (RFC 8037, RFC 7518 section 3.4)."""

_REGISTRIES: Final = 8
"""So many registries have their keys in memory at once: the one that decides, and those that were replaced or are tried."""

_FAILURES: Final = 10_000
"""So many signatures are remembered not to hold; apart from the others, which nobody can crowd out with these."""


@dataclass(frozen=True, slots=True)
class _Key:
    """A public key, ready to verify with."""

    key: Key
    verify: Callable[[bytes, bytes, Any], bool]
    """Whether a signature, the second, is one over the first, by the key, the third."""

    names: frozenset[str]
    """What a header may call the algorithm."""

    mark: bytes
    """Tells this key from all others."""


@dataclass(frozen=True, slots=True)
class _Signature:
    """A signature as it came, read."""

    protected: bytes
    algorithm: str
    issuer: str
    kid: str
    at: datetime
    mark: bytes


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
            remembered: of how many signatures it is remembered that they hold.
        """
        self._development = None if development is None else _imported(development)
        self._good: LRUCache[bytes, bool] = LRUCache(remembered)
        self._bad: LRUCache[bytes, bool] = LRUCache(_FAILURES)
        self._keys: LRUCache[int, tuple[Mapping[str, SourceEntry], dict[tuple[str, str], _Key]]] = LRUCache(_REGISTRIES)
        # Items of several requests are verified in threads at the same time, and an LRU changes when it is read.
        self._lock = Lock()

    def verify(self, item: Candidate, sources: Mapping[str, SourceEntry], now: datetime) -> AttestationFacts | None:
        if item.attestation is None:
            return None
        signature = _read(item.attestation)
        if signature is None:
            return _facts("signature", "", None, None, verified=False)
        key = self._key(signature, sources)
        return _facts(
            "development" if signature.issuer == DEVELOPMENT else "signature",
            signature.issuer,
            signature,
            now,
            verified=key is not None and signature.algorithm in key.names and self._holds(item, signature, key),
        )

    def _key(self, signature: _Signature, sources: Mapping[str, SourceEntry]) -> _Key | None:
        if signature.issuer == DEVELOPMENT:
            return self._development
        return self._keys_of(sources).get((signature.issuer, signature.kid))

    def _keys_of(self, sources: Mapping[str, SourceEntry]) -> dict[tuple[str, str], _Key]:
        """The keys of a registry by issuer and id, imported once for each registry."""
        with self._lock:
            known = self._keys.get(id(sources))
        # The mapping is held beside its keys, so that no other one can be at its address.
        if known is not None and known[0] is sources:
            return known[1]
        found = {
            (issuer, key.kid): imported
            for issuer, source in sources.items()
            for key in source.keys
            if (imported := _imported(key.jwk)) is not None
        }
        with self._lock:
            self._keys[id(sources)] = (sources, found)
        return found

    def _holds(self, item: Candidate, signature: _Signature, key: _Key) -> bool:
        body = base64.urlsafe_b64encode(payload_of(item)).rstrip(b"=")
        signed = signature.protected + b"." + body
        seen = hashlib.sha256(key.mark + signature.mark + signed).digest()
        with self._lock:
            known = self._good.get(seen) or self._bad.get(seen)
        if known is None:
            known = key.verify(signed, signature.mark, key.key)
            with self._lock:
                (self._good if known else self._bad)[seen] = known
        return known


def _facts(
    method: Literal["signature", "development"],
    issuer: str,
    signature: _Signature | None,
    now: datetime | None,
    *,
    verified: bool,
) -> AttestationFacts:
    return {
        "method": method,
        "issuer": issuer,
        "key": signature.kid if signature else "",
        "signed_at": utc_text(signature.at) if signature else None,
        "age_seconds": int((now - signature.at).total_seconds() // 1) if signature and now else None,
        "verified": verified,
    }


def _read(attestation: str) -> _Signature | None:
    """A signature in compact form; None where it is none of ours, or is written in another way than by whoever signs."""
    protected, _, mark = attestation.partition("..")
    header, signature = _object(_bytes(protected)), _bytes(mark)
    if header.keys() != _MEMBERS or signature is None or len(signature) != _SIGNATURE:
        return None
    algorithm, kid, issuer, at = (header[name] for name in ("alg", "kid", "iss", "iat"))
    if not (isinstance(algorithm, str) and _is_name(kid) and _is_name(issuer)):
        return None
    # A boolean is an integer to Python.
    if type(at) is not int or not 0 <= at < _LATEST:
        return None
    return _Signature(protected.encode(), algorithm, issuer, kid, datetime.fromtimestamp(at, UTC), signature)


def _bytes(text: str) -> bytes | None:
    """What base64url stands for; None where it is not written in the one way that an encoder writes it."""
    try:
        value = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        return None
    # The last character may hold bits that stand for nothing: a signature has one form, so that none passes for another.
    return value if base64.urlsafe_b64encode(value).decode().rstrip("=") == text else None


def _object(body: bytes | None) -> dict[str, Any]:
    """A JSON object that names each member once; an empty one for everything else."""
    try:
        members = json.loads((body or b"").decode(), object_pairs_hook=_distinct)
    except (ValueError, RecursionError):
        return {}
    return members if isinstance(members, dict) else {}


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member stands there twice")
    return members


def _is_name(value: object) -> bool:
    # What goes into the facts is written down as UTF-8, which has no lone surrogates.
    return isinstance(value, str) and 0 < len(value) <= _NAME and not any("\ud800" <= one <= "\udfff" for one in value)


def _imported(jwk: Mapping[str, Any]) -> _Key | None:
    """A public key for Ed25519 or ES256; None for every other, also for one that is not on its curve."""
    curve = (jwk.get("kty"), jwk.get("crv"))
    try:
        if curve == ("OKP", "Ed25519"):
            okp = OKPKey.import_key({name: str(jwk[name]) for name in ("kty", "crv", "x")})
            return _ready(okp, "Ed25519", "EdDSA")
        if curve == ("EC", "P-256"):
            ec = ECKey.import_key({name: str(jwk[name]) for name in ("kty", "crv", "x", "y")})
            return _ready(ec, "ES256")
    except (JoseError, KeyError, ValueError):
        pass
    return None


def _ready(key: Key, *names: str) -> _Key:
    key.get_op_key("verify")  # lazy elsewhere: a point that is not on the curve shows here
    return _Key(key, jws.JWSRegistry.algorithms[names[0]].verify, frozenset(names), key.thumbprint().encode())


def sign(item: Candidate, key: Key, *, issuer: str, at: datetime, algorithm: str = "Ed25519") -> str:
    """The signature over an item's labels and content, as it stands in a request."""
    header = {"alg": algorithm, "kid": str(key.kid), "iss": issuer, "iat": int(at.timestamp())}
    protected = base64.urlsafe_b64encode(jcs(header)).rstrip(b"=")
    signed = protected + b"." + base64.urlsafe_b64encode(payload_of(item)).rstrip(b"=")
    mark = jws.JWSRegistry.algorithms[algorithm].sign(signed, key)
    return f"{protected.decode()}..{base64.urlsafe_b64encode(mark).decode().rstrip('=')}"

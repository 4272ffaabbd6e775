"""
What a source signs: a JWS with a detached payload (RFC 7515, appendix F).

The payload is the JCS of `{"labels": …, "sha256": …}`: the labels without what is null, and the SHA-256 of the content with text
and JSON kept apart.
"""

import base64
import hashlib
import json

from collections.abc import Mapping
from datetime import UTC, datetime

from joserfc import jws

from ctxgate_source.jcs import canonical
from ctxgate_source.keys import SigningKey


def content_digest(content: object) -> str:
    """
    SHA-256 in hex: of "text:" and the UTF-8 of a text, or of "json:" and the JCS of any other JSON value.

    Raises:
        ValueError: the content is not JSON, or holds what not every reader reads alike.
    """
    body = b"text:" + content.encode() if isinstance(content, str) else b"json:" + canonical(content)
    return hashlib.sha256(body).hexdigest()


def payload(labels: Mapping[str, object], content: object) -> bytes:
    """
    The bytes that are signed.

    Raises:
        ValueError: labels or content are not JSON, or hold what not every reader reads alike.
    """
    said = {name: label for name, label in labels.items() if label is not None}
    return canonical({"labels": said, "sha256": content_digest(content)})


def sign_labels(
    labels: Mapping[str, object],
    content: object,
    key: SigningKey,
    issuer: str,
    *,
    at: datetime | None = None,
) -> str:
    """
    The signature over labels and content, for `attestation` of an item.

    Args:
        labels: the item's `provenance`, as it will stand in the request; what is null need not be there.
        content: a text, or any JSON value.
        key: the private key, with its id; the algorithm follows from it.
        issuer: id of the source in the gateway's registry.
        at: when it is signed, with an offset from UTC; now if left out.

    Raises:
        ValueError: labels or content are not JSON, the time has no offset, or the key is of another kind or without an id.
    """
    moment = at or datetime.now(UTC)
    if moment.tzinfo is None:
        raise ValueError("the time of signing needs an offset from UTC")
    if not key.kid:
        raise ValueError("the key has no id")
    # Ed25519 is EdDSA's name since RFC 9864; the gateway takes either, and readers of older libraries know the other.
    algorithm, name = _algorithm(key)
    header = {"alg": name, "kid": key.kid, "iss": issuer, "iat": int(moment.timestamp())}
    protected = _base64url(json.dumps(header, separators=(",", ":")).encode())
    signed = f"{protected}.{_base64url(payload(labels, content))}".encode()
    mark = jws.JWSRegistry.algorithms[algorithm].sign(signed, key)
    return f"{protected}..{_base64url(mark)}"


def _algorithm(key: SigningKey) -> tuple[str, str]:
    """Joserfc's name for the algorithm of a key, and the one that goes into the header."""
    found = {("OKP", "Ed25519"): ("Ed25519", "EdDSA"), ("EC", "P-256"): ("ES256", "ES256")}.get(
        (key.key_type, key.curve_name)
    )
    if found is None or not key.is_private:
        raise ValueError("labels are signed with a private key for Ed25519 or P-256")
    return found


def _base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")

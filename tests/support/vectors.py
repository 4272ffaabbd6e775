"""The test vectors of label signatures, which are published for other implementations."""

import json

from adapters.attestation.jws_labels import JwsLabelVerifier
from gateway.model import Candidate, SourceEntry
from gateway.settings import HOME
from tests.support.clock import NOW

VECTORS = json.loads((HOME / "tests/vectors/attestation.json").read_text())


def sources_of(keys):
    """A registry's sources with one key each, as JWK by issuer; private parts are left out."""
    return {
        issuer: SourceEntry.model_validate(
            {
                "id": issuer,
                "kind": "brought",
                "keys": [
                    {
                        "kid": jwk["kid"],
                        "valid_from": "2026-01-01",
                        "jwk": {name: jwk[name] for name in ("kty", "crv", "x", "y") if name in jwk},
                    }
                ],
            }
        )
        for issuer, jwk in keys.items()
    }


def item_of(vector):
    """The item that a vector is about."""
    return Candidate.model_validate(
        {
            "id": "a",
            "section": "knowledge",
            "content": vector["content"],
            "provenance": vector["labels"],
            "attestation": vector["attestation"],
        }
    )


SOURCES = sources_of(VECTORS["keys"])


def verdict(item, verifier=None, sources=SOURCES, now=NOW):
    """What the gateway's verifier says of an item."""
    return (verifier or JwsLabelVerifier()).verify(item, sources, now)

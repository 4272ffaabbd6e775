"""Signatures over the labels of what a source or a tool hands to agents; the gateway verifies them."""

from ctxgate_source.jcs import canonical
from ctxgate_source.keys import Algorithm, SigningKey, make_key, read_key, registry_line, write_key
from ctxgate_source.labels import content_digest, payload, sign_labels
from ctxgate_source.tools import with_provenance

__all__ = [
    "Algorithm",
    "SigningKey",
    "canonical",
    "content_digest",
    "make_key",
    "payload",
    "read_key",
    "registry_line",
    "sign_labels",
    "with_provenance",
    "write_key",
]

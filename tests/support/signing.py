"""Who vouches for the items of tests."""

import json
import shutil

import yaml

from ctxgate_source import make_key, sign_labels
from gateway.bootstrap.keys import label_verifier, signed_for_development
from gateway.model import PackRequest, utc_text
from gateway.settings import HOME
from tests.support.clock import NOW

SOURCES = "registry/sources/data.yaml"


class VouchingLabels:
    """Vouches for every item that brings no signature of its own, as a development key would; the others are verified."""

    def __init__(self, settings):
        self._real = label_verifier(settings)

    def verify(self, item, sources, now):
        if item.attestation is not None:
            return self._real.verify(item, sources, now)
        return {
            "method": "development",
            "issuer": "development",
            "key": "development",
            "signed_at": utc_text(now),
            "age_seconds": 0,
            "verified": True,
        }


def signed(request, settings, now=NOW):
    """The request as a document with every item signed by the development key of a gateway's settings."""
    whole = signed_for_development(PackRequest.model_validate(request), settings, now)
    return whole.model_dump(mode="json", exclude_none=True)


class Owner:
    """Somebody who owns items: signs their labels with a key that a bundle lists under a source."""

    def __init__(self, issuer, algorithm="EdDSA", kid="k1"):
        self.issuer = issuer
        self.key = make_key(kid, algorithm)

    def entry(self, valid_from="2026-01-01", **more):
        """The key's entry under the source in the registry, with `retired_at` or `revoked_at`."""
        jwk = {
            name: value for name, value in self.key.as_dict(private=False).items() if name in {"kty", "crv", "x", "y"}
        }
        return {"kid": self.key.kid, "valid_from": valid_from, "jwk": jwk, **more}

    def signs(self, item, now=NOW, **labels):
        """An item of a request with some labels changed, signed."""
        said = {**item["provenance"], **labels}
        mark = sign_labels(said, item["content"], self.key, self.issuer, at=now)
        return {**item, "provenance": said, "attestation": mark}


def bundle_with(folder, keys, grants=None):
    """
    A copy of the shipped bundle in a new folder.

    Args:
        folder: where; it is not there yet.
        keys: entries of keys by source; a source that is not shipped is made, without a grant.
        grants: by source, members of its grant that are others.
    """
    shutil.copytree(HOME / "policies", folder)
    sources = yaml.safe_load((folder / SOURCES).read_text())
    for issuer, entries in keys.items():
        sources.setdefault(issuer, {"kind": "brought"})["keys"] = entries
    for issuer, grant in (grants or {}).items():
        sources[issuer]["grant"] = {**sources[issuer].get("grant", {}), **grant}
    (folder / SOURCES).write_text(json.dumps(sources, indent=2))
    return folder

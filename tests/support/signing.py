"""Who vouches for the items of tests."""

from gateway.bootstrap.keys import label_verifier
from gateway.model import utc_text


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

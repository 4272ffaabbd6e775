"""Tokens for development, signed by a key made at first run.  Unsafe anywhere else, and says so."""

import json
import os

from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.jwk import KeySet, OKPKey


class UnsafeDevelopmentIssuer:
    """Stands in for the trust layer on one machine."""

    def __init__(self, key_file: Path) -> None:
        if not key_file.exists():
            key_file.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            key = OKPKey.generate_key("Ed25519", {"kid": "development", "use": "sig"})
            with os.fdopen(descriptor, "w") as file:
                json.dump(key.as_dict(private=True), file)
        self.key = OKPKey.import_key(json.loads(key_file.read_bytes()))

    def jwks(self) -> dict[str, Any]:
        """The public key as a JWK set."""
        return dict(KeySet([self.key]).as_dict(private=False))

    def token(self, claims: dict[str, Any]) -> str:
        """A signed JWT with exactly these claims."""
        return str(jwt.encode({"alg": "Ed25519", "kid": "development"}, claims, self.key, algorithms=["Ed25519"]))

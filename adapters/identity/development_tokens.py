"""Tokens for development, signed by a key made at first run.  Unsafe anywhere else, and says so."""

import contextlib
import json
import os
import tempfile

from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.jwk import KeySet, OKPKey


class UnsafeDevelopmentIssuer:
    """Stands in for the trust layer on one machine."""

    def __init__(self, key_file: Path) -> None:
        if not key_file.exists():
            key_file.parent.mkdir(parents=True, exist_ok=True)
            key = OKPKey.generate_key("Ed25519", {"kid": "development", "use": "sig"})
            _write_once(key_file, json.dumps(key.as_dict(private=True)))
        self.key = OKPKey.import_key(json.loads(key_file.read_bytes()))

    def jwks(self) -> dict[str, Any]:
        """The public key as a JWK set."""
        return dict(KeySet([self.key]).as_dict(private=False))

    def token(self, claims: dict[str, Any]) -> str:
        """A signed JWT with exactly these claims."""
        return str(jwt.encode({"alg": "Ed25519", "kid": "development"}, claims, self.key, algorithms=["Ed25519"]))


def _write_once(path: Path, text: str) -> None:
    """Write a file of the owner alone, whole or not at all; where another process was faster, its file stays."""
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    with contextlib.suppress(FileExistsError):
        os.link(name, path)
    Path(name).unlink()

"""Keys of a source: made, kept in a file for their owner alone, and printed as the line that the gateway's registry needs."""

import json
import os

from datetime import date
from pathlib import Path
from typing import Literal

from joserfc.jwk import ECKey, KeyParameters, OKPKey

Algorithm = Literal["EdDSA", "ES256"]
SigningKey = OKPKey | ECKey


def make_key(kid: str, algorithm: Algorithm = "EdDSA") -> SigningKey:
    """A new private key with an id: Ed25519 for EdDSA, P-256 for ES256."""
    parameters: KeyParameters = {"kid": kid, "use": "sig", "alg": algorithm}
    if algorithm == "EdDSA":
        return OKPKey.generate_key("Ed25519", parameters)
    return ECKey.generate_key("P-256", parameters)


def write_key(key: SigningKey, path: Path) -> None:
    """
    Write the private key as a JWK into a new file that its owner alone may read.

    Raises:
        FileExistsError: there is such a file; a key is never written over another.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(key.as_dict(private=True), file)


def read_key(path: str | Path) -> SigningKey:
    """
    The private key in a file.

    Raises:
        ValueError: it holds no private key for Ed25519 or P-256 with an id.
    """
    jwk = json.loads(Path(path).read_bytes())
    curve = (jwk.get("kty"), jwk.get("crv")) if isinstance(jwk, dict) else None
    if curve not in {("OKP", "Ed25519"), ("EC", "P-256")} or not {"d", "kid"} <= jwk.keys():
        raise ValueError("the file holds no private key for Ed25519 or P-256 with a kid")
    return OKPKey.import_key(jwk) if jwk["kty"] == "OKP" else ECKey.import_key(jwk)


def registry_line(key: SigningKey, valid_from: date) -> str:
    """The line of YAML under `keys` of the source in `policies/registry/sources/data.yaml`: the public half, and from when on."""
    jwk = {name: value for name, value in key.as_dict(private=False).items() if name in {"kty", "crv", "x", "y"}}
    kid = json.dumps(str(key.kid), ensure_ascii=False)
    return f'- {{kid: {kid}, valid_from: "{valid_from.isoformat()}", jwk: {json.dumps(jwk)}}}'

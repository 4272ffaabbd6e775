"""Keys for bundle signatures: PEM files, JWTs by joserfc, in the form that OPA verifies."""

from pathlib import Path
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey

from gateway.errors import BundleInvalidError, ConfigurationError

_ALGORITHMS: Final = {"EC": "ES256", "RSA": "RS256"}


class BundleKey:
    """An EC (P-256) or RSA key; a private one signs, either verifies."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            ConfigurationError: the file holds no such key.
        """
        try:
            pem = path.read_bytes()
        except OSError as error:
            raise ConfigurationError(f"no key at {path}") from error
        self._key = _import(pem, path)
        self._algorithm = _ALGORITHMS[self._key.key_type]

    def sign(self, payload: dict[str, Any]) -> str:
        """A JWT with the payload; the key id is OPA's default one."""
        header = {"alg": self._algorithm, "kid": "default"}
        return str(jwt.encode(header, payload, self._key, algorithms=[self._algorithm]))

    def verify(self, token: str) -> dict[str, Any]:
        """
        The payload of a JWT by this key.

        Raises:
            BundleInvalidError: it is by another key.
        """
        try:
            return dict(jwt.decode(token, self._key, algorithms=[self._algorithm]).claims)
        except (JoseError, ValueError) as error:
            raise BundleInvalidError("the archive is not signed by the configured key") from error


def _import(pem: bytes, path: Path) -> ECKey | RSAKey:
    for kind in (ECKey, RSAKey):
        try:
            return kind.import_key(pem)
        except (JoseError, ValueError, TypeError):
            continue
    raise ConfigurationError(f"{path} holds neither an EC nor an RSA key in PEM")

"""Keys of logs and witnesses: read, made once, refused."""

import pytest

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier, make_signing_key
from gateway.errors import ConfigurationError
from tests.support.strategies import ORIGIN


def test_the_key_of_the_specification():
    """
    The example verifier key of c2sp.org/signed-note is read, and its hash is checked.
    """
    vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    Ed25519Verifier(vkey)
    for bad in ("PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "x", "a+b+c", vkey + "AAAA"):
        with pytest.raises(ConfigurationError):
            Ed25519Verifier(bad)


def test_a_key_file_is_made_once(tmp_path):
    """
    A signing key is readable by its owner alone, is never written over, and a damaged file is refused.
    """
    path = tmp_path / "keys" / "ledger.skey"
    made = make_signing_key(ORIGIN, path)
    assert made.key == Ed25519Signer.from_file(path).key
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ConfigurationError, match="already"):
        make_signing_key(ORIGIN, path)
    for damaged in ("short", made.secret.replace("PRIVATE", "PUBLIC"), made.secret[:-6] + "AAAAA="):
        path.write_text(damaged)
        with pytest.raises(ConfigurationError):
            Ed25519Signer.from_file(path)
    with pytest.raises(ConfigurationError, match="named"):
        make_signing_key("two words", tmp_path / "other")

"""Keys of logs and witnesses: read, made once, refused."""

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier, make_signing_key
from gateway.errors import ConfigurationError
from ledger.tlog.note import COSIGNATURE, ED25519
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


class TestVectors:
    """RFC 8032 section 7.1, test 2."""

    SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    SIGNATURE = bytes.fromhex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )

    def test_signing_and_verifying(self):
        """
        A signature is that of the RFC, and holds for its message alone.
        """
        signer = Ed25519Signer("log.test", Ed25519PrivateKey.from_private_bytes(self.SEED))
        assert (signer.key.public, signer.sign(b"\x72")) == (self.PUBLIC, self.SIGNATURE)
        verifier = Ed25519Verifier(signer.key)
        assert verifier.verify(self.SIGNATURE, b"\x72")
        assert not verifier.verify(self.SIGNATURE, b"\x73")
        assert not verifier.verify(self.SIGNATURE[:-1], b"\x72")

    @pytest.mark.parametrize("algorithm", [ED25519, COSIGNATURE])
    def test_a_key_reads_back(self, algorithm):
        """
        A signing key as text is the same key again, of the same kind, and its text is its file's and nothing else's.
        """
        signer = Ed25519Signer("log.test", Ed25519PrivateKey.from_private_bytes(self.SEED), algorithm)
        again = Ed25519Signer.parse(f"{signer.secret}\n")
        assert (again.key, again.sign(b"x")) == (signer.key, signer.sign(b"x"))
        assert signer.secret not in f"{signer} {signer.key!r}"


def test_a_file_that_is_not_there(tmp_path):
    """
    A key that is missing, or is no text, is named by its path.
    """
    (tmp_path / "bytes.skey").write_bytes(b"\xff\xfe")
    for name in ("none.skey", "bytes.skey"):
        with pytest.raises(ConfigurationError, match=name):
            Ed25519Signer.from_file(tmp_path / name)

"""Keys for bundle signatures: PEM files of the two kinds that OPA verifies."""

import pytest

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from joserfc import jws

from adapters.policy.bundle_keys import BundleKey
from gateway.errors import BundleInvalidError, ConfigurationError

PAYLOAD = {"files": [{"name": "a.rego", "hash": "x"}]}


def written(folder, key, name):
    """The private and the public half of a key, each in a file."""
    private, public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return BundleKey(private), BundleKey(public)


@pytest.fixture(
    params=[
        ("ES256", lambda: ec.generate_private_key(ec.SECP256R1())),
        ("RS256", lambda: rsa.generate_private_key(65537, 2048)),
    ],
    ids=["EC", "RSA"],
)
def halves(request, tmp_path):
    """A key's algorithm, and its two halves."""
    algorithm, make = request.param
    return algorithm, *written(tmp_path, make(), "key")


def test_either_half_verifies(halves):
    """
    What the private half signed is read by both, in the form and under the key id that OPA expects.
    """
    algorithm, private, public = halves
    token = private.sign(PAYLOAD)
    assert private.verify(token) == public.verify(token) == PAYLOAD
    headers = jws.extract_compact(token.encode()).headers()
    assert {name: headers[name] for name in ("alg", "kid")} == {"alg": algorithm, "kid": "default"}


def test_another_key_or_text(halves, tmp_path):
    """
    A signature by another key, a changed one, and what is no signature are refused.
    """
    _, private, public = halves
    other, _ = written(tmp_path, ec.generate_private_key(ec.SECP256R1()), "other")
    head, payload, signature = private.sign(PAYLOAD).split(".")
    for token in (other.sign(PAYLOAD), f"{head}.{payload}x.{signature}", f"{head}.{payload}.", "x", ""):
        with pytest.raises(BundleInvalidError, match="not signed"):
            public.verify(token)


def test_a_public_key_is_no_shared_secret(halves):
    """
    A token whose writer used the public key as a secret, or no key at all, is refused.
    """
    _, private, public = halves
    _, payload, signature = private.sign(PAYLOAD).split(".")
    for header in ("eyJhbGciOiJub25lIn0", "eyJhbGciOiJIUzI1NiJ9"):
        with pytest.raises(BundleInvalidError):
            public.verify(f"{header}.{payload}.{signature}")


def test_files_that_hold_no_such_key(tmp_path):
    """
    A file that is missing, holds no PEM or a key of another kind is refused with its path.
    """
    (tmp_path / "text.pem").write_text("not a key")
    (tmp_path / "other.pem").write_bytes(
        ed25519.Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    for name in ("none.pem", "text.pem", "other.pem"):
        with pytest.raises(ConfigurationError, match=name.replace(".", r"\.")):
            BundleKey(tmp_path / name)

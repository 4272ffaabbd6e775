"""Tokens for development: signed by a key of this machine, with exactly the claims that were asked for."""

import json

from adapters.identity.development_tokens import UnsafeDevelopmentIssuer
from tests.support.clock import NOW
from tests.support.tokens import CLAIMS, verifier


async def test_its_tokens_are_believed_by_its_keys(tmp_path):
    """
    A verifier with the issuer's public keys believes its tokens, and those alone.
    """
    issuer = UnsafeDevelopmentIssuer(tmp_path / "dev.jwk")
    checked = verifier(issuer.jwks(), algorithms=["Ed25519"])
    subject = await checked.verify(issuer.token(CLAIMS), NOW)
    assert (subject.sub, subject.tenant) == (CLAIMS["sub"], CLAIMS["tenant"])


async def test_the_key_is_made_once(tmp_path):
    """
    The key is readable by its owner alone and stays, so that tokens outlive a restart.
    """
    path = tmp_path / "keys/dev.jwk"
    token = UnsafeDevelopmentIssuer(path).token(CLAIMS)
    written = path.read_bytes()
    again = UnsafeDevelopmentIssuer(path)
    assert (path.stat().st_mode & 0o777, path.read_bytes()) == (0o600, written)
    assert (await verifier(again.jwks(), algorithms=["Ed25519"]).verify(token, NOW)).sub == CLAIMS["sub"]


def test_the_private_half_stays(tmp_path):
    """
    What is published of the key is its public half.
    """
    path = tmp_path / "dev.jwk"
    [published] = UnsafeDevelopmentIssuer(path).jwks()["keys"]
    private = json.loads(path.read_bytes())
    assert "d" in private
    assert "d" not in published
    assert published["x"] == private["x"]

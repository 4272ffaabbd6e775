"""Keys: made at first use, rotated without losing the old one, and believed only where they say what is expected."""

import httpx
import pytest

from gateway.bootstrap.keys import log_keys, new_signing_key, signing_key, token_verifier, verifiers
from gateway.errors import ConfigurationError


def test_a_key_is_made_once(settings):
    """
    The key of the log is made at first use, readable by its owner alone, and is the same from then on.
    """
    assert log_keys(settings) == ()
    made = signing_key(settings)
    assert signing_key(settings).key == made.key
    assert settings.signing_key.stat().st_mode & 0o777 == 0o600
    assert [verifier.key for verifier in log_keys(settings)] == [made.key]


def test_rotation_keeps_what_was_signed_before(settings):
    """
    After a rotation the new key signs and is named first; the old one is put away, and still verifies.
    """
    old = signing_key(settings)
    new = new_signing_key(settings)
    assert signing_key(settings).key == new.key != old.key
    assert [verifier.key for verifier in log_keys(settings)] == [new.key, old.key]
    assert len(list(settings.signing_key.parent.glob("*.old"))) == 1


def test_the_key_of_another_log(settings):
    """
    A key that names another log is refused, so that two logs never look like one.
    """
    signing_key(settings)
    with pytest.raises(ConfigurationError, match=r"named .*, not other\.example"):
        signing_key(settings.model_copy(update={"origin": "other.example"}))


def test_what_is_no_verifier_key():
    """
    A text that is no verifier key is refused.
    """
    with pytest.raises(ConfigurationError):
        verifiers(["not a key"])


@pytest.mark.parametrize("answer", [httpx.Response(500), httpx.Response(200, text="no keys")])
async def test_the_gateway_does_not_start_without_the_trust_layers_keys(settings, answer):
    """
    Where keys are to be fetched and cannot be, the gateway does not start.
    """
    chosen = settings.model_copy(update={"jwks": "https://trust.example/jwks"})
    async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: answer)) as client:
        with pytest.raises(ConfigurationError, match="no JWK set"):
            await token_verifier(chosen, client, None)


async def test_a_file_of_keys_that_is_missing(settings, tmp_path):
    """
    Where keys are to be in a file, that must be there.
    """
    chosen = settings.model_copy(update={"jwks": str(tmp_path / "none.json")})
    async with httpx.AsyncClient() as client:
        with pytest.raises(ConfigurationError):
            await token_verifier(chosen, client, None)

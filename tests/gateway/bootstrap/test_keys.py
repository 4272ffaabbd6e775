"""Keys: believed only where they say what is expected."""

import httpx
import pytest

from gateway.bootstrap.keys import token_verifier, verifiers
from gateway.errors import ConfigurationError


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

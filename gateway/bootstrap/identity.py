"""Who somebody is, outside a running server: by a bearer token, verified as the HTTP API would."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime

import httpx

from adapters.identity.jose import JwtVerifier
from adapters.shared.tls import authorities
from gateway.bootstrap.keys import token_verifier
from gateway.bootstrap.stores import open_stores
from gateway.model import Subject
from gateway.ports.identity import UsedTokens
from gateway.settings import Settings


@asynccontextmanager
async def verifying(settings: Settings, used: UsedTokens | None) -> AsyncIterator[JwtVerifier]:
    """
    What verifies bearer tokens, with a client of its own for the keys.

    Raises:
        ConfigurationError: there are no keys where the setting says.
    """
    async with httpx.AsyncClient(verify=authorities()) as client:
        yield await token_verifier(settings, client, used)


async def verified(token: str, settings: Settings, now: datetime) -> Subject:
    """
    The person a bearer token stands for; where tokens are believed once, this was the one time.

    Raises:
        IdentityError: one of its kinds, by what is wrong with the token.

        ConfigurationError: there are no keys where the setting says.

        StoreError: tokens are believed once, and it is not known whether this one was used.
    """
    async with AsyncExitStack() as stack:
        used = None
        if settings.jwt_once:
            stores = open_stores(settings)
            stack.callback(stores.close)
            used = stores.used_tokens
        verifier = await stack.enter_async_context(verifying(settings, used))
        return await verifier.verify(token, now)

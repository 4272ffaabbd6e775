"""Who somebody is, outside a running server: by a bearer token, verified as the HTTP API would."""

from contextlib import AsyncExitStack
from datetime import datetime

import httpx

from gateway.bootstrap.keys import token_verifier
from gateway.bootstrap.stores import open_stores
from gateway.model import Subject
from gateway.settings import Settings


async def verified(token: str, settings: Settings, now: datetime) -> Subject:
    """
    The person a bearer token stands for; where tokens are believed once, this was the one time.

    Raises:
        IdentityError: one of its kinds, by what is wrong with the token.

        ConfigurationError: there are no keys where the setting says.

        StoreError: tokens are believed once, and it is not known whether this one was used.
    """
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx.AsyncClient())
        used = None
        if settings.jwt_once:
            stores = open_stores(settings)
            stack.callback(stores.close)
            used = stores.used_tokens
        verifier = await token_verifier(settings, client, used)
        return await verifier.verify(token, now)

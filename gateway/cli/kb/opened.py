"""The documents of this gateway, opened to be measured and learned from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gateway.bootstrap.finding import GatewayFindable
from gateway.bootstrap.gateway import running
from gateway.ports.finding import Findable
from gateway.settings import Settings


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Findable]:
    """
    The documents of the settings, searched as requests search them.

    Raises:
        GatewayError: the gateway cannot start as it is set.
    """
    async with running(settings) as gateway:
        yield GatewayFindable(gateway, gateway.knowledge.library(gateway.observer))

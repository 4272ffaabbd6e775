"""The documents of this gateway, opened to be measured and learned from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gateway.errors import ConfigurationError
from gateway.ports.finding import Findable
from gateway.settings import Settings


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Findable]:
    """
    The documents of the settings, searched as requests search them.

    Raises:
        ConfigurationError: there are none.
    """
    raise ConfigurationError(f"no documents have been taken in under {settings.state_dir}")
    yield  # what makes it a context

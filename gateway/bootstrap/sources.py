"""Which sources a gateway fetches from."""

import httpx

from adapters.sources.directory import DirectorySource
from adapters.sources.http import HttpSource
from gateway.model import Registry
from gateway.ports.sources import Source
from gateway.settings import Settings


def sources_of(settings: Settings, client: httpx.AsyncClient, registry: Registry) -> tuple[Source, ...]:
    """What fetches from the sources of a registry; nothing where no folder for them is set."""
    if settings.sources_dir is None:
        return ()
    return tuple(
        DirectorySource(entry, settings.sources_dir)
        if entry.kind == "directory"
        else HttpSource(entry, client, most_bytes=settings.max_request_bytes)
        for entry in registry.sources.values()
        if entry.kind != "brought"
    )

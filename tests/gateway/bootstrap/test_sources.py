"""Which sources a gateway fetches from."""

import httpx

from adapters.sources.directory import DirectorySource
from adapters.sources.http import HttpSource
from gateway.bootstrap.sources import sources_of
from gateway.policy.registry import registry_of
from tests.support.bundles import SHIPPED


async def test_what_is_fetched_from(settings, tmp_path):
    """
    Without a folder for sources nothing is fetched; with one, what the registry says is not brought by callers, each by its kind.
    """
    registry = registry_of(SHIPPED)
    async with httpx.AsyncClient() as client:
        assert sources_of(settings.model_copy(update={"sources_dir": None}), client, registry) == ()
        found = sources_of(settings.model_copy(update={"sources_dir": tmp_path}), client, registry)
    fetched = [entry for entry in registry.sources.values() if entry.kind != "brought"]
    assert [source.entry for source in found] == fetched
    for source in found:
        assert isinstance(source, DirectorySource if source.entry.kind == "directory" else HttpSource)

"""Which sources a gateway fetches from."""

import asyncio

import httpx
import pytest

from adapters.sources.directory import DirectorySource
from adapters.sources.http import HttpSource
from gateway.bootstrap.process import system_clock
from gateway.bootstrap.sources import Toolboxes, connections_of, sources_of
from gateway.errors import ConfigurationError, SourceUnavailableError
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from tests.support.bundles import SHIPPED
from tests.support.records_bank import calling


async def test_what_is_fetched_from(settings, tmp_path):
    """
    Without a folder for sources nothing is fetched; with one, what the registry says is not brought by callers, each by its kind.
    """
    registry = registry_of(SHIPPED)
    async with httpx.AsyncClient() as client:
        assert sources_of(settings.model_copy(update={"sources_dir": None}), client, registry) == ()
        found = sources_of(settings.model_copy(update={"sources_dir": tmp_path}), client, registry)
    fetched = [entry for entry in registry.sources.values() if entry.kind in {"directory", "http"}]
    assert [source.entry for source in found] == fetched
    for source in found:
        assert isinstance(source, DirectorySource if source.entry.kind == "directory" else HttpSource)


def connected(settings, tmp_path, text):
    (tmp_path / "c.yaml").write_text(text)
    return settings.model_copy(update={"connections": tmp_path / "c.yaml"})


async def test_toolboxes(settings, tmp_path):
    """
    Without a file of connections tools are off; with one, each source that it knows by its kind has a toolbox, and no other; bundles
    that say the same of a source share it.
    """
    made = calling(settings, tmp_path)
    registry = registry_of(load_bundle(made.policies_dir))
    assert Toolboxes(made, None, system_clock).of(registry) is None
    toolboxes = Toolboxes(made, connections_of(made), system_clock)
    found = toolboxes.of(registry)
    assert list(found) == ["sor-records"]
    assert toolboxes.of(registry)["sor-records"] is found["sor-records"]
    slower = registry.sources["sor-records"].model_copy(update={"timeout_seconds": 9.0})
    other = registry.model_copy(update={"sources": {"sor-records": slower}})
    assert toolboxes.of(other)["sor-records"] is not found["sor-records"]
    await toolboxes.aclose()
    unlike = connected(
        made, tmp_path, "sources: {sor-records: {kind: mcp, command: [x]}, sor-npa: {kind: sql, sqlite: x}}"
    )
    assert Toolboxes(made, connections_of(unlike), system_clock).of(registry) == {}


async def test_a_start_waits_for_its_sources_and_not_for_ever(settings, tmp_path, monkeypatch):
    """
    What a source needs to begin is done at the start; one that fails, and one that never comes, stop no start.
    """
    made = calling(settings, tmp_path)
    toolboxes = Toolboxes(made, connections_of(made), system_clock)
    begun, never = [], asyncio.Event()

    class Begun:
        async def offered(self):
            begun.append("begun")

    class Failing:
        async def offered(self):
            raise SourceUnavailableError("down")

    class Hanging:
        async def offered(self):
            await never.wait()

    toolboxes._made = {"a": Begun(), "b": Failing(), "c": Hanging()}
    monkeypatch.setattr("gateway.bootstrap.sources._BEGIN_SECONDS", 0.05)
    await asyncio.wait_for(toolboxes.begin(), 10)
    assert begun == ["begun"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sources: {s: {kind: sql, sqlite: x, password: hunter2}}", "sources.s.sql.password"),
        ("sources: [", "is not YAML"),
        ("sources: &a {}", "anchor"),
        ("adresses: []", "adresses"),
        ("addresses: ['*:443']", "addresses.0"),
    ],
)
def test_a_file_of_connections_that_is_none(settings, tmp_path, text, message):
    """
    The place of a mistake is named, and never what stands there.
    """
    with pytest.raises(ConfigurationError, match=message) as caught:
        connections_of(connected(settings, tmp_path, text))
    assert "hunter2" not in str(caught.value)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        connections_of(settings.model_copy(update={"connections": tmp_path / "none.yaml"}))

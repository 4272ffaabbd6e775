"""Which sources a gateway fetches from."""

import asyncio
import threading

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from adapters.sources.directory import DirectorySource
from adapters.sources.http import HttpSource
from gateway.bootstrap.process import system_clock
from gateway.bootstrap.sources import Toolboxes, connections_of, source_client, sources_of
from gateway.errors import ConfigurationError, SourceUnavailableError
from gateway.model import SourceEntry
from gateway.model.sources.connections import Connections
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


class Counted(BaseHTTPRequestHandler):
    """Answers every request with no items, and counts them."""

    asked = 0

    def do_POST(self):
        Counted.asked += 1
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *_):
        pass


async def test_an_address_that_is_not_listed():
    """
    A source of the kind `http` is fetched from where the operator's list says, and nowhere else, whatever its line in the bundle is.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), Counted)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    entry = SourceEntry(id="elsewhere", kind="http", location=f"http://{address}/items", sections=("knowledge",))
    for connections in (None, Connections(addresses=("records.bank.example:443",))):
        async with source_client(connections) as client:
            with pytest.raises(SourceUnavailableError):
                await HttpSource(entry, client).fetch({}, None)
    assert Counted.asked == 0
    async with source_client(Connections(addresses=(address,))) as client:
        assert await HttpSource(entry, client).fetch({}, None) == ()
    assert Counted.asked == 1
    server.shutdown()
    server.server_close()


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

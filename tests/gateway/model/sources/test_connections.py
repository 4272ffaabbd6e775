"""Where sources are, as whoever runs the gateway says it."""

import pytest

from pydantic import ValidationError

from gateway.model.sources.connections import Connections


def read(folder="/etc/ctxgate", **source):
    stated = {"addresses": ["records.bank.example:443"], "sources": {"s": source}}
    return Connections.model_validate(stated, context={"folder": folder}).sources["s"]


def test_paths_are_from_the_folder_of_the_file_on():
    """
    A path that begins at the root stays; others lie beside the file that names them.
    """
    assert str(read(kind="sql", sqlite="bank.sqlite").sqlite) == "/etc/ctxgate/bank.sqlite"
    assert str(read(kind="sql", sqlite="/data/bank.sqlite").sqlite) == "/data/bank.sqlite"
    files = read(kind="mcp", command=["serve"], environment_files={"KEY": "key"}).environment_files
    assert str(files["KEY"]) == "/etc/ctxgate/key"


@pytest.mark.parametrize(
    "source",
    [
        {"kind": "mcp"},
        {"kind": "mcp", "command": ["x"], "url": "https://x"},
        {"kind": "sql"},
        {"kind": "sql", "sqlite": "x", "postgres": "postgresql://x"},
        {"kind": "openapi", "url": "https://x"},
        {"kind": "ftp"},
        {"kind": "sql", "sqlite": "x", "password": "hunter2"},
        {"kind": "sql", "postgres": "postgresql://reader:hunter2@x/y"},
        {"kind": "sql", "postgres": "postgresql://reader@x/y?password=hunter2"},
    ],
)
def test_one_way_to_each(source):
    """
    A source is reached in one way, and no secret stands in the file itself.
    """
    with pytest.raises(ValidationError):
        read(**source)


@pytest.mark.parametrize("address", ["records.bank.example", "*:443", "https://x:443", "X.example:443", "a b:1"])
def test_addresses_are_a_host_and_a_port(address):
    """
    No patterns, no schemes: what is listed is one place.
    """
    with pytest.raises(ValidationError):
        Connections.model_validate({"addresses": [address]})

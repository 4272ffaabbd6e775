"""The tables beside the ledger, on either database, and what seals their values."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.stores.rows import PostgresRows, Rows, SqliteRows
from adapters.stores.tables import SCHEMA, Tables
from adapters.stores.value_cipher import ValueCipher
from tests.support.aside import tables_on


@pytest.fixture(params=["sqlite", "postgres"])
def rows(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rows]:
    """The tables beside the ledger, on either database."""
    made: Rows
    if request.param == "sqlite":
        made = SqliteRows(tmp_path / "aside.sqlite", SCHEMA)
    else:
        server = request.getfixturevalue("postgres")
        made = PostgresRows(server.url(server.new_ledger(), "gateway"))
    yield made
    made.close()


@pytest.fixture
def closed_rows(tmp_path: Path) -> Rows:
    """The tables of a database that does not answer any more."""
    made = SqliteRows(tmp_path / "aside.sqlite", SCHEMA)
    made.close()
    return made


@pytest.fixture
def cipher() -> ValueCipher:
    """Seals values with a key of the test."""
    return ValueCipher(b"k" * 32)


@pytest.fixture
def tables(rows: Rows) -> Tables:
    """The tables with the key that their values are sealed with."""
    return tables_on(rows)


@pytest.fixture
def closed_tables(closed_rows: Rows) -> Tables:
    """The same, of a database that does not answer any more."""
    return tables_on(closed_rows)

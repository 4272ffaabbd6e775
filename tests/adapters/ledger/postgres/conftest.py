"""A ledger in PostgreSQL that may be spoiled."""

from collections.abc import Iterator

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.pin import Pinned
from tests.support.services import Postgres
from tests.support.strategies import uid
from tests.support.tampering import fill


@pytest.fixture(scope="session")
def original_in_postgres(postgres: Postgres) -> tuple[str, Pinned]:
    """The database of a ledger as `fill` makes it, and what was seen of it; not to be changed."""
    name = postgres.new_ledger()
    store = PostgresStore(postgres.url(name, "gateway"))
    pin = fill(store)
    store.close()
    return name, pin


@pytest.fixture
def copy(original_in_postgres: tuple[str, Pinned], postgres: Postgres) -> Iterator[tuple[str, Pinned]]:
    """A copy of that database that may be spoiled, and its pin."""
    name, pin = original_in_postgres
    other = f"copy_{uid().replace('-', '')}"
    postgres.sql("postgres", f"CREATE DATABASE {other} TEMPLATE {name}")
    yield other, pin
    postgres.sql("postgres", f"DROP DATABASE {other} WITH (FORCE)")

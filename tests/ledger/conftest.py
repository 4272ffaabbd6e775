"""Ledgers of each kind: a lane in a file, a place that processes share, a store that is opened again, one to be spoiled."""

import shutil

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.lane import LaneWriter
from ledger.pin import Pinned
from ledger.sqlite.store import SqliteStore
from ledger.store import Store
from tests.support.strategies import new_lane
from tests.support.tampering import fill


@pytest.fixture
def log(tmp_path: Path) -> Iterator[tuple[SqliteStore, LaneWriter]]:
    """An empty store in a file, and a lane that writes to it."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield store, lane
    store.close()


@pytest.fixture
def lane(log: tuple[SqliteStore, LaneWriter]) -> LaneWriter:
    """A lane of an empty store in a file."""
    return log[1]


@pytest.fixture(params=["sqlite", "postgres"])
def position(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty ledger is: a file, or a database."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.sqlite")
    server = request.getfixturevalue("postgres")
    return str(server.url(server.new_ledger(), "gateway"))


@pytest.fixture(params=["sqlite", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the same ledger again and again, as processes would."""
    opened: list[Store] = []
    server = name = None
    if request.param == "postgres":
        server = request.getfixturevalue("postgres")
        name = server.new_ledger()

    def open_() -> Store:
        opened.append(PostgresStore(server.url(name, "eraser")) if server else SqliteStore(tmp_path / "ledger.sqlite"))
        return opened[-1]

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    """An empty store of either kind."""
    return open_store()


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Pinned]:
    """A ledger in a file as `fill` makes it, closed, and what was seen of it; not to be changed."""
    path = tmp_path_factory.mktemp("original") / "ledger.sqlite"
    store = SqliteStore(path)
    pin = fill(store)
    store.close()
    return path, pin


@pytest.fixture
def ledger(original: tuple[Path, Pinned], tmp_path: Path) -> tuple[Path, Pinned]:
    """A copy of that ledger that may be spoiled, and its pin."""
    path, pin = original
    shutil.copy(path, tmp_path / "ledger.sqlite")
    return tmp_path / "ledger.sqlite", pin

"""Connections that keep what they acknowledge."""

import sqlite3

import pytest

from ledger.errors import UnsafeDurabilityError
from ledger.sqlite.store import SqliteStore


def test_unsafe_durability_is_refused(tmp_path, monkeypatch):
    """
    A store that would lose acknowledged records is not opened.
    """
    real = sqlite3.connect

    class Careless:
        def __init__(self, *args, **kwargs):
            self._connection = real(*args, **kwargs)

        def execute(self, statement, *args):
            return self._connection.execute(statement.replace("FULL", "OFF"), *args)

        def __getattr__(self, name):
            return getattr(self._connection, name)

    monkeypatch.setattr(sqlite3, "connect", Careless)
    with pytest.raises(UnsafeDurabilityError):
        SqliteStore(tmp_path / "ledger.sqlite")

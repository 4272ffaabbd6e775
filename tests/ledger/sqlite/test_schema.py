"""The tables: what they refuse, and what questions are answered by an index."""

import sqlite3

import pytest

from tests.support.tampering import COLUMNS


def test_records_cannot_be_changed_by_accident(ledger):
    """
    The store itself refuses to update or delete what was written.
    """
    path, _ = ledger
    with sqlite3.connect(path) as connection:
        for table in COLUMNS.keys() - {"head", "lanes"}:
            for statement in (f"UPDATE {table} SET {COLUMNS[table][0]} = 1", f"DELETE FROM {table}"):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                    connection.execute(statement)
    connection.close()

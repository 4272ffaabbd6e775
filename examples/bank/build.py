"""Writes the bank: one SQLite database, the same bytes for the same seed, and the list of what was planted in it."""

import json
import sqlite3

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Final

from bank.dce import clients
from bank.desk import counterparties
from bank.npa import Row, projects
from bank.orm import incidents
from bank.planting import Planted

SEED: Final = 20260301
SCHEMA: Final = Path(__file__).with_name("schema.sql")
DATABASE: Final = "bank.sqlite"
PLANTED: Final = "planted.json"


def rows(seed: int, told: list[Planted]) -> Iterator[Row]:
    """All rows with the names of their tables; what is planted on the way goes into *told*."""
    yield from projects(seed, told)
    yield from incidents(seed, told)
    yield from counterparties(seed, told)
    yield from clients(seed, told)


def build(folder: Path, seed: int = SEED) -> Path:
    """
    The database in a folder, written anew if it is not there, and beside it the list of what was planted.

    Returns:
        the path of the database, whole: it gets its name when everything is in it.
    """
    database = folder / DATABASE
    if database.is_file():
        return database
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{DATABASE}.unfinished"
    unfinished.unlink(missing_ok=True)
    told: list[Planted] = []
    with closing(sqlite3.connect(unfinished)) as connection, connection:
        connection.executescript(SCHEMA.read_text())
        for table, row in rows(seed, told):
            # The names are ours; only the values are bound.
            names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
            connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", row)
    (folder / PLANTED).write_text(json.dumps([asdict(one) for one in told], indent=1) + "\n")
    return unfinished.rename(database)

"""The rows of the bank, and what was planted in them."""

import hashlib
import itertools
import json
import sqlite3

from collections import Counter
from contextlib import closing

import asyncpg
import pytest

from bank.build import SCHEMA, SEED, build, rows
from bank.words import JURISDICTIONS
from gateway.settings import HOME
from tests.support.services import need

ROWS = "7983e4b4e686cd45"
"""The beginning of the digest of all rows: on every machine and with every SQLite the same."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bank")
    build(folder)
    return folder


@pytest.fixture(scope="module")
def bank(folder):
    with closing(sqlite3.connect(folder / "bank.sqlite")) as connection:
        yield connection


@pytest.fixture(scope="module")
def planted(folder):
    return json.loads((folder / "planted.json").read_text())


def tables(bank):
    return [name for (name,) in bank.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]


def test_the_same_seed_gives_the_same_bytes(folder, tmp_path, bank):
    """
    A second bank of the same seed is the same file, another seed gives another bank, and the rows are those of every machine.
    """
    build(tmp_path / "again")
    build(tmp_path / "other", seed=7)
    files = [
        (place / name).read_bytes()
        for name in ("bank.sqlite", "planted.json")
        for place in (folder, tmp_path / "again", tmp_path / "other")
    ]
    assert files[0] == files[1] != files[2]
    assert files[3] == files[4] != files[5]
    digest = hashlib.sha256()
    for name in tables(bank):
        for row in bank.execute(f"SELECT * FROM {name} ORDER BY rowid"):
            digest.update(json.dumps([name, *row]).encode())
    assert digest.hexdigest().startswith(ROWS)


def test_how_large_it_is(bank):
    """
    It has the blueprint's 300 projects, 200 incidents and 150 counterparties, 339 values a form, in six jurisdictions.
    """
    counts = {name: bank.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables(bank)}
    assert (counts["npa_projects"], counts["orm_incidents"], counts["desk_counterparties"]) == (300, 200, 150)
    assert min(counts.values()) > 0
    fields = bank.execute("SELECT DISTINCT count(*) FROM npa_form_data GROUP BY project_id").fetchall()
    assert fields == [(339,)]
    for table in ("npa_jurisdictions", "orm_incidents", "desk_counterparties", "dce_clients"):
        found = {place for (place,) in bank.execute(f"SELECT DISTINCT jurisdiction FROM {table}")}
        assert found == set(JURISDICTIONS), table


def test_the_project_of_the_walkthrough(bank, planted):
    """
    NPA-2026-00142 has the number 142, stands in Singapore at its risk assessment, and nothing is planted in it.
    """
    row = bank.execute(
        "SELECT id, stage, notional_usd_k FROM npa_projects WHERE project_id = 'NPA-2026-00142'"
    ).fetchone()
    assert row == (142, "RISK_ASSESSMENT", 50_000)
    places = bank.execute("SELECT jurisdiction, is_primary FROM npa_jurisdictions WHERE project_id = 142").fetchall()
    assert places == [("SG", 1)]
    assert not [one for one in planted if one["entity_id"] == "NPA-2026-00142"]


def test_what_is_planted_is_listed(bank, planted):
    """
    Every personal value and every instruction in the rows stands in the list with its entity and nowhere else, and each kind is
    planted in each domain.
    """
    kinds = Counter((one["kind"], one["domain"]) for one in planted)
    assert len(kinds) == 16
    texts = Counter(
        value for name in tables(bank) for row in bank.execute(f"SELECT * FROM {name}") for value in row if value
    )
    said = Counter(one["text"] for one in planted if one["kind"] in {"personal_data", "injection"})
    for text, times in said.items():
        assert sum(number for value, number in texts.items() if text in str(value)) == times, text
    assert max(Counter(one["entity_id"] for one in planted).values()) == 1


@pytest.mark.parametrize(
    ("place", "sql"),
    [
        (
            "npa_workflow_state.due_on",
            "SELECT p.project_id FROM npa_workflow_state w JOIN npa_projects p ON p.id = w.project_id WHERE due_on = '2025-03-01' AND left_on IS NULL",
        ),
        ("desk_agreements.expires_on", "SELECT counterparty_id FROM desk_counterparties WHERE id IN (SELECT counterparty_id FROM desk_agreements WHERE expires_on < '2026')"),
        ("orm_kri.measured_on", "SELECT incident_id FROM orm_incidents WHERE id IN (SELECT incident_id FROM orm_kri WHERE measured_on < '2024')"),
        ("dce_consents.valid_until", "SELECT client_id FROM dce_clients WHERE id IN (SELECT client_id FROM dce_consents WHERE valid_until < '2026')"),
        (
            "orm_loss_events.amount_usd_k",
            "SELECT i.incident_id FROM orm_incidents i JOIN orm_loss_events e ON e.incident_id = i.id GROUP BY i.id HAVING sum(amount_usd_k) <> gross_loss_usd_k",
        ),
        (
            "desk_credit_limits.limit_usd_k",
            "SELECT c.counterparty_id FROM desk_counterparties c JOIN desk_credit_limits l ON l.counterparty_id = c.id GROUP BY c.id, product_family HAVING count(*) > 1",
        ),
        (
            "npa_form_data.notional",
            "SELECT p.project_id FROM npa_projects p JOIN npa_form_data f ON f.project_id = p.id WHERE name = 'credit_threshold' AND value <> notional_usd_k || ' thousand US dollars'",
        ),
        ("dce_clients.channel", "SELECT client_id FROM dce_clients WHERE channel = 'branch counter'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_listed(bank, planted, place, sql):
    """
    The rows that are stale or contradict another are those of the list, no more and no fewer.
    """
    listed = sorted(one["entity_id"] for one in planted if one["place"] == place)
    assert listed
    assert sorted(name for (name,) in bank.execute(sql)) == listed


def test_the_schema_is_that_of_two_databases():
    """
    The file of the tables uses no type that PostgreSQL or SQLite lacks.
    """
    text = (HOME / "examples/bank/schema.sql").read_text()
    assert {word for line in text.splitlines() for word in line.split() if word in {"TEXT", "INTEGER"}} == {
        "TEXT",
        "INTEGER",
    }
    assert "AUTOINCREMENT" not in text


def place(one):
    """Where a row's table stands in the schema: a row is written after those that it refers to."""
    return SCHEMA.read_text().index(f"CREATE TABLE {one[0]} ")


async def test_postgresql_takes_the_same_schema_and_rows(bank, postgres):
    """
    A bank whose systems of record are in PostgreSQL loads the very same file, and every row fits.
    """
    need(postgres is not None, "PostgreSQL")
    connection = await asyncpg.connect(postgres.url("postgres"))
    try:
        await connection.execute("CREATE SCHEMA bank; SET search_path TO bank")
        await connection.execute(SCHEMA.read_text())
        for table, some in itertools.groupby(sorted(rows(SEED, []), key=place), key=lambda one: one[0]):
            columns = list((kept := [row for _, row in some])[0])
            records = [tuple(row.values()) for row in kept]
            await connection.copy_records_to_table(table, records=records, columns=columns, schema_name="bank")
        for name in tables(bank):
            [(kept,)] = bank.execute(f"SELECT count(*) FROM {name}")
            assert await connection.fetchval(f"SELECT count(*) FROM {name}") == kept > 0
    finally:
        await connection.execute("DROP SCHEMA bank CASCADE")
        await connection.close()

"""The schema in PostgreSQL: migrated once, and what each role may do in it."""

import uuid

from datetime import UTC, datetime

import pytest

from adapters.ledger.postgres.migrate import migrate, migrations, require_current
from adapters.ledger.postgres.store import PostgresStore
from adapters.shared.postgres import Pool
from ledger.errors import LedgerUnavailableError
from tests.support.strategies import uid
from tests.support.tampering import COLUMNS, RECORDS


def refused(postgres, name, role, *statements):
    """The role may carry out none of the statements."""
    for statement in statements:
        with pytest.raises(RuntimeError, match="permission denied"):
            postgres.sql(name, statement, role=role)


class TestRoles:
    @pytest.mark.parametrize("table", sorted(COLUMNS))
    def test_the_gateway_cannot_change_what_it_wrote(self, original_in_postgres, postgres, table):
        """
        The gateway's role reads, and writes by the functions of the schema alone.
        """
        name, _ = original_in_postgres
        column = COLUMNS[table][0]
        statements = [f"DELETE FROM {table}", f"TRUNCATE {table}", f"UPDATE {table} SET {column} = {column}"]
        refused(postgres, name, "gateway", *statements, f"INSERT INTO {table} ({column}) SELECT {column} FROM {table}")

    def test_no_checkpoint_of_a_tree_that_there_is_not(self, original_in_postgres, postgres):
        """
        Not even the owner puts a checkpoint of a larger tree than there is in the place of the newest, nor a smaller one.
        """
        name, _ = original_in_postgres
        for statement in (
            "INSERT INTO newest VALUES (7, 900000000000, 1, '', '')",
            "UPDATE newest SET size = size + 1",
            "UPDATE newest SET size = size - 1",
        ):
            with pytest.raises(RuntimeError, match="a tree that there is"):
                postgres.sql(name, statement)

    def test_the_gateway_cannot_forget(self, original_in_postgres, postgres):
        """
        Neither persons nor what is sealed under their keys can be deleted or changed by the gateway's role.
        """
        name, _ = original_in_postgres
        statements = ("DELETE FROM asides", "DELETE FROM subjects", "UPDATE asides SET body = body")
        refused(postgres, name, "gateway", *statements)

    def test_an_auditor_reads_and_no_more(self, original_in_postgres, postgres):
        """
        The auditor's role reads the log, and neither writes nor sees who stands behind tokens.
        """
        name, _ = original_in_postgres
        assert postgres.sql(name, "SELECT count(*) FROM entries", role="auditor").strip() == str(RECORDS)
        statements = ("SELECT * FROM subjects", "SELECT * FROM asides", "INSERT INTO lanes VALUES ('x', 1)")
        refused(postgres, name, "auditor", *statements)


def test_a_database_that_was_not_migrated_is_refused(empty, postgres):
    """
    A schema of another version is an error that says what to do, not a surprise later.
    """
    with pytest.raises(LedgerUnavailableError, match="migrate"):
        PostgresStore(postgres.url(empty))


@pytest.fixture
def empty(postgres):
    """A database without tables; its name."""
    name = f"empty_{uid().replace('-', '')}"
    postgres.sql("postgres", f"CREATE DATABASE {name}")
    yield name
    postgres.sql("postgres", f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def pool(empty, postgres):
    made = Pool(postgres.url(empty))
    yield made
    made.close()


class TestMigrations:
    def test_each_is_applied_once(self, pool):
        """
        The first run makes every table and the partitions of the months ahead, the second nothing, a later month its own.
        """
        march = datetime(2026, 3, 31, 23, tzinfo=UTC)
        names = [name for _, name, _ in migrations()]
        months = ["records_202603", "records_202604", "records_202605"]
        assert migrate(pool, months=2, now=march) == [*names, *months, "entries_0", "entries_1"]
        assert migrate(pool, months=2, now=march) == []
        assert migrate(pool, months=10, now=march)[-1] == "records_202701"
        pool.run(require_current)

    def test_a_file_that_was_changed_stops_everything(self, pool):
        """
        A database that was migrated by another text of a file is left as it is, and is not opened by another version.
        """
        now = datetime(2026, 3, 1, tzinfo=UTC)
        migrate(pool, months=0, now=now)
        pool.run(lambda c: c.execute("UPDATE ctxgate_migrations SET sha256 = 'other' WHERE version = 1"))
        with pytest.raises(LedgerUnavailableError, match=r"0001_ledger .*another text"):
            migrate(pool, months=3, now=now)
        assert pool.run(lambda c: c.fetchval("SELECT to_regclass('records_202604')")) is None
        pool.run(lambda c: c.execute("INSERT INTO ctxgate_migrations (version, name, sha256) VALUES (99, 'new', '')"))
        with pytest.raises(LedgerUnavailableError, match="version 99"):
            pool.run(require_current)

    def test_a_record_lies_in_the_month_of_its_id(self, pool):
        """
        The decision id is a UUIDv7, whose time tells the partition; the last instant of a month is in it, the next is not.
        """
        migrate(pool, months=1, now=datetime(2026, 12, 1, tzinfo=UTC))
        lane = "00000000-0000-4000-8000-000000000001"
        pool.run(lambda c: c.execute("INSERT INTO lanes VALUES ($1, 1)", lane))
        run = "INSERT INTO runs (lane, epoch, first, next, signature) VALUES ($1, 1, 0, 2, $2)"
        pool.run(lambda c: c.execute(run, lane, bytes(68)))
        january = int(datetime(2027, 1, 1, tzinfo=UTC).timestamp() * 1000)
        insert = "INSERT INTO records (lane, epoch, seq, decision_id, body) VALUES ($1, 1, $2, $3, '')"
        for seq, milliseconds in enumerate((january - 1, january)):
            name = uuid.UUID(int=(milliseconds << 80) | (0x7FFF << 64) | (0x8 << 60))
            pool.run(lambda c, seq=seq, name=name: c.execute(insert, lane, seq, name))
        found = pool.run(lambda c: c.fetch("SELECT tableoid::regclass::text FROM records ORDER BY seq"))
        assert [row[0] for row in found] == ["records_202612", "records_202701"]

    def test_versions_count_up(self):
        """
        Migrations are numbered from 1 without gaps, so that the newest version says that all before it are there.
        """
        versions = [version for version, _, _ in migrations()]
        assert versions == list(range(1, len(versions) + 1))

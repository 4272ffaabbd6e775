"""The schema in PostgreSQL: migrated once, and what each role may do in it."""

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import LedgerUnavailableError
from tests.support.tampering import COLUMNS


class TestRoles:
    @pytest.mark.parametrize("table", sorted(COLUMNS))
    def test_the_gateway_cannot_change_what_it_wrote(self, original_in_postgres, postgres, table):
        """
        The gateway's role may insert and read; of updates it has the one row of the head alone.
        """
        name, _ = original_in_postgres
        statements = [f"DELETE FROM {table}", f"TRUNCATE {table}"]
        if table != "head":
            statements.append(f"UPDATE {table} SET {COLUMNS[table][0]} = {COLUMNS[table][0]}")
        for statement in (*statements, "DELETE FROM asides", "DELETE FROM subjects", "UPDATE asides SET body = body"):
            with pytest.raises(RuntimeError, match="permission denied"):
                postgres.sql(name, statement, role="gateway")

    def test_an_auditor_reads_and_no_more(self, original_in_postgres, postgres):
        """
        The auditor's role reads the log, and neither writes nor sees who stands behind tokens.
        """
        name, _ = original_in_postgres
        assert postgres.sql(name, "SELECT count(*) FROM entries", role="auditor").strip() == "285"
        for statement in ("SELECT * FROM subjects", "SELECT * FROM asides", "INSERT INTO lanes VALUES ('x', 1)"):
            with pytest.raises(RuntimeError, match="permission denied"):
                postgres.sql(name, statement, role="auditor")


def test_a_database_that_was_not_migrated_is_refused(server):
    """
    A schema of another version is an error that says what to do, not a surprise later.
    """
    server.sql("postgres", "CREATE DATABASE empty")
    with pytest.raises(LedgerUnavailableError, match="migrate"):
        PostgresStore(server.url("empty"))

"""The pool: what a database must keep, and how its errors are told."""

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import UnsafeDurabilityError


@pytest.mark.parametrize("setting", ["fsync=off", "synchronous_commit=off", "full_page_writes=off"])
def test_a_server_that_would_lose_records_is_refused(server, setting):
    """
    A gateway does not start on a database that acknowledges what a power cut would take.
    """
    name = server.new_ledger()
    server.stop()
    server.start(setting)
    with pytest.raises(UnsafeDurabilityError, match=setting.partition("=")[0]):
        PostgresStore(server.url(name, "gateway"))

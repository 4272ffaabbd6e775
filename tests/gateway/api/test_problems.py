"""Errors as problem documents: a stable code, the fields at fault, and never an item's text."""

from ledger.errors import LedgerUnavailableError
from tests.support.web import gateway_of, is_problem


async def test_fields_are_named(post, small):
    """
    A problem names every field at fault.
    """
    small["items"][0]["trust_class"] = "TRUSTED"
    document = is_problem(await post("/v1/packs", small), 422, "GW-121")
    assert document["errors"][0]["field"] == "items.0.trust_class"


async def test_a_ledger_that_is_down(post, client, small, monkeypatch):
    """
    Without the ledger the answer is 503, and no byte of a pack.
    """

    def fail(entries, erasures):
        raise LedgerUnavailableError("gone")

    monkeypatch.setattr(gateway_of(client).store, "append", fail)
    document = is_problem(await post("/v1/packs", small), 503, "GW-400")
    assert "sections" not in document

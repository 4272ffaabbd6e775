"""Erasures that wait for a second officer, on each database."""

import pytest

from adapters.stores.erasure_requests import ErasureRequestTable
from gateway.errors import StoreError
from gateway.model.base import RecordProof
from gateway.ports.erasure import ErasureRequest
from gateway.ports.waivers import OfficerAct
from tests.support.aside import tables_on

NOW, LATER = "2026-03-01T00:00:00.000000Z", "2026-03-15T00:00:00.000000Z"


@pytest.fixture
def table(rows):
    return ErasureRequestTable(tables_on(rows))


def request_of(number, *, tenant="gfm", mark="mark", expires=LATER):
    asked = OfficerAct(
        officer="ann",
        person="ann",
        token="t-ann",
        role="admin",
        department="RMG",
        at=NOW,
        reason="by letter",
        proof=RecordProof(record="r", salt="0" * 64),
    )
    name = f"ERQ-{number:016x}"
    return ErasureRequest(
        id=name, tenant=tenant, subject="zelda", mark=mark, salt="1" * 64, expires=expires, asked=asked
    )


async def test_what_waits_and_what_is_over(table, rows):
    """
    What is kept is found by its tenant and its person, and nowhere in the clear; what is dropped, or over, is gone.
    """
    for one in (
        request_of(1),
        request_of(2, mark="other"),
        request_of(3, tenant="asia"),
        request_of(4, expires=NOW),
    ):
        await table.keep(one)
    assert await table.all_of("gfm") == [request_of(1), request_of(2, mark="other"), request_of(4, expires=NOW)]
    assert await table.about("gfm", "other") == [request_of(2, mark="other")]
    assert not any(b"zelda" in bytes(body) for (body,) in rows.read("SELECT body FROM erasure_requests"))
    assert await table.drop_over(NOW) == 1
    assert await table.drop([request_of(1), request_of(3)]) == 1
    assert await table.drop([]) == 0
    assert [one.id for one in await table.all_of("gfm")] == [request_of(2).id]
    assert await table.all_of("asia") == [request_of(3, tenant="asia")]


async def test_a_row_that_was_moved_does_not_open(table, rows):
    """
    What is sealed for one id or tenant opens under no other, so that nobody moves a request to another tenant's officers.
    """
    await table.keep(request_of(1))
    copied = "INSERT INTO erasure_requests SELECT 'asia', id, person, at, expires, body FROM erasure_requests"
    rows.write(copied, [()])
    with pytest.raises(StoreError):
        await table.all_of("asia")

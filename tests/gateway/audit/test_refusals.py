"""Whoever is known and refused is on record, whatever was asked."""

import re

import pytest

from gateway.api.app import create_app
from gateway.settings import Settings
from tests.support.oracle import check_ledger
from tests.support.web import gateway_of, is_problem, refusals

OPEN = {"/healthz", "/readyz"}
"""What everybody may ask: whether the process is alive and ready, one word each."""


OPERATIONS = [
    (method, re.sub(r"\{[^}]+\}", "x", path))
    for path, operations in create_app(Settings()).openapi()["paths"].items()
    for method in operations
    # The catalog is for whoever has a token.
    if path not in {*OPEN, "/v1/catalog"}
]


@pytest.fixture
def settings(settings):
    """As shipped: nothing is open that need not be."""
    return settings.model_copy(update={"open_to_all": ()})


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
async def test_who_may_not_ask_is_on_record(call, client, subject, method, path):
    """
    At every door that needs a token, one without the scope, or without a parameter, is refused, and that is on record.
    """
    answer = await call(method, path)
    document = is_problem(answer, answer.status_code, answer.json()["code"])
    assert (answer.status_code, document["code"]) in {(403, "GW-107"), (422, "GW-120")}
    assert refusals(client) == [((document["code"],), "denied")]
    check_ledger(gateway_of(client))


async def test_a_refusal_that_is_not_on_record_is_another(call, client, monkeypatch):
    """
    Where the ledger does not take the refusal, the caller hears of that.
    """

    async def broken(*_):
        raise RuntimeError("full")

    monkeypatch.setattr(gateway_of(client).recorder._writer, "append", broken)
    answer = await call("GET", "/v1/ledger/records")
    assert answer.status_code in {500, 503}
    assert not refusals(client)


async def test_a_failure_of_ours_is_on_record(call, client, small, monkeypatch):
    """
    A request that ends in a failure of the gateway's own is on record with its code, and once.
    """
    monkeypatch.setattr(type(gateway_of(client).pipeline), "_classified", lambda *_: 1 / 0)
    is_problem(await call("POST", "/v1/packs", small, scope="packs:write"), 500, "GW-000")
    assert refusals(client) == [(("GW-000",), "denied")]

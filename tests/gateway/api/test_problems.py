"""Errors as problem documents: a stable code, the fields at fault, and never an item's text."""

import json

import pytest

from starlette.requests import Request

from gateway import errors
from gateway.api.problems import problem, status_of, title_of, trace_id_of
from gateway.errors import DeadlineExceededError, FieldInvalidError, GatewayError, IdentityMissingError, OverloadedError
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


def request(path="/v1/packs", **headers):
    """A request as a server hands it over."""
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "path": path, "headers": raw, "query_string": b""})


KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, GatewayError)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_every_error_has_a_status_and_a_title(kind):
    """
    Whatever is raised is answered with a status of an error, and in a sentence; what may be tried again says when.
    """
    answer = problem(kind("what was wrong"), request())
    document = json.loads(answer.body)
    assert 400 <= answer.status_code == document["status"] <= 504
    assert (document["code"], document["type"]) == (kind.code, f"urn:ctxgate:error:{kind.code}")
    assert document["title"] == title_of(kind)
    assert document["title"]
    assert ("retry-after" in answer.headers) is (answer.status_code in {429, 503})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (DeadlineExceededError("x"), 504),
        (OverloadedError("x"), 503),
        (IdentityMissingError("x"), 401),
        (GatewayError("x"), 500),
    ],
)
def test_the_most_special_status_holds(error, status):
    """
    A deadline is 504 though it is one kind of overload; an error of no kind is the gateway's own.
    """
    assert status_of(error) == status


def test_fields_and_reasons_only_where_there_are_some():
    """
    Fields at fault and the rules' codes are members of the document, and absent where there are none.
    """
    plain = json.loads(problem(GatewayError("x"), request()).body)
    assert not {"errors", "reasons"} & plain.keys()
    error = FieldInvalidError("x", fields=[("items.0.id", "is missing")], reasons=["SCP-004"])
    document = json.loads(problem(error, request()).body)
    assert document["errors"] == [{"field": "items.0.id", "message": "is missing"}]
    assert document["reasons"] == ["SCP-004"]


TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (f"00-{TRACE_ID}-00f067aa0ba902b7-01", TRACE_ID),
        (f"00-{TRACE_ID}-00f067aa0ba902b7-01-more", None),
        (f"00-{TRACE_ID.upper()}-00f067aa0ba902b7-01", None),
        (f"00-{TRACE_ID[1:]}-00f067aa0ba902b7-01", None),
        ("", None),
    ],
)
def test_only_a_valid_traceparent_is_believed(header, found):
    """
    A header that is no W3C traceparent is as good as none: nothing of it reaches a record.
    """
    assert trace_id_of(request(traceparent=header)) == found


def test_who_is_not_known_is_told_how_to_be():
    """
    A 401 names the scheme, as HTTP demands.
    """
    assert problem(IdentityMissingError("x"), request()).headers["www-authenticate"] == "Bearer"

import json

from typing import Any

import pytest

from hypothesis import given
from hypothesis import strategies as st

from gateway.content.parsing import parse_json, parse_request
from gateway.errors import GatewayError, RequestError, RequestTooLargeError
from gateway.model.request import RequestLimits

LIMITS = RequestLimits(request_bytes=20_000, item_bytes=2_000, items=5, depth=8)
ITEM: dict[str, Any] = {"id": "a", "section": "knowledge", "content": "text"}
REQUEST: dict[str, Any] = {
    "agent_id": "RISK",
    "purpose": "risk_assessment",
    "jurisdictions": ["SG"],
    "model": "gpt-4o",
    "token_budget": 1000,
    "items": [ITEM],
}


def nested(depth):
    value = "x"
    for _ in range(depth):
        value = [value]
    return value


def refused(body):
    with pytest.raises(GatewayError) as caught:
        parse_request(body if isinstance(body, bytes) else json.dumps(body).encode(), LIMITS)
    return caught.value


CASES: dict[str, Any] = {
    "not json": (b"{", "GW-111", None),
    "empty": (b"", "GW-111", None),
    "not utf-8": (b'{"agent_id": "\xff"}', "GW-112", None),
    "lone surrogate": (b'{"agent_id": "\\ud800"}', "GW-112", "agent_id"),
    "lone surrogate in a key": (b'{"\\udfff": 1}', "GW-112", ""),
    "nan": (b'{"token_budget": NaN}', "GW-113", None),
    "infinity": (b'{"token_budget": -Infinity}', "GW-113", None),
    "too large to be exact": (b'{"token_budget": 9007199254740993}', "GW-113", "token_budget"),
    "a float beyond doubles": (b'{"token_budget": 1e999}', "GW-113", "token_budget"),
    "thousands of digits": (b'{"token_budget": ' + b"9" * 5000 + b"}", "GW-113", None),
    "too deep": ({**REQUEST, "items": [{**ITEM, "content": nested(8)}]}, "GW-114", "items.0.content"),
    "far too deep": (b"[" * 9_000 + b"]" * 9_000, "GW-114", None),
    "a key twice": (b'{"agent_id": "RISK", "agent_id": "OTHER"}', "GW-115", None),
    "not an object": ([], "GW-120", ""),
    "a missing field": ({**REQUEST, "agent_id": None}, "GW-120", "agent_id"),
    "a wrong type": ({**REQUEST, "token_budget": "many"}, "GW-120", "token_budget"),
    "a number as text": ({**REQUEST, "token_budget": "1000"}, "GW-120", "token_budget"),
    "true as number": ({**REQUEST, "token_budget": True}, "GW-120", "token_budget"),
    "a jurisdiction that is a sentence": ({**REQUEST, "jurisdictions": ["the FR one"]}, "GW-120", "jurisdictions.0"),
    "no jurisdiction": ({**REQUEST, "jurisdictions": []}, "GW-120", "jurisdictions"),
    "a section of another script": ({**REQUEST, "items": [{**ITEM, "section": "章"}]}, "GW-120", "items.0.section"),
    "a label of the wrong type": (
        {**REQUEST, "items": [{**ITEM, "provenance": {"version": 3}}]},
        "GW-120",
        "items.0.provenance.version",
    ),
    "a time without offset": (
        {**REQUEST, "items": [{**ITEM, "provenance": {"fetched_at": "2026-03-01T09:15:00"}}]},
        "GW-120",
        "items.0.provenance.fetched_at",
    ),
    "a day that is none": (
        {**REQUEST, "items": [{**ITEM, "provenance": {"expiry_date": "2026-02-30"}}]},
        "GW-120",
        "items.0.provenance.expiry_date",
    ),
    "an unknown field": ({**REQUEST, "tenant": "other"}, "GW-121", "tenant"),
    "a trust class": (
        {**REQUEST, "items": [{**ITEM, "provenance": {"trust_class": "TRUSTED"}}]},
        "GW-121",
        "items.0.provenance.trust_class",
    ),
    "an authority tier": ({**REQUEST, "items": [{**ITEM, "authority_tier": 1}]}, "GW-121", "items.0.authority_tier"),
    "an id twice": ({**REQUEST, "items": [ITEM, ITEM]}, "GW-122", "items.1.id"),
    "too many bytes": (b" " * 20_001, "GW-131", None),
    "an oversize item": ({**REQUEST, "items": [{**ITEM, "content": "x" * 2_001}]}, "GW-132", "items.0.content"),
    "too many items": ({**REQUEST, "items": [{**ITEM, "id": str(n)} for n in range(6)]}, "GW-133", "items"),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name):
    """
    Each kind of bad input has its own code, and names the field at fault where there is one.
    """
    body, code, field = CASES[name]
    error = refused(body)
    assert code == error.code
    assert field == (error.fields[0][0] if error.fields else None)


def test_a_million_keys():
    """
    A body with a million keys is refused for what it is, within an item as well as beside it.
    """
    keys = "{" + ",".join(f'"k{number}":{number % 10}' for number in range(1_000_000)) + "}"
    large = RequestLimits(request_bytes=30_000_000, item_bytes=2_000, items=5, depth=8, values=2_000_000)
    inside = json.dumps({**REQUEST, "items": [{**ITEM, "content": "@"}]}).replace('"@"', keys)
    for body, code in ((keys[:1_000_000].rpartition(",")[0] + "}", "GW-121"), (inside, "GW-132")):
        with pytest.raises(RequestError) as refusal:
            parse_request(body.encode(), large)
        assert refusal.value.code == code


class TestValues:
    """How many values a document may have."""

    @pytest.mark.parametrize("unit", ["[]", "1", '""', '{"a":1}', "[[[]]]", '"a,b[c{d"'])
    def test_the_limit_counts_values(self, unit):
        """
        A document of three hundred members is read where so many values are allowed, and one of many more is not.
        """
        body = f"[{','.join([unit] * 300)}]".encode()
        assert len(parse_json(body, depth=8, values=2_000)) == 300
        with pytest.raises(RequestTooLargeError):
            parse_json(body, depth=8, values=250)

    def test_texts_hold_whatever_they_like(self):
        """
        Commas and brackets within texts, and quotes that are escaped, are no values.
        """
        text = 'a,[{,"\\' * 100_000
        assert parse_json(json.dumps({"text": text, "other,": 1}).encode(), depth=8, values=5) == {
            "text": text,
            "other,": 1,
        }

    def test_long_names_above_many_values(self):
        """
        A name of 100 KB above 20,000 values is refused: each value that is screened is named by all above it.
        """
        body = json.dumps({"n" * 100_000: list(range(20_000))}).encode()
        with pytest.raises(RequestTooLargeError):
            parse_json(body, depth=8)


def test_good_input():
    """
    Content may be text or any JSON value, and labels may be missing.
    """
    contents = ["text", {"a": [1, 2.5, None, True]}, [], 7, None]
    items = [{**ITEM, "id": str(n), "content": content} for n, content in enumerate(contents)]
    parsed = parse_request(json.dumps({**REQUEST, "items": items}).encode(), LIMITS)
    assert contents == [item.content for item in parsed.items]
    assert parsed.items[0].provenance.source_type is None


@given(st.binary(max_size=300))
def test_any_bytes(body):
    """
    Whatever arrives is a request or a clear error of ours.
    """
    try:
        parse_request(body, LIMITS)
    except RequestError as error:
        assert error.code.startswith("GW-1")


SECRET = "S8421753F Kelvin"


@pytest.mark.parametrize(
    "body",
    [
        {**REQUEST, "items": [{**ITEM, "content": SECRET, "extra": SECRET}]},
        {**REQUEST, "items": [{**ITEM, "content": SECRET, "media_type": SECRET}]},
        {**REQUEST, "items": [{**ITEM, "content": SECRET * 200}]},
        {**REQUEST, "query": [SECRET]},
        {**REQUEST, "items": [{**ITEM, "provenance": {"fetched_at": SECRET}}]},
    ],
)
def test_errors_never_quote_values(body):
    """
    An error names the field and never says what stood in it.
    """
    error = refused(body)
    assert "S8421753F" not in f"{error} {error.detail} {error.fields}"


SECRET = "Jennifer Tan S1234567D"


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({**REQUEST, "items": [{**ITEM, "content": {SECRET: 2**60}}]}),
        json.dumps({**REQUEST, "items": [{**ITEM, "content": {SECRET: nested(9)}}]}),
        json.dumps({**REQUEST, "items": [{**ITEM, "content": {SECRET: "\ud800"}}]}),
        json.dumps({**REQUEST, "items": [{**ITEM, "content": {"a": {SECRET: 10**400}}}]}),
        json.dumps({**REQUEST, "items": [{**ITEM, SECRET: 1}]}),
        json.dumps({**REQUEST, SECRET: {"content": 2**60}}),
    ],
)
def test_messages_never_quote_names_of_content(body):
    """
    What is wrong within content is told of the content as a whole, and names that no field has are not repeated.
    """
    error = refused(body.encode())
    assert error.code in {"GW-112", "GW-113", "GW-114", "GW-121"}
    assert SECRET not in repr((error.detail, error.fields))


HIDING = ["\x00", "\x1b[2J", "\n", "\x85", "\u2028", "\u2029", "\u202e", "\u2066", "\u200f", "\u061c", "\U000e0041"]


@pytest.mark.parametrize("hidden", HIDING, ids=ascii)
def test_labels_are_one_visible_line(hidden):
    """
    Ids, sources, versions, sections, entities and corpora cannot hold what nobody sees, or what ends a line.
    """
    labels = ("source_id", "version", "owner", "domain", "entity_id", "doc_section", "corpus")
    bodies = [{**REQUEST, "items": [{**ITEM, "provenance": {name: f"a{hidden}b"}}]} for name in labels]
    bodies += [{**REQUEST, "items": [{**ITEM, "id": f"a{hidden}b"}]}, {**REQUEST, "session_id": hidden}]
    bodies += [{**REQUEST, "entity": {"type": "project", "id": hidden}}]
    assert {refused(body).code for body in bodies} == {"GW-116"}


@pytest.mark.parametrize("name", ["文件 3.2", "Résumé – final.pdf", "नियम 4", "a/b#c:d", "x\u200dy"])
def test_labels_in_any_language_pass(name):
    """
    A label may be in any script, with spaces and joiners.
    """
    assert parse_request(json.dumps({**REQUEST, "items": [{**ITEM, "id": name}]}).encode(), LIMITS).items[0].id == name

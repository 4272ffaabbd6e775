"""Idempotency: the same answer for the same key, and one set of records."""

import asyncio

from dataclasses import replace
from datetime import timedelta

import pytest

from hypothesis import given
from hypothesis import strategies as st

from gateway.api.calls import IDEMPOTENCY, require_key
from gateway.errors import FieldInvalidError
from tests.support.clock import NOW
from tests.support.erasing import forget_over_http
from tests.support.fakes import BrokenLedger, fetching_from
from tests.support.oracle import check_ledger, records
from tests.support.repeating import FETCHED, ChangingSource, check_repeats
from tests.support.web import gateway_of


async def test_the_same_key_and_body(client, send, small):
    """
    A repeat at a later time gives the same bytes and no second set of records, also after a restart.
    """
    gateway = gateway_of(client)
    first = await send(small, idempotency_key="k-1")
    count = len(records(gateway))
    object.__setattr__(gateway, "clock", lambda: NOW + timedelta(minutes=7))
    again = await send(small, idempotency_key="k-1", claims={"exp": int(NOW.timestamp()) + 7200})
    assert first.status_code == again.status_code == 200
    assert first.content == again.content
    assert len(records(gateway)) == count
    other = await send(small, claims={"exp": int(NOW.timestamp()) + 7200})
    assert other.content != first.content


async def test_another_body(send, small):
    """
    The same key with another body, path or person is another request: 409, or that person's own key.
    """
    await send(small, idempotency_key="k-1")
    clash = await send({**small, "query": "other"}, idempotency_key="k-1")
    assert (clash.status_code, clash.json()["code"]) == (409, "GW-180")
    assert (await send(small, path="/v1/rulings", idempotency_key="k-1")).status_code == 409
    assert (await send(small, idempotency_key="k-1", claims={"sub": "somebody.else"})).status_code == 200
    assert (await send(small, idempotency_key="k-1", claims={"tenant": "other"})).status_code in {200, 403}


async def test_a_crash_before_the_answer(client, send, small):
    """
    A claim without an answer, as a crash leaves it, is decided at its own time again, to the same records.
    """
    gateway = gateway_of(client)
    first = await send(small, idempotency_key="k-1")
    count = len(records(gateway))
    gateway.stores.tables.rows.write("UPDATE answers SET body = NULL WHERE tenant = ?", [("gfm",)])
    object.__setattr__(gateway, "clock", lambda: NOW + timedelta(seconds=30))
    again = await send(small, idempotency_key="k-1")
    assert again.content == first.content
    assert len(records(gateway)) == count
    check_ledger(gateway)


async def test_a_request_that_was_broken_off_is_not_decided_in_the_past(client, send, small):
    """
    A request that got no answer, as when its caller left, is not decided hours later as if no time had passed.
    """
    gateway = gateway_of(client)
    await send(small, idempotency_key="k-1")
    gateway.stores.tables.rows.write("UPDATE answers SET body = NULL WHERE tenant = ?", [("gfm",)])
    object.__setattr__(gateway, "clock", lambda: NOW + timedelta(hours=5))
    late = await send(small, idempotency_key="k-1", claims={"exp": int(NOW.timestamp()) + 36_000})
    assert (late.status_code, late.json()["code"]) == (409, "GW-180")


@pytest.mark.parametrize(
    "after", [[{**FETCHED, "content": "The limit is 9 million."}], []], ids=["another-text", "one-fewer"]
)
async def test_a_deadline_between_records_and_answer(client, send, small, tmp_path, after):
    """
    A request that runs out of time once its rulings are on record may be repeated under its key; where a source changed
    meanwhile that is a new decision, and the ledger verifies.
    """
    gateway, source = gateway_of(client), ChangingSource(FETCHED)
    whole = fetching_from(gateway, source)

    class Late(BrokenLedger):
        async def append(self, drafts, erasables=()):
            if any(draft.kind == "pack.sealed" for draft in drafts):
                # What `asyncio.timeout` makes of a deadline that passes here.
                raise TimeoutError
            return await self._ledger.append(drafts, erasables)

    object.__setattr__(gateway, "pipeline", replace(whole, ledger=Late(whole.ledger, 0)))
    late = await send(small, idempotency_key="k-1")
    assert (late.status_code, late.json()["code"]) == (504, "GW-601")
    [first] = {one.request_id for one in records(gateway, kind="item.ruled")}
    source.items = after
    object.__setattr__(gateway, "pipeline", whole)
    answer = await send(small, idempotency_key="k-1")
    assert answer.status_code == 200, answer.text
    pack = answer.json()
    assert {one.repeats for one in records(gateway, request_id=pack["request"]["request_id"])} == {first}
    check_repeats(gateway, tmp_path / "out", pack)
    assert (await send(small, idempotency_key="k-1")).content == answer.content


@pytest.mark.parametrize(
    "change", ["at = '2026-03-01T09:14:00.000000Z'", "at = '2026-03-02T00:00:00.000000Z'", "trace_id = 'x'"]
)
async def test_a_first_try_that_was_moved(client, send, small, change):
    """
    When the first try came decides how a repeat is decided, so whoever can write to the table alone cannot say another time.
    """
    gateway = gateway_of(client)
    await send(small, idempotency_key="k-1")
    count = len(records(gateway, kind="item.ruled"))
    gateway.stores.tables.rows.write(f"UPDATE answers SET body = NULL, {change} WHERE tenant = ?", [("gfm",)])
    moved = await send(small, idempotency_key="k-1")
    assert (moved.status_code, moved.json()["code"]) == (500, "GW-440")
    assert len(records(gateway, kind="item.ruled")) == count


async def test_a_refusal_frees_the_key(send, small):
    """
    A request that failed may be sent again under its key, and is decided anew.
    """
    refused = await send({**small, "purpose": "fun"}, idempotency_key="k-1")
    assert refused.status_code == 422
    assert (await send(small, idempotency_key="k-1")).status_code == 200


async def test_at_once(send, small):
    """
    Two at once under one key: one is answered, the other hears that it is under way, or the same answer.
    """
    answers = await asyncio.gather(*(send(small, idempotency_key="k-1") for _ in range(4)))
    codes = sorted(one.status_code for one in answers)
    assert 200 in codes
    assert set(codes) <= {200, 409}
    assert len({one.content for one in answers if one.status_code == 200}) == 1


async def test_keys_that_are_none(send, small):
    """
    An empty or unprintable key names the header.
    """
    for key in ("", "x" * 201, "a b"):
        answer = await send(small, idempotency_key=key)
        assert answer.json()["errors"][0]["field"] == "idempotency-key"


async def test_nothing_is_kept_in_the_clear(settings, client, send, small):
    """
    Kept answers are sealed, and neither keys nor bodies stand beside them.
    """
    answer = await send(small, idempotency_key="my-secret-key")
    stored = b"".join(path.read_bytes() for path in settings.state_dir.glob("aside.sqlite*"))
    assert b"my-secret-key" not in stored
    assert answer.json()["id"].encode() not in stored


async def test_a_kept_answer_is_erased_with_its_person(client, send, small, subject):
    """
    Erasing a person deletes the answers kept for their repeats, and nobody else's.
    """
    await send(small, idempotency_key="k-1")
    await send(small, idempotency_key="k-1", claims={"sub": "somebody.else"})
    erased = await forget_over_http(lambda path, body, **claims: send(body, path=path, claims=claims), subject["sub"])
    assert erased.json()["answers"] == 1
    left = gateway_of(client).stores.tables.rows.read("SELECT count(*) FROM answers WHERE body IS NOT NULL")
    assert left == [(1,)]


@given(st.text(min_size=1, max_size=210))
def test_keys(key):
    """
    A key is 1 to 200 visible ASCII characters, and whatever is not names the header.
    """
    good = len(key) <= 200 and all("!" <= letter <= "~" for letter in key)
    if good:
        require_key(key)
    else:
        with pytest.raises(FieldInvalidError) as caught:
            require_key(key)
        assert caught.value.fields[0][0] == IDEMPOTENCY


def test_no_key_is_none():
    """
    Without the header nothing is asked of it; an empty one is not the same as none.
    """
    require_key(None)
    with pytest.raises(FieldInvalidError):
        require_key("")

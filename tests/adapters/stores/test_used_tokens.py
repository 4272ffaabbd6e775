"""Tokens that are believed once, however many replicas are asked."""

import asyncio

from datetime import timedelta

import pytest

from adapters.stores.used_tokens import UsedTokenTable
from gateway.errors import (
    StoreError,
    TokenInvalidError,
    TokenReplayedError,
)
from gateway.model import Subject
from tests.support.clock import NOW
from tests.support.tokens import new_key, published, signed, verifier


class TestOnce:
    async def test_a_token_is_believed_once(self, rows):
        """
        A second use of a token is refused; one without an id is never believed; after its time it is forgotten.
        """
        key = new_key("a")
        once = verifier(published(key), used=UsedTokenTable(rows))
        token = signed(key, jti="1")
        await once.verify(token, NOW)
        with pytest.raises(TokenReplayedError):
            await once.verify(token, NOW)
        await once.verify(signed(key, jti="2"), NOW)
        with pytest.raises(TokenInvalidError, match="jti"):
            await once.verify(signed(key), NOW)
        later = NOW + timedelta(seconds=200)
        await once.verify(signed(key, jti="1", exp=int(later.timestamp())), later)
        assert len(rows.read("SELECT name FROM used_tokens")) == 1

    async def test_replicas_believe_a_token_once(self, rows):
        """
        Of many uses at once, at several replicas, one is believed; a replica that starts anew still knows.
        """
        key = new_key("a")
        replicas = [verifier(published(key), used=UsedTokenTable(rows)) for _ in range(4)]
        token = signed(key, jti="1")
        uses = (replicas[n % 4].verify(token, NOW) for n in range(20))
        answers = await asyncio.gather(*uses, return_exceptions=True)
        assert sum(isinstance(answer, Subject) for answer in answers) == 1
        assert sum(isinstance(answer, TokenReplayedError) for answer in answers) == 19
        with pytest.raises(TokenReplayedError):
            await verifier(published(key), used=UsedTokenTable(rows)).verify(token, NOW)

    async def test_where_it_cannot_be_told_nobody_is_believed(self, closed_rows):
        """
        Without the table of used tokens no token is believed.
        """
        key = new_key("a")
        with pytest.raises(StoreError):
            await verifier(published(key), used=UsedTokenTable(closed_rows)).verify(signed(key, jti="1"), NOW)


async def test_tokens_of_two_issuers(rows):
    """
    The same name by another issuer is another token; neither name nor issuer lies in the table.
    """
    table, later = UsedTokenTable(rows), NOW + timedelta(seconds=60)
    assert await table.first_use("one", "jti-1", later, NOW)
    assert await table.first_use("two", "jti-1", later, NOW)
    assert not await table.first_use("one", "jti-1", later, NOW)
    assert all("jti" not in name for (name,) in rows.read("SELECT name FROM used_tokens"))

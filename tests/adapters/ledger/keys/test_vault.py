"""Keys of persons in a transit engine, against a stand-in that speaks its HTTP API."""

import httpx
import pytest

from adapters.ledger.keys.vault import VaultKeyWrap
from ledger.errors import KeyServiceError
from tests.support.transit import TOKEN, URL, Transit

KEY = bytes(range(32))


@pytest.fixture
def transit():
    return Transit()


@pytest.fixture
def wrap(transit):
    return VaultKeyWrap(URL, TOKEN, seconds=1, transport=transit.transport)


def answering(status, content):
    """A wrap whose service answers everything alike."""
    transport = httpx.MockTransport(lambda _: httpx.Response(status, content=content))
    return VaultKeyWrap(URL, TOKEN, seconds=1, transport=transport)


def test_each_person_has_a_key_outside(wrap, transit):
    """
    Each key is wrapped under one of its own, under a name that says nothing, and opens again.
    """
    one, other = wrap.wrap(KEY), wrap.wrap(KEY)
    assert wrap.unwrap(one) == wrap.unwrap(other) == KEY
    assert {wrap.outside(one), wrap.outside(other)} == set(transit.keys)
    assert KEY not in one
    assert len(transit.keys) == 2


def test_a_destroyed_key_opens_nothing(wrap, transit):
    """
    Once the key outside is destroyed nothing opens what it wrapped, and destroying it again is no error.
    """
    one, other = wrap.wrap(KEY), wrap.wrap(KEY)
    wrap.destroy(wrap.outside(one))
    wrap.destroy(wrap.outside(one))
    with pytest.raises(ValueError, match="destroyed"):
        wrap.unwrap(one)
    assert wrap.unwrap(other) == KEY


def test_what_is_not_known_to_be_destroyed_is_an_error(wrap, transit):
    """
    A server that refuses to delete a key, or does not answer, leaves the erasure undone.
    """
    one = wrap.wrap(KEY)
    transit.deletable.clear()
    with pytest.raises(KeyServiceError):
        wrap.destroy(wrap.outside(one))
    transit.down = True
    for act in (lambda: wrap.destroy(wrap.outside(one)), lambda: wrap.unwrap(one), lambda: wrap.wrap(KEY)):
        with pytest.raises(KeyServiceError):
            act()


@pytest.mark.parametrize(
    ("status", "content"),
    [(403, b"{}"), (500, b"{}"), (302, b""), (200, b"no json"), (200, b"[]"), (200, b"{}"), (200, b" " * 70_000)],
)
def test_what_is_no_answer(wrap, status, content):
    """
    Whatever else a service answers is no key and no deletion, and costs no more than a bounded answer.
    """
    wrapped, strange = wrap.wrap(KEY), answering(status, content)
    for act in (lambda: strange.unwrap(wrapped), lambda: strange.wrap(KEY), lambda: strange.destroy("ctxgate-x")):
        with pytest.raises(KeyServiceError) as caught:
            act()
        assert TOKEN not in str(caught.value)


@pytest.mark.parametrize(
    "other", [b"", b"vault:", b"vault::x", b"pkcs11:name:x", bytes(40), b"vault:name:vault:v1:AAAA"]
)
def test_what_was_not_wrapped_here(wrap, other):
    """
    What another wrap made, or nobody did, does not open.
    """
    with pytest.raises(ValueError, match="key"):
        wrap.unwrap(other)

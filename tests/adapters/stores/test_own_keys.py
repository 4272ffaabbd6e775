"""Values of persons under keys of their own: deleting the key is enough, whoever has copies."""

import pytest

from cryptography.exceptions import InvalidTag

from adapters.ledger.aes_sealer import FileKeyWrap
from adapters.stores.own_keys import OwnKeys
from gateway.errors import StoreError
from ledger.errors import KeyServiceError


class Outside(FileKeyWrap):
    """Keeps the key of each person outside, and counts."""

    def __init__(self, *, answers=True):
        super().__init__(b"w" * 32)
        self.answers = answers
        self.destroyed = []

    def wrap(self, key):
        if not self.answers:
            raise KeyServiceError("silent")
        return super().wrap(key)

    def unwrap(self, wrapped):
        if self.destroyed:
            raise ValueError("destroyed")
        return super().unwrap(wrapped)

    def outside(self, wrapped):
        return "name"

    def destroy(self, name):
        if not self.answers:
            raise KeyServiceError("silent")
        self.destroyed.append(name)


@pytest.fixture
def outside():
    return Outside()


@pytest.fixture
def own(rows, outside, cipher):
    return OwnKeys(rows, outside, cipher)


def test_each_opens_what_is_its_own(own, rows, outside, cipher):
    """
    A value opens in its tenant and place, also for another process, and lies sealed; another person's key is another one.
    """
    sealed = own.seal("a secret", "t", "place", "ann")
    assert own.open(sealed, "t", "place") == OwnKeys(rows, outside, cipher).open(sealed, "t", "place") == "a secret"
    assert b"secret" not in sealed
    for tenant, place in (("u", "place"), ("t", "elsewhere")):
        with pytest.raises((InvalidTag, ValueError)):
            own.open(sealed, tenant, place)
    own.seal("x", "t", "place", "bob")
    with pytest.raises(InvalidTag):
        own.open(sealed.replace(b":ann\n", b":bob\n"), "t", "place")


async def test_a_copy_is_nothing_without_the_key(own, rows, outside, cipher):
    """
    Once the key is forgotten what was sealed does not open, here or in another process that had the key, and the key outside is
    destroyed, so that neither does a copy of the tables; what comes later is under a new key.
    """
    other = OwnKeys(rows, outside, cipher)
    sealed = own.seal("a secret", "t", "place", "ann")
    assert other.open(sealed, "t", "place") == "a secret"
    [copy] = rows.read("SELECT tenant, person, wrapped FROM own_keys")
    assert await own.forget("t", "ann") == 1
    assert outside.destroyed == ["name"]
    for keys in (own, other):
        with pytest.raises(InvalidTag):
            keys.open(sealed, "t", "place")
    rows.write("INSERT INTO own_keys (tenant, person, wrapped) VALUES (?, ?, ?)", [copy])
    with pytest.raises(ValueError, match="destroyed"):
        own.open(sealed, "t", "place")
    assert await own.forget("t", "ann") == 1
    outside.destroyed.clear()
    again = own.seal("new", "t", "place", "ann")
    assert own.open(again, "t", "place") == "new"
    assert await own.forget("t", "nobody") == 0


async def test_what_keeps_keys_outside_is_silent(own, outside):
    """
    Nothing is sealed under a key that nobody keeps, and no key counts as gone that may still be there.
    """
    own.seal("a secret", "t", "place", "ann")
    outside.answers = False
    with pytest.raises(StoreError):
        own.seal("x", "t", "place", "bob")
    with pytest.raises(StoreError):
        await own.forget("t", "ann")
    outside.answers = True
    assert await own.forget("t", "ann") == 1


def test_what_was_sealed_before_persons_had_keys(own, cipher):
    """
    It opens under the gateway's key, as does what says nothing of anybody.
    """
    assert own.open(cipher.seal("old", "t", "place"), "t", "place") == "old"
    assert own.open(own.seal_nobodys("nothing", "t", "place"), "t", "place") == "nothing"

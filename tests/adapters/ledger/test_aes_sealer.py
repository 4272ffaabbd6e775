"""The erasable side of records: under the key of a person, bound to its decision."""

import pytest

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from ledger.erasable import Erasable

ASIDE = Erasable(item_salt=b"s" * 32, input=b'{"labels": []}', content=b"a customer wrote this")


class TestKeyWrap:
    def test_the_vector_of_the_rfc(self):
        """
        RFC 3394 section 4.6: 256 bits of key data under a 256-bit key.
        """
        wrap = FileKeyWrap(bytes(range(32)))
        key = bytes.fromhex("00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F")
        wrapped = bytes.fromhex("28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21")
        assert wrap.wrap(key) == wrapped
        assert wrap.unwrap(wrapped) == key

    def test_what_was_wrapped_elsewhere(self):
        """
        A key of another gateway, or a changed one, is refused.
        """
        wrapped = FileKeyWrap(bytes(32)).wrap(b"k" * 32)
        for wrap, key in ((FileKeyWrap(b"x" * 32), wrapped), (FileKeyWrap(bytes(32)), wrapped[:-1] + b"\x00")):
            with pytest.raises(ValueError, match="not wrapped here"):
                wrap.unwrap(key)


class TestSealer:
    @pytest.fixture
    def sealer(self):
        return AesSealer(FileKeyWrap(bytes(32)))

    def test_it_opens_under_its_key_for_its_decision(self, sealer):
        """
        What was sealed comes back whole, lies in the clear nowhere, and is another text each time.
        """
        key = sealer.new_key()
        one, two = (sealer.seal(ASIDE, key=key, location="d1") for _ in range(2))
        assert sealer.open(one, key=key, location="d1") == ASIDE
        assert one != two
        assert b"customer" not in one

    def test_it_opens_nowhere_else(self, sealer):
        """
        Under another person's key, for another decision, cut or changed it does not open.
        """
        key, other = sealer.new_key(), sealer.new_key()
        sealed = sealer.seal(ASIDE, key=key, location="d1")
        for body, its_key, location in (
            (sealed, other, "d1"),
            (sealed, key, "d2"),
            (sealed[:-1], key, "d1"),
            (sealed[:3] + bytes([sealed[3] ^ 1]) + sealed[4:], key, "d1"),
        ):
            with pytest.raises(ValueError, match="not whole"):
                sealer.open(body, key=its_key, location=location)

    def test_every_person_has_another_key(self, sealer):
        """
        Keys are fresh, and as they lie in the store they are wrapped.
        """
        keys = {sealer.new_key() for _ in range(100)}
        assert len(keys) == 100
        assert {len(key) for key in keys} == {40}

    def test_another_gateway_reads_nothing(self, sealer):
        """
        Whoever has the store but not the gateway's key opens nothing.
        """
        key = sealer.new_key()
        sealed = sealer.seal(ASIDE, key=key, location="d1")
        with pytest.raises(ValueError, match="not wrapped here"):
            AesSealer(FileKeyWrap(b"x" * 32)).open(sealed, key=key, location="d1")

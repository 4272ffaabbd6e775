"""Wraps side by side: who was known before the keys moved outside is still read."""

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from adapters.ledger.keys.outside import KeyWraps
from adapters.ledger.keys.vault import VaultKeyWrap
from ledger.erasable import Erasable
from tests.support.transit import TOKEN, URL, Transit

SIDE = Erasable(item_salt=bytes(32), content=b"text")


def test_new_keys_are_outside_and_old_ones_still_open():
    """
    A store may hold keys that the file wrapped and keys that are outside; new ones are outside, and only those have a name there.
    """
    transit, file = Transit(), FileKeyWrap(bytes(32))
    before = AesSealer(file)
    old = before.new_key()
    sealed = before.seal(SIDE, key=old, location="d")
    sealer = AesSealer(KeyWraps(file, VaultKeyWrap(URL, TOKEN, seconds=1, transport=transit.transport)))
    assert sealer.open(sealed, key=old, location="d") == SIDE
    new = sealer.new_key()
    assert sealer.open(sealer.seal(SIDE, key=new, location="d"), key=new, location="d") == SIDE
    assert (sealer.outside(old), sealer.outside(new)) == ("", next(iter(transit.keys)))


def test_a_sealer_asks_once_and_forgets_what_it_destroys():
    """
    A key is unwrapped once for many sides; once it is destroyed this process holds it no longer either.
    """
    transit = Transit()
    wrap = VaultKeyWrap(URL, TOKEN, seconds=1, transport=transit.transport)
    sealer = AesSealer(KeyWraps(FileKeyWrap(bytes(32)), wrap))
    key = sealer.new_key()
    sealed = [sealer.seal(SIDE, key=key, location=str(number)) for number in range(5)]
    assert sum(one.startswith("POST decrypt/") for one in transit.asked) == 1
    sealer.destroy(sealer.outside(key))
    opened = []
    for number, one in enumerate(sealed):
        try:
            opened.append(sealer.open(one, key=key, location=str(number)))
        except ValueError:
            continue
    assert opened == []

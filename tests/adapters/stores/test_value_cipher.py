"""Values at rest: sealed for one tenant and place, and never guessed at."""

import pytest

from cryptography.exceptions import InvalidTag
from hypothesis import given
from hypothesis import strategies as st

from adapters.stores.value_cipher import ValueCipher, decrypting
from gateway.errors import StoreError


@given(st.text(st.characters()), st.text(max_size=9), st.text(max_size=9))
def test_a_value_opens_where_it_was_sealed(value, tenant, location):
    """
    Any text, half a surrogate pair too, comes back as it was, and does not lie there in the clear.
    """
    cipher = ValueCipher(b"k" * 32)
    sealed = cipher.seal(value, tenant, location)
    assert cipher.open(sealed, tenant, location) == value
    assert len(sealed) == 12 + len(value.encode(errors="surrogatepass")) + 16
    assert cipher.seal(value, tenant, location) != sealed


@pytest.mark.parametrize(
    ("tenant", "location", "key"),
    [("other", "p", b"k"), ("t", "other", b"k"), ("t", "p", b"x"), ('t", "p', "", b"k"), ("tp", "", b"k")],
)
def test_it_opens_nowhere_else(tenant, location, key):
    """
    Under another tenant, place or key it does not open, nor where the two only read the same together.
    """
    sealed = ValueCipher(b"k" * 32).seal("value", "t", "p")
    with pytest.raises(InvalidTag):
        ValueCipher(key * 32).open(sealed, tenant, location)


@pytest.mark.parametrize(
    "spoil", [lambda b: b[:-1], lambda b: b[:5], lambda b: b"", lambda b: bytes([b[0] ^ 1]) + b[1:]]
)
async def test_what_does_not_open_is_an_error(cipher, spoil):
    """
    A value that was cut or changed is an error of what is kept aside, off the event loop too.
    """
    sealed = spoil(cipher.seal("value", "t", "p"))
    with pytest.raises(StoreError, match="does not decrypt"):
        await decrypting(lambda: cipher.open(sealed, "t", "p"))
    assert await decrypting(lambda: 7) == 7

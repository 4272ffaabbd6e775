"""The erasable side of records."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from ledger.erasable import Erasable, commit, fresh_salt


def test_sides_of_a_record_survive_packing():
    """
    The erasable side is the same after it was packed; bytes that are not one are refused.
    """
    aside = Erasable(item_salt=fresh_salt(), input=b"{}", content=b"")
    assert Erasable.unpack(aside.pack()) == aside
    for spoiled in (aside.pack()[:-1], aside.pack() + b"x", b""):
        with pytest.raises(ValueError, match=r"record|least|32"):
            Erasable.unpack(spoiled)


def test_a_commitment_is_an_hmac():
    """
    Test case 2 of RFC 4231, and test case 1.
    """
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert commit(b"Jefe", b"what do ya want for nothing?") == expected
    assert commit(b"\x0b" * 20, b"Hi There") == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"


def test_salts_are_never_the_same():
    """
    The same short content has another commitment each time, so that none can be guessed from another.
    """
    salts = {fresh_salt() for _ in range(1_000)}
    assert (len(salts), {len(salt) for salt in salts}) == (1_000, {32})


def test_sides_from_before_labels_were_kept():
    """
    A side that was packed before there was a place for labels is read, and one without labels is still packed like that.
    """
    aside = Erasable(item_salt=bytes(32), content=b"x")
    before = b"".join(
        b"\xff\xff\xff\xff" if part is None else len(part).to_bytes(4) + part
        for part in (bytes(32), None, None, None, b"x", None)
    )
    assert aside.pack() == before
    assert Erasable.unpack(before) == aside
    named = aside.model_copy(update={"labels": b'{"id":"a"}'})
    assert Erasable.unpack(named.pack()) == named


PARTS = st.none() | st.binary(max_size=40)
SALTS = st.none() | st.binary(min_size=32, max_size=32)


@given(
    st.builds(
        Erasable,
        item_salt=SALTS,
        released_salt=SALTS,
        input_salt=SALTS,
        input=PARTS,
        content=PARTS,
        released=PARTS,
        labels=PARTS,
    )
)
def test_any_side_survives_packing(aside):
    """
    What is absent comes back absent and what is empty comes back empty, in every place.
    """
    assert Erasable.unpack(aside.pack()) == aside


@pytest.mark.parametrize("salt", [b"", b"x" * 31, b"x" * 33])
def test_a_salt_has_its_length(salt):
    """
    A salt that is too short to hide anything is refused.
    """
    with pytest.raises(ValueError, match="32"):
        Erasable(item_salt=salt)

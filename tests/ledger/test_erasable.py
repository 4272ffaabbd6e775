"""The erasable side of records."""

import pytest

from ledger.erasable import Aside, fresh_salt


def test_sides_of_a_record_survive_packing():
    """
    The erasable side is the same after it was packed; bytes that are not one are refused.
    """
    aside = Aside(item_salt=fresh_salt(), input=b"{}", content=b"")
    assert Aside.unpack(aside.pack()) == aside
    for spoiled in (aside.pack()[:-1], aside.pack() + b"x", b""):
        with pytest.raises(ValueError, match=r"record|least|32"):
            Aside.unpack(spoiled)

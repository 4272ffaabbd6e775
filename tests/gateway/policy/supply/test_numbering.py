"""The serial and the expiry of an archive."""

from datetime import UTC, datetime

import pytest

from pydantic import ValidationError

from gateway.policy.supply.numbering import Numbering

SAID = Numbering(serial=7, expires="2026-12-01T00:00:00Z")


def test_an_expiry_is_a_moment():
    """
    A bundle is expired from its moment on, in whatever offset it is written, and one without never.
    """
    assert SAID.until == datetime(2026, 12, 1, tzinfo=UTC)
    assert not SAID.expired(datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC))
    assert SAID.expired(datetime(2026, 12, 1, tzinfo=UTC))
    assert Numbering(serial=7, expires="2026-12-01T08:00:00+08:00").until == SAID.until
    assert not Numbering().expired(datetime(9999, 1, 1, tzinfo=UTC))


def test_what_a_manifest_says_of_it():
    """
    Both are members of the manifest, or neither.
    """
    assert SAID.fields() == {"serial": 7, "expires": "2026-12-01T00:00:00Z"}
    assert Numbering().fields() == {}


@pytest.mark.parametrize(
    "said",
    [
        {"serial": 7},
        {"expires": "2026-12-01T00:00:00Z"},
        {"serial": 0, "expires": "2026-12-01T00:00:00Z"},
        {"serial": "7", "expires": "2026-12-01T00:00:00Z"},
        {"serial": True, "expires": "2026-12-01T00:00:00Z"},
        {"serial": 7, "expires": "2026-12-01"},
        {"serial": 7, "expires": 1_800_000_000},
    ],
)
def test_half_a_numbering_is_none(said):
    """
    One without the other, and what is no whole number or no moment with an offset, is refused.
    """
    with pytest.raises(ValidationError):
        Numbering(**said)

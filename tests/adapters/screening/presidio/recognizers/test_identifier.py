"""Identifiers: a form, a check, and borders."""

from adapters.screening.presidio.recognizers import (
    identifier,
)


def test_luhn():
    """
    4111 1111 1111 1111 passes, its neighbour does not.
    """
    assert identifier.luhn("4111111111111111")
    assert not identifier.luhn("4111111111111112")

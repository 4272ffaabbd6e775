"""E-mail addresses, by the list of public suffixes that ships."""

import socket

import pytest

from adapters.screening.presidio.recognizers.email import OfflineEmailRecognizer
from tests.support.recognizing import found


@pytest.mark.parametrize("address", ["a.b@bank.example.com", "x@meridian.com.sg", "info@bank.co.id", "o'n@b.com.hk"])
def test_addresses(address):
    """
    An address under a public suffix is certain.
    """
    [(value, score)] = found(OfflineEmailRecognizer(), f"Write to {address} today").items()
    assert (value in address, score) == (True, 1.0)


@pytest.mark.parametrize(
    "text", ["user@localhost", "meera@okhdfcbank", "a@b.notasuffix", "me at bank.com", "@bank.com"]
)
def test_what_no_mail_reaches(text):
    """
    Without a public suffix it is no address.
    """
    assert found(OfflineEmailRecognizer(), text) == {}


def test_nothing_is_fetched(monkeypatch):
    """
    The list is the shipped one: no connection is made, at the first use or later.
    """

    def refuse(*_):
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert found(OfflineEmailRecognizer(), "a@bank.com.sg")

"""What a process of the gateway starts with."""

from datetime import UTC, datetime


def test_time_is_utc():
    """
    The clock of the gateway has a time zone.
    """
    from gateway.bootstrap.process import system_clock

    assert system_clock().tzinfo == UTC
    assert isinstance(system_clock(), datetime)

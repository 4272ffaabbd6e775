"""The time at which the tests take place: no test reads a clock to decide what is right."""

from datetime import UTC, datetime

NOW = datetime(2026, 3, 1, 9, 15, tzinfo=UTC)
"""When everything is asked, unless a test says otherwise; the bundled stories are of that morning."""

"""Logs: JSON lines with codes and counts.  Content never."""

from typing import TextIO

import structlog


def set_up_logs(stream: TextIO) -> None:
    """Send the log to a stream, one JSON object per line."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )

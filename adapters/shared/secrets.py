"""Files with secrets, made at first use and readable by their owner alone."""

import contextlib
import os

from pathlib import Path

from gateway.errors import ConfigurationError


def write_secret(path: Path, secret: bytes) -> None:
    """
    Durably write a new file that its owner alone may read.

    Raises:
        FileExistsError: there is one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())


def read_or_make_secret(path: Path) -> bytes:
    """
    The 32 bytes at *path*, made at first use.

    Raises:
        ConfigurationError: the file holds something else.
    """
    if not path.exists():
        # Another process may be first.
        with contextlib.suppress(FileExistsError):
            write_secret(path, os.urandom(32))
    secret = path.read_bytes()
    if len(secret) != 32:
        raise ConfigurationError(f"{path} does not hold a 32-byte secret")
    return secret

"""Files with secrets, readable by their owner alone."""

import os

from pathlib import Path

from gateway.errors import ConfigurationError, KeyLostError


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


def read_secret(path: Path) -> bytes:
    """
    The 32 bytes at *path*.

    Raises:
        KeyLostError: there is no such file.

        ConfigurationError: the file holds something else.
    """
    try:
        secret = path.read_bytes()
    except FileNotFoundError as error:
        raise KeyLostError(f"there is no {path}") from error
    if len(secret) != 32:
        raise ConfigurationError(f"{path} does not hold a 32-byte secret")
    return secret

"""Files with secrets: made once, for their owner alone, and never guessed at."""

import pytest

from adapters.shared.secrets import read_secret, write_secret
from gateway.errors import ConfigurationError, KeyLostError


def test_a_secret_is_its_owners_alone(tmp_path):
    """
    A secret is written durably into a new file that the owner alone may read, and is read as it was written.
    """
    path = tmp_path / "deep/keys/one.key"
    write_secret(path, b"a" * 32)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_secret(path) == b"a" * 32


def test_a_secret_is_never_written_over(tmp_path):
    """
    Of two processes that make it one writes, and the other is told.
    """
    path = tmp_path / "one.key"
    write_secret(path, b"a" * 32)
    with pytest.raises(FileExistsError):
        write_secret(path, b"b" * 32)
    assert read_secret(path) == b"a" * 32


def test_a_secret_that_is_lost(tmp_path):
    """
    A secret that is not there is an error, and none is made in its place.
    """
    with pytest.raises(KeyLostError, match=r"one\.key"):
        read_secret(tmp_path / "one.key")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33])
def test_a_file_that_holds_something_else(tmp_path, content):
    """
    A file that was cut or is another's is refused, and not replaced.
    """
    path = tmp_path / "one.key"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"one\.key"):
        read_secret(path)
    assert path.read_bytes() == content

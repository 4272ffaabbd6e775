"""Files with secrets: made once, for their owner alone, and never guessed at."""

import pytest

from adapters.shared.secrets import read_or_make_secret, write_secret
from gateway.errors import ConfigurationError


def test_a_secret_is_made_once(tmp_path):
    """
    At first use 32 random bytes are made that the owner alone may read; after that they are the same.
    """
    path = tmp_path / "deep/keys/one.key"
    secret = read_or_make_secret(path)
    assert (len(secret), path.stat().st_mode & 0o777) == (32, 0o600)
    assert read_or_make_secret(path) == secret
    assert read_or_make_secret(tmp_path / "other.key") != secret


def test_a_secret_is_never_written_over(tmp_path):
    """
    Of two processes that make it one writes, and the other reads what was written.
    """
    path = tmp_path / "one.key"
    write_secret(path, b"a" * 32)
    with pytest.raises(FileExistsError):
        write_secret(path, b"b" * 32)
    assert read_or_make_secret(path) == b"a" * 32


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33])
def test_a_file_that_holds_something_else(tmp_path, content):
    """
    A file that was cut or is another's is refused, and not replaced.
    """
    path = tmp_path / "one.key"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"one\.key"):
        read_or_make_secret(path)
    assert path.read_bytes() == content

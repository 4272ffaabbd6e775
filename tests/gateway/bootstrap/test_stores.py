"""What is kept beside the ledger, put together under two secrets of the state folder."""

import pytest

from gateway.bootstrap.stores import open_stores
from gateway.errors import ConfigurationError, StoreError
from gateway.model.session import SessionState

AT = "2026-03-01T09:15:00.000000Z"


@pytest.fixture
def stores(settings):
    opened = open_stores(settings)
    yield opened
    opened.close()


def test_secrets_are_made_once_and_apart(settings, stores):
    """
    Ids and contents have secrets of their own, readable by their owner alone, the same after a restart.
    """
    again = open_stores(settings)
    again.close()
    assert again.secret == stores.secret
    paths = [settings.state_dir / "keys" / name for name in ("ids.secret", "aside.key")]
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}
    assert paths[0].read_bytes() != paths[1].read_bytes()


def test_a_secret_that_is_none(settings):
    """
    A file that does not hold 32 bytes is not taken for a secret.
    """
    open_stores(settings).close()
    (settings.state_dir / "keys" / "ids.secret").write_bytes(b"short")
    with pytest.raises(ConfigurationError):
        open_stores(settings)


async def test_what_another_key_sealed_does_not_open(settings, stores):
    """
    With another key a session cannot be read, and is not taken for one that holds nothing.
    """
    await stores.sessions.keep("t", "p:s", SessionState(turn=1), AT)
    (settings.state_dir / "keys" / "evidence.key").write_bytes(b"x" * 32)
    other = open_stores(settings)
    with pytest.raises(StoreError):
        await other.sessions.before("t", "p:s", 2)
    other.close()


async def test_erasure_reaches_all_of_it(stores):
    """
    What erasure is given is what requests write to: the same sessions and the same artifacts.
    """
    personal = stores.personal
    await stores.sessions.keep("t", "p:s", SessionState(turn=1), AT)
    await stores.artifacts.store.put("t", "p", "name", "value")
    assert await personal.sessions.forget("t", "p") == 1
    assert await personal.artifacts.forget("t", "p") == 1
    assert personal.secret == stores.secret

"""What is kept beside the ledger, put together under two secrets of the state folder."""

import pytest

from gateway.bootstrap.stores import beside, id_secret, isolation_of, open_aside, sessions_of
from gateway.errors import AsideError, ConfigurationError
from gateway.model.session import SessionState

AT = "2026-03-01T09:15:00.000000Z"


@pytest.fixture
def aside(settings):
    opened = open_aside(settings)
    yield opened
    opened.close()


def test_secrets_are_made_once_and_apart(settings, aside):
    """
    Ids and contents have secrets of their own, readable by their owner alone, the same after a restart.
    """
    assert id_secret(settings) == id_secret(settings)
    paths = [settings.state_dir / "keys" / name for name in ("ids.secret", "aside.key")]
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}
    assert paths[0].read_bytes() != paths[1].read_bytes()


def test_a_secret_that_is_none(settings):
    """
    A file that does not hold 32 bytes is not taken for a secret.
    """
    id_secret(settings)
    (settings.state_dir / "keys" / "ids.secret").write_bytes(b"short")
    with pytest.raises(ConfigurationError):
        id_secret(settings)


async def test_what_another_key_sealed_does_not_open(settings, aside):
    """
    With another key a session cannot be read, and is not taken for one that holds nothing.
    """
    await sessions_of(aside, settings).keep("t", "p:s", SessionState(turn=1), AT)
    (settings.state_dir / "keys" / "aside.key").write_bytes(b"x" * 32)
    other = open_aside(settings)
    with pytest.raises(AsideError):
        await sessions_of(other, settings).before("t", "p:s", 2)
    other.close()


async def test_erasure_reaches_all_of_it(settings, aside):
    """
    What erasure is given is what requests write to: the same sessions and the same artifacts.
    """
    stores = beside(aside, settings)
    await sessions_of(aside, settings).keep("t", "p:s", SessionState(turn=1), AT)
    await isolation_of(aside, settings).artifacts.put("t", "p", "name", "value")
    assert await stores.sessions.forget("t", "p") == 1
    assert await stores.artifacts.forget("t", "p") == 1
    assert stores.secret == isolation_of(aside, settings).secret == id_secret(settings)

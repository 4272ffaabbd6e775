"""Files of keys: made together and on purpose, never in place of what is lost, and kept with the sizes that they sign."""

import pytest

from gateway.bootstrap.gateway import running
from gateway.bootstrap.key_files import SECRETS, fresh, log_keys, make_keys, next_signing_key, signing_key, take_over
from gateway.bootstrap.ledger import open_ledger
from gateway.bootstrap.stores import open_stores
from gateway.errors import ConfigurationError, KeyLostError
from tests.support.clock import NOW


@pytest.fixture
def elsewhere(settings, tmp_path):
    """Settings with a state folder that nothing was ever in."""
    return settings.model_copy(update={"state_dir": tmp_path / "elsewhere"})


def test_keys_are_made_together(elsewhere):
    """
    All keys of a gateway are made at once in a fresh folder, for their owner alone, and once.
    """
    made = make_keys(elsewhere)
    assert signing_key(elsewhere).key == made
    assert [(one.key, one.first, one.last) for one in log_keys(elsewhere)] == [(made, 0, None)]
    files = [elsewhere.signing_key, *(elsewhere.state_dir / "keys" / name for name in SECRETS)]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    with pytest.raises(KeyLostError):
        make_keys(elsewhere)


@pytest.mark.parametrize("lost", ["ledger.skey", "evidence.key", "ids.secret", "aside.key"])
async def test_a_lost_key_is_an_error(settings, lost):
    """
    A key that was there and is not is an error with a code, at every start; the folder stays as it is.
    """
    async with running(settings, clock=lambda: NOW):
        pass
    (settings.state_dir / "keys" / lost).unlink()
    before = sorted((settings.state_dir / "keys").iterdir())
    with pytest.raises(KeyLostError) as told:
        async with running(settings, clock=lambda: NOW):
            pass
    assert (told.value.code, lost in told.value.detail) == ("GW-441", True)
    assert sorted((settings.state_dir / "keys").iterdir()) == before


def test_nothing_is_made_by_looking(elsewhere):
    """
    Opening a ledger or the stores beside it in a folder without keys makes none.
    """
    with pytest.raises(KeyLostError), open_ledger(elsewhere):
        pass
    with pytest.raises(KeyLostError):
        open_stores(elsewhere)
    assert fresh(elsewhere)


async def test_where_keys_are_made_unasked(elsewhere):
    """
    A gateway on development keys makes its keys at its first start; one that believes a trust layer is given them.
    """
    chosen = elsewhere.model_copy(update={"jwks": "nowhere.json"})
    with pytest.raises(KeyLostError):
        async with running(chosen, clock=lambda: NOW):
            pass
    async with running(elsewhere, clock=lambda: NOW):
        assert not fresh(elsewhere)


def test_a_key_that_takes_over(settings):
    """
    The new key signs trees from the one that holds the record of its rotation on, the old one those before; the old one stays.
    """
    old = signing_key(settings).key
    new = next_signing_key(settings).key
    assert next_signing_key(settings).key == new != old
    take_over(settings, old, new, 41)
    assert signing_key(settings).key == new
    assert [(one.key, one.first, one.last) for one in log_keys(settings)] == [(new, 42, None), (old, 0, 41)]
    assert [one.spans(41) for one in log_keys(settings)] == [False, True]
    assert len(list(settings.signing_key.parent.glob("*.old"))) == 1


def test_the_key_of_another_log(settings):
    """
    A key that names another log is refused, so that two logs never look like one.
    """
    with pytest.raises(ConfigurationError, match=r"named .*, not other\.example"):
        signing_key(settings.model_copy(update={"origin": "other.example"}))


@pytest.mark.parametrize("line", ["nonsense", "{} 1", "{} one -", "{} 1 2 3"])
def test_a_line_that_is_no_key(settings, line):
    """
    A list of keys that cannot be read is refused whole.
    """
    settings.verifier_keys.write_text(line.format(log_keys(settings)[0].key))
    with pytest.raises(ConfigurationError):
        log_keys(settings)


def test_keys_from_before_they_had_sizes(settings):
    """
    A list of keys alone is read as keys for all sizes.
    """
    key = log_keys(settings)[0].key
    settings.verifier_keys.write_text(f"{key}\n")
    assert [(one.first, one.last) for one in log_keys(settings)] == [(0, None)]

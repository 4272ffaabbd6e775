"""Settings: from code, the environment and a file, in that order, and refused where they are none."""

import pytest

from pydantic import ValidationError

from gateway.errors import ConfigurationError
from gateway.settings import CONFIG, Settings


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "settings.yaml"
    monkeypatch.setenv(CONFIG, str(path))
    return path


def test_code_before_environment_before_file(file, monkeypatch):
    """
    What is given in code goes before the environment, and that before the file.
    """
    file.write_text("max_items: 1\nmax_depth: 2\nmax_waiting: 3\n")
    monkeypatch.setenv("CTXGATE_MAX_DEPTH", "20")
    monkeypatch.setenv("CTXGATE_MAX_WAITING", "30")
    chosen = Settings(max_waiting=300)
    assert (chosen.max_items, chosen.max_depth, chosen.max_waiting) == (1, 20, 300)


def test_a_file_that_is_not_there(file):
    """
    A file that is named and missing stops the gateway, rather than its defaults being taken.
    """
    with pytest.raises(ConfigurationError, match="no file of settings"):
        Settings()


@pytest.mark.parametrize("text", ["max_itms: 5\n", "max_items: many\n", "max_items: 0\n", "policy_engine: guess\n"])
def test_what_is_no_setting(file, text):
    """
    A misspelt name and a value out of its range are refused.
    """
    file.write_text(text)
    with pytest.raises(ValidationError):
        Settings()


def test_settings_do_not_change_under_way():
    """
    Settings are frozen: what was checked at the start holds.
    """
    with pytest.raises(ValidationError):
        Settings().max_items = 5


def test_secrets_are_not_printed(monkeypatch):
    """
    A database's password is in no representation of the settings.
    """
    monkeypatch.setenv("CTXGATE_LEDGER_URL", "postgresql://gateway:hunter2@db/ledger")
    chosen = Settings()
    assert "hunter2" not in f"{chosen!r} {chosen} {chosen.model_dump_json()}"
    assert "hunter2" in chosen.ledger_url.get_secret_value()


def test_limits_are_the_settings(tmp_path):
    """
    The limits on a request are the four settings, and the files of a state lie under its folder.
    """
    chosen = Settings(max_request_bytes=2000, max_item_bytes=100, max_items=5, max_depth=4, state_dir=tmp_path)
    assert chosen.limits.model_dump() == {
        "request_bytes": 2000,
        "item_bytes": 100,
        "items": 5,
        "depth": 4,
        "values": 200_000,
    }
    for path in (chosen.ledger_file, chosen.bundles_dir, chosen.signing_key, chosen.verifier_keys, chosen.pin):
        assert path.is_relative_to(tmp_path)
    assert Settings(pin_file=tmp_path / "elsewhere").pin == tmp_path / "elsewhere"

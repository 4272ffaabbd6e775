"""Keys of persons on a PKCS#11 token, against SoftHSM."""

import importlib.util
import shutil
import subprocess

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.errors import KeyServiceError
from tests.support.services import need

MODULE = Path("/usr/lib/softhsm/libsofthsm2.so")
KEY = bytes(range(32))


@pytest.fixture(scope="module")
def token(tmp_path_factory):
    """A token of our own, with its PIN; the library reads where it lies once for a process."""
    need(MODULE.is_file() and shutil.which("softhsm2-util") is not None, "SoftHSM")
    need(importlib.util.find_spec("pkcs11") is not None, "python-pkcs11")
    folder = tmp_path_factory.mktemp("hsm")
    (folder / "tokens").mkdir()
    (folder / "softhsm2.conf").write_text(f"directories.tokendir = {folder}/tokens\nlog.level = ERROR\n")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SOFTHSM2_CONF", str(folder / "softhsm2.conf"))
        made = ("softhsm2-util", "--init-token", "--free", "--label", "ctxgate", "--pin", "1234", "--so-pin", "5678")
        subprocess.run(made, check=True, capture_output=True)
        yield "ctxgate"


@pytest.fixture
def wrap(token):
    from adapters.ledger.keys.pkcs11 import Pkcs11KeyWrap

    return Pkcs11KeyWrap(MODULE, token, "1234")


def test_a_key_on_a_token(wrap):
    """
    Each key is wrapped under one of its own on the token, opens again from several threads, and no more once that is destroyed.
    """
    one, other = wrap.wrap(KEY), wrap.wrap(KEY)
    assert wrap.outside(one) != wrap.outside(other)
    assert KEY not in one
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(wrap.unwrap, [one, other] * 20)) == {KEY}
    wrap.destroy(wrap.outside(one))
    wrap.destroy(wrap.outside(one))
    with pytest.raises(ValueError, match="destroyed"):
        wrap.unwrap(one)
    assert wrap.unwrap(other) == KEY


def test_what_was_changed_does_not_open(wrap):
    """
    A wrapped key that was changed, or stands under another's name, does not open.
    """
    one, other = wrap.wrap(KEY), wrap.wrap(KEY)
    name, strange = wrap.outside(one).encode(), wrap.outside(other).encode()
    for changed in (one[:-1] + bytes([one[-1] ^ 1]), one.replace(name, strange)):
        # Which of the two is for the token to say: SoftHSM names no cause.
        with pytest.raises((ValueError, KeyServiceError)):
            wrap.unwrap(changed)
    assert wrap.unwrap(one) == KEY


def test_a_token_that_is_not_there(token):
    """
    Without the token, or its library, nothing is wrapped, opened or taken for destroyed.
    """
    from adapters.ledger.keys.pkcs11 import Pkcs11KeyWrap

    for label, pin, module in (("another", "1234", MODULE), ("ctxgate", "1234", Path("/none.so"))):
        wrap = Pkcs11KeyWrap(module, label, pin)
        for act in (lambda: wrap.wrap(KEY), lambda: wrap.destroy("ctxgate-x")):  # noqa: B023 - called at once
            with pytest.raises(KeyServiceError):
                act()

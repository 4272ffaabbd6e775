"""
The files of keys: what signs the log, what verifies it from which size to which, and what seals and names.

Rules held here: keys are made in one place and together, on purpose (`keygen`, or the first start of a gateway on development keys
in a fresh folder), never by asking a question; a key that is not where it was is an error; a key that was replaced stays known,
with the last size of the log that it signs.
"""

import os

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier, make_signing_key
from adapters.shared.secrets import write_secret
from gateway.errors import ConfigurationError, KeyLostError
from gateway.settings import Settings
from ledger.tlog.keys import LogKey
from ledger.tlog.note import VerifierKey

SECRETS: Final = ("evidence.key", "ids.secret", "aside.key")
"""32 bytes each: wraps the keys of persons, makes ids and marks, seals what is kept beside the ledger."""

_OPEN: Final = "-"


def secret_file(settings: Settings, name: str) -> Path:
    """Where one of the secrets is."""
    return settings.state_dir / "keys" / name


def fresh(settings: Settings) -> bool:
    """Whether the state folder holds neither a key nor a ledger, so that keys may be made in it."""
    files = [settings.signing_key, settings.verifier_keys, *(secret_file(settings, name) for name in SECRETS)]
    return not any(path.exists() for path in [*files, settings.ledger_file])


def make_keys(settings: Settings) -> VerifierKey:
    """
    All keys of a gateway, in a fresh folder.

    Raises:
        KeyLostError: the folder is not fresh.

        ConfigurationError: the origin cannot be the name of a key.
    """
    if not fresh(settings):
        raise KeyLostError(f"{settings.state_dir} holds keys or a ledger already, so no others are made beside them")
    signer = make_signing_key(settings.origin, settings.signing_key)
    for name in SECRETS:
        write_secret(secret_file(settings, name), os.urandom(32))
    write_log_keys(settings, [LogKey(Ed25519Verifier(signer.key))])
    return signer.key


def signing_key(settings: Settings) -> Ed25519Signer:
    """
    The key that the log is signed with.

    Raises:
        KeyLostError: it is not there.

        ConfigurationError: it cannot be read, or is another log's.
    """
    if not settings.signing_key.exists():
        raise KeyLostError(f"there is no signing key at {settings.signing_key}")
    signer = Ed25519Signer.from_file(settings.signing_key)
    if signer.key.name != settings.origin:
        raise ConfigurationError(f"the key at {settings.signing_key} is named {signer.key.name}, not {settings.origin}")
    return signer


def _next(settings: Settings) -> Path:
    return settings.signing_key.with_suffix(".next")


def next_signing_key(settings: Settings) -> Ed25519Signer:
    """The key that is to take over, made once: an interrupted rotation goes on with the same one."""
    path = _next(settings)
    return Ed25519Signer.from_file(path) if path.exists() else make_signing_key(settings.origin, path)


def take_over(settings: Settings, old: VerifierKey, new: VerifierKey, index: int) -> None:
    """
    Put the next signing key in place of the old one, which signs no tree that holds the entry at *index*.

    Raises:
        ConfigurationError: a key cannot be read.
    """
    known = [one for one in log_keys(settings) if one.key != new]
    ended = [one.within(0, index) if one.key == old else one for one in known]
    write_log_keys(settings, [LogKey(Ed25519Verifier(new), first=index + 1), *ended])
    if settings.signing_key.exists():
        settings.signing_key.replace(settings.signing_key.with_suffix(f".{old.key_hash.hex()}.old"))
    _next(settings).replace(settings.signing_key)


def earlier_signers(settings: Settings) -> list[Ed25519Signer]:
    """The keys that signed before and were put away, as far as they are here."""
    path = settings.signing_key
    return [Ed25519Signer.from_file(old) for old in sorted(path.parent.glob(f"{path.stem}.*.old"))]


def log_keys(settings: Settings) -> tuple[LogKey, ...]:
    """
    The log's verifier keys, newest first, each with the sizes of the log that it signs.

    Raises:
        ConfigurationError: they cannot be read.
    """
    if not settings.verifier_keys.exists():
        return ()
    return tuple(_read(line, settings) for line in settings.verifier_keys.read_text().splitlines() if line.strip())


def _read(line: str, settings: Settings) -> LogKey:
    """A line of the file: a verifier key and, where it is not for all sizes, the first and the last; `-` for no end."""
    vkey, *ends = line.split()
    try:
        first, last = ends or ("0", _OPEN)
        return LogKey(Ed25519Verifier(vkey), int(first), None if last == _OPEN else int(last))
    except ValueError as error:
        raise ConfigurationError(f"{settings.verifier_keys} has a line that is no key with its sizes") from error


def write_log_keys(settings: Settings, keys: Sequence[LogKey]) -> None:
    """Write the log's verifier keys, newest first, all of them or none."""
    rows = (f"{one.key} {one.first} {_OPEN if one.last is None else one.last}\n" for one in keys)
    draft = settings.verifier_keys.with_suffix(f".{os.getpid()}.new")
    with draft.open("w") as file:
        file.write("".join(rows))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(settings.verifier_keys)

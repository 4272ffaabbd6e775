"""`ctxgate ledger vkey`, `keygen`: the keys that the log is signed with, and how one takes over from another."""

import asyncio

from typing import Annotated

import typer

from gateway.audit.acts import record_key_rotation
from gateway.bootstrap.key_files import fresh, log_keys, make_keys, next_signing_key, signing_key, take_over
from gateway.bootstrap.ledger import writing
from gateway.bootstrap.process import system_clock
from gateway.cli.ledger.query import ledger, local_actor
from gateway.cli.output import raw
from gateway.errors import FieldInvalidError, ReadingRefusedError, RecordError
from gateway.settings import Settings
from ledger.checks.rotation import replaced_at
from ledger.tlog.note import VerifierKey


@ledger.command()
def vkey(
    sizes: Annotated[bool, typer.Option(help="Also the first and the last size of the log that each signs.")] = False,
) -> None:
    """Print the log's verifier keys, newest first."""
    for one in log_keys(Settings()):
        last = "-" if one.last is None else one.last
        raw(f"{one.key} {one.first} {last}" if sizes else str(one.key))


@ledger.command()
def keygen(
    rotate: Annotated[bool, typer.Option(help="Replace the present key; proofs under it stay valid.")] = False,
    lost: Annotated[bool, typer.Option(help="With --rotate: the present key is lost, which is put on record.")] = False,
) -> None:
    """Make the keys of a gateway in a fresh state folder, or a new signing key, and print its verifier key."""
    settings = Settings()
    if settings.auditor_gateway is not None:
        raise ReadingRefusedError("an auditor's station makes no keys")
    if rotate:
        raw(str(asyncio.run(rotated(settings, lost=lost))))
        return
    if not fresh(settings):
        raise FieldInvalidError("there already is a key", fields=[("--rotate", "replaces it")])
    raw(str(make_keys(settings)))


async def rotated(settings: Settings, *, lost: bool = False) -> VerifierKey:
    """
    A new signing key in place of the present one, from the record on that says so; a rotation that broke off is finished.

    Args:
        settings: whose.
        lost: whether nothing but the new key is left to write the record with.

    Raises:
        FieldInvalidError: the log has no key to replace.

        KeyLostError: the present key is not there, and was not said to be lost.

        RecordError: it is not on record, so the present key stays.

        LedgerError, ConfigurationError: the ledger cannot be opened.
    """
    known = log_keys(settings)
    if not known:
        raise FieldInvalidError("there is no key to replace", fields=[("--rotate", "is for a log that has a key")])
    if not lost:
        signing_key(settings)
    old, new = known[0].key, next_signing_key(settings)
    async with writing(settings, sequencing=False, signer=new if lost else None, replacing=True) as opened:
        store = opened.parts.store
        if replaced_at(store, old) is None:
            actor, now = local_actor(), system_clock()
            await record_key_rotation(old, new.key, actor, now, ledger=opened.recorder, lost=lost)
            await opened.keeper.sequenced()
        index = replaced_at(store, old)
        if index is None:
            raise RecordError("the rotation is on record and not in the log yet; say it once more")
    take_over(settings, old, new.key, index)
    async with writing(settings, sequencing=False) as opened:
        await opened.keeper.round()
    return new.key

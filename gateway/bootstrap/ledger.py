"""Putting the ledger together: its store, its keys, its pin, and who writes to it."""

import asyncio
import contextlib

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import datetime

import httpx

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from adapters.ledger.ed25519 import Ed25519Verifier
from adapters.shared.secrets import read_or_make_secret
from gateway.audit.evidence import Evidence
from gateway.audit.keeper import LogKeeper
from gateway.audit.open_ledger import LedgerWriter, OpenLedger
from gateway.audit.recorder import Recorder
from gateway.audit.witnesses import WitnessPanel
from gateway.bootstrap.keys import log_keys, signing_key
from gateway.bootstrap.process import at_most_every, replica_of
from gateway.errors import ConfigurationError
from gateway.policy.agent import AGENT_DECLARED
from gateway.settings import Settings
from ledger.errors import LedgerError, NoteInvalidError
from ledger.lane import LaneWriter
from ledger.pin import HeadPin
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.store import Store
from ledger.tlog.trust import TrustPolicy
from ledger.writer import GroupCommitWriter


def open_store(settings: Settings, *, frozen: bool = False) -> Store:
    """
    The store alone; *frozen* reads what is there now, whatever others write meanwhile.

    Raises:
        LedgerError: it cannot be opened, or is unsafe.
    """
    if settings.ledger_url is None:
        store = SqliteStore(settings.ledger_file)
        if frozen:
            store.freeze()
        return store
    from adapters.ledger.postgres.store import PostgresStore  # noqa: PLC0415 - only where it is asked for

    return PostgresStore(settings.ledger_url.get_secret_value(), frozen=frozen)


@contextmanager
def open_ledger(settings: Settings, *, check_pin: bool = True) -> Iterator[OpenLedger]:
    """
    The store with its keys and its pin, checked against each other.

    Raises:
        LedgerError: the store cannot be opened, is unsafe, or is behind its pin.

        ConfigurationError: a key or the trust policy cannot be read.
    """
    signer = signing_key(settings)
    sealer = AesSealer(FileKeyWrap(read_or_make_secret(settings.state_dir / "keys" / "evidence.key")))
    store, pin = open_store(settings), HeadPin(settings.pin)
    try:
        if check_pin:
            pin.check(store)
        yield OpenLedger(store, pin, Evidence(store, sealer), signer, log_keys(settings), trust_policy(settings))
    finally:
        store.close()


@asynccontextmanager
async def writing(settings: Settings, *, sequencing: bool = True) -> AsyncIterator[LedgerWriter]:
    """
    The ledger opened to write, kept up in the background, and brought up to date at the end.

    Raises:
        LedgerError, ConfigurationError: as `open_ledger`.
    """
    async with AsyncExitStack() as stack:
        parts = stack.enter_context(open_ledger(settings))
        client = await stack.enter_async_context(httpx.AsyncClient())
        lane = LaneWriter(parts.store, settings.origin, replica_of(settings.state_dir))
        keeper = LogKeeper(
            Sequencer(parts.store, settings.origin, [parts.signer]),
            parts.pin,
            position=lambda: lane.position,
            seconds=settings.checkpoint_every_seconds,
            folder=settings.log_dir,
            witnesses=_panel(parts, client),
        )
        stack.callback(keeper.close)
        stack.push_async_callback(_last_round, keeper)
        writer = GroupCommitWriter(
            lane,
            queue_length=settings.ledger_queue,
            after_commit=at_most_every(settings.pin_every_seconds, lambda: parts.pin.write(None, lane.position)),
        )
        stack.push_async_callback(writer.close)
        if sequencing:
            task = asyncio.get_running_loop().create_task(keeper.run())
            stack.callback(task.cancel)
        recorder = Recorder(
            writer,
            parts.store,
            parts.signer,
            parts.evidence.sealer,
            keeper,
            settle_seconds=settings.settle_seconds,
            codes=(AGENT_DECLARED,) if settings.agent_binding == "declared" else (),
        )
        yield LedgerWriter(parts, recorder, keeper, lane.gateway.replica)


async def _last_round(keeper: LogKeeper) -> None:
    with contextlib.suppress(LedgerError, OSError):
        await keeper.round()


def migrate_ledger(url: str, months: int, now: datetime) -> list[str]:
    """
    Bring a PostgreSQL ledger's schema up to date; names of what was made.

    Raises:
        LedgerError: the database did not answer, or refused.
    """
    from adapters.ledger.postgres.migrate import migrate  # noqa: PLC0415
    from adapters.shared.postgres import Pool  # noqa: PLC0415 - only where it is asked for

    pool = Pool(url)
    try:
        return migrate(pool, months=months, now=now)
    finally:
        pool.close()


def trust_policy(settings: Settings) -> TrustPolicy | None:
    """
    Whom the settings believe.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    if settings.trust_policy is None:
        return None
    try:
        return TrustPolicy.parse(settings.trust_policy.read_text())
    except (OSError, UnicodeDecodeError, NoteInvalidError) as error:
        raise ConfigurationError(f"no trust policy at {settings.trust_policy}: {error}") from error


def _panel(parts: OpenLedger, client: httpx.AsyncClient) -> WitnessPanel | None:
    if parts.trust is None:
        return None
    witnesses = [Ed25519Verifier(party.key) for party in parts.trust.witnesses.values()]
    return WitnessPanel(parts.trust, parts.store, client, log=parts.keys, witnesses=witnesses)

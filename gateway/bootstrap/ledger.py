"""Putting the ledger together: its store, its keys, its pin, and who writes to it."""

import asyncio
import contextlib

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import datetime
from functools import partial

import httpx

from adapters.ledger.aes_sealer import AesSealer
from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from adapters.shared.tls import authorities
from gateway.audit.acts import record_refusal
from gateway.audit.evidence import Evidence
from gateway.audit.keeper import LogKeeper
from gateway.audit.open_ledger import LedgerWriter, OpenLedger
from gateway.audit.recorder import Recorder
from gateway.audit.witnesses import WitnessPanel
from gateway.bootstrap.key_files import earlier_signers, log_keys, signing_key
from gateway.bootstrap.keys import verifiers
from gateway.bootstrap.person_keys import person_keys
from gateway.bootstrap.process import at_most_every, replica_of, system_clock
from gateway.errors import ConfigurationError, ForeignLogError, KeyLostError
from gateway.policy.agent import AGENT_DECLARED
from gateway.settings import Settings
from ledger.checkpoints.vouched import Trust
from ledger.checks.rotation import replaced_at
from ledger.errors import LedgerError, NoteInvalidError
from ledger.intake.following import known_log, opened
from ledger.lane import LaneWriter
from ledger.pin import HeadPin
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.store import SetAside, Store
from ledger.tlog.keys import LogKey
from ledger.tlog.note import VerifierKey
from ledger.tlog.trust import TrustPolicy
from ledger.writer import GroupCommitWriter


def open_store(settings: Settings, *, frozen: bool = False, signer: Ed25519Signer | None = None) -> Store:
    """
    The store alone; *frozen* reads what is there now, whatever others write meanwhile; a *signer* lets it be written.

    Raises:
        LedgerError: it cannot be opened, or is unsafe.
    """
    if settings.ledger_url is None:
        store = SqliteStore(settings.ledger_file)
        if frozen:
            store.freeze()
        return store
    from adapters.ledger.postgres.store import PostgresStore  # noqa: PLC0415 - only where it is asked for

    url = settings.ledger_url.get_secret_value()
    if signer is None:
        return PostgresStore(url, frozen=frozen)
    earlier = [one.proof for one in earlier_signers(settings)]
    return PostgresStore(url, frozen=frozen, proof=signer.proof, earlier=earlier)


@contextmanager
def open_ledger(
    settings: Settings, *, check_pin: bool = True, signer: Ed25519Signer | None = None, replacing: bool = False
) -> Iterator[OpenLedger]:
    """
    The store with its keys and its pin, checked against each other.

    Args:
        settings: which ones.
        check_pin: whether a store behind its pin is refused.
        signer: stands in for a signing key that is lost.
        replacing: whether the signing key is being replaced, and may have been by a record that is there already.

    Raises:
        LedgerError: the store cannot be opened, is unsafe, or is behind its pin.

        KeyLostError: a key is not there, or was replaced.

        ForeignLogError: the store is another log's.

        ConfigurationError: a key or the trust policy cannot be read.
    """
    chosen = signer or signing_key(settings)
    sealer = AesSealer(person_keys(settings))
    store, pin = open_store(settings, signer=chosen), HeadPin(settings.pin)
    try:
        keys = log_keys(settings)
        _require_own(store, settings, keys, chosen.key)
        if not replacing:
            _require_turn(store, chosen.key)
        if check_pin:
            pin.check(store)
        yield OpenLedger(store, pin, Evidence(store, sealer), chosen, keys, trust_policy(settings))
    finally:
        store.close()


def _require_own(store: Store, settings: Settings, keys: Sequence[LogKey], own: VerifierKey) -> None:
    """Nobody writes another log's records into a store, and nobody signs a log whose keys they do not know."""
    held = store.claim(settings.origin)
    if held != settings.origin:
        raise ForeignLogError(f"the store holds the log {held}, not {settings.origin}")
    published = store.published()
    if published is None or opened(published, settings.origin, keys):
        return
    # What somebody wrote there stops nobody: the sequencer takes it away. Who signs the log and does not know it, signs nothing.
    if own not in {one.key for one in keys} or not known_log(store, settings.origin, keys):
        raise ForeignLogError(f"the newest checkpoint of the store is not signed by a key of {settings.verifier_keys}")


def _require_turn(store: Store, key: VerifierKey) -> None:
    index = replaced_at(store, key)
    if index is not None:
        raise KeyLostError(f"the signing key {key.id} was replaced by the record at entry {index} of the log")


@asynccontextmanager
async def writing(
    settings: Settings, *, sequencing: bool = True, signer: Ed25519Signer | None = None, replacing: bool = False
) -> AsyncIterator[LedgerWriter]:
    """
    The ledger opened to write, kept up in the background, and brought up to date at the end.

    Args:
        settings: which one.
        sequencing: whether to keep the log up in the background.
        signer: as in `open_ledger`.
        replacing: as in `open_ledger`.

    Raises:
        LedgerError, ConfigurationError: as `open_ledger`.
    """
    async with AsyncExitStack() as stack:
        parts = stack.enter_context(open_ledger(settings, signer=signer, replacing=replacing))
        client = await stack.enter_async_context(httpx.AsyncClient(verify=authorities()))
        lane = LaneWriter(parts.store, settings.origin, replica_of(settings.state_dir), parts.signer)
        keeper = LogKeeper(
            Sequencer(
                parts.store,
                settings.origin,
                [parts.signer],
                partial(_keys_now, settings, signer),
                seen=lambda: parts.pin.read().checkpoint,
            ),
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
        keeper.record_refusal = partial(_refused, lane, recorder)
        # Pushed last, so that the last round, for which there is no writer any more, records nothing.
        stack.callback(setattr, keeper, "record_refusal", None)
        yield LedgerWriter(parts, recorder, keeper, lane.gateway.replica)


def _keys_now(settings: Settings, signer: Ed25519Signer | None) -> tuple[LogKey, ...]:
    """The log's keys, and the one that takes over from a lost one: what it writes first says that it does."""
    known = log_keys(settings)
    if signer is None or signer.key in {one.key for one in known}:
        return known
    return (LogKey(Ed25519Verifier(signer.key)), *known)


async def _refused(lane: LaneWriter, recorder: Recorder, refusal: SetAside) -> None:
    if refusal.lane == lane.gateway.replica:
        lane.leave(refusal.epoch)
    await record_refusal(refusal, system_clock(), ledger=recorder)


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


def outside_trust(settings: Settings, vkeys: Sequence[str] = ()) -> Trust:
    """
    Who is believed about the log from outside its own folder: keys that are given, or those of the trust policy, and witnesses.

    Raises:
        ConfigurationError: a key or the trust policy cannot be read.
    """
    policy = trust_policy(settings)
    known = [] if policy is None else [party.key for party in policy.logs if party.key.name == settings.origin]
    witnesses = [] if policy is None else [Ed25519Verifier(party.key) for party in policy.witnesses.values()]
    return Trust(policy, verifiers(vkeys) if vkeys else tuple(map(Ed25519Verifier, known)), witnesses)


def _panel(parts: OpenLedger, client: httpx.AsyncClient) -> WitnessPanel | None:
    if parts.trust is None:
        return None
    witnesses = [Ed25519Verifier(party.key) for party in parts.trust.witnesses.values()]
    return WitnessPanel(parts.trust, parts.store, client, log=parts.keys, witnesses=witnesses)

"""Putting erasure together: what drives deleted rows out of files, and what no erasure reaches."""

from collections.abc import Sequence
from functools import partial

from gateway.audit.open_ledger import LedgerWriter
from gateway.audit.proving.proofs import RecordProofs
from gateway.audit.queries import LedgerQueries
from gateway.bootstrap.policies import state_file
from gateway.bootstrap.stores import Stores
from gateway.policy.store import forget_proposals
from gateway.ports.erasure import Purge
from gateway.privacy.asking import ErasureDesk
from gateway.privacy.certificate import Stays
from gateway.privacy.completion import Completion
from gateway.privacy.erasure import Eraser
from gateway.settings import Settings
from ledger.sqlite.store import SqliteStore


def eraser_of(settings: Settings, ledger: LedgerWriter, stores: Stores) -> Eraser:
    """
    What forgets persons.

    Args:
        settings: among them, how long readers are waited for.
        ledger: open to write, for a role that may erase.
        stores: what is kept beside it.
    """
    catch_up = LedgerQueries(ledger.parts.store, ledger.recorder, ledger.keeper.round).up_to_date
    parts, personal = ledger.parts, stores.personal
    purges = _purges(settings, ledger, stores)
    completion = Completion(
        parts.store,
        ledger.recorder,
        parts.evidence.sealer,
        parts.signer,
        settings.origin,
        personal.erasures,
        personal.requests,
        list(purges.values()),
        list(purges),
        partial(_stays, settings),
        catch_up,
        settings.erase_seconds,
    )
    proposals = partial(forget_proposals, state_file(settings))
    return Eraser(parts.store, ledger.recorder, personal, catch_up, completion, proposals)


def erasure_desk(ledger: LedgerWriter, stores: Stores) -> ErasureDesk:
    """
    Where officers ask for erasures and approve them.

    Args:
        ledger: open to write.
        stores: what is kept beside it.
    """
    proofs = RecordProofs(ledger.parts.store, ledger.parts.keys)
    return ErasureDesk(stores.requests, ledger.recorder, proofs, stores.secret)


def _purges(settings: Settings, ledger: LedgerWriter, stores: Stores) -> dict[str, Purge]:
    """What drives deleted rows out of each database, by what a certificate says was looked after."""
    store = ledger.parts.store
    if isinstance(store, SqliteStore):
        return {
            "ledger.sqlite: persons, keys, salts, write-ahead log": store.purge,
            "aside.sqlite: quarantine, answers, sessions, keys of persons, write-ahead log": stores.tables.rows.purge,
            "traces.sqlite: traces, write-ahead log": stores.traces.purge,
        }
    from adapters.ledger.postgres.purge import PostgresPurge  # noqa: PLC0415 - only where it is asked for

    owner = settings.ledger_owner_url
    purge = PostgresPurge(owner.get_secret_value() if owner is not None else None)
    return {"postgresql: persons, keys, salts, quarantine, answers, sessions, traces, replicas": purge}


def _stays(settings: Settings, outside: bool) -> Sequence[Stays]:  # noqa: FBT001 - the port's
    opens = (
        "the wrapped keys in it open nothing any more: those outside are destroyed; names stand in it until it expires"
        if outside
        else "the wrapped keys, the name and what they seal stand in it until it expires; with keys/evidence.key they can be read"
    )
    found = [
        Stays(
            what="records", why="they stand in the log, about a token that stands for nobody, and so do their proofs"
        ),
        Stays(what="backups of the database from before", why=opens),
        Stays(what="packs that were handed over", why="they are the callers' to erase"),
        Stays(what="values behind privacy tokens", why="they are of whom a text spoke, not of who asked for it"),
        Stays(
            what="blocks that the file system freed", why="nobody but the disk's own encryption or erasure reaches them"
        ),
    ]
    if settings.ledger_url is not None:
        found.append(Stays(what="write-ahead log of the server, and archives of it", why=opens))
    return found

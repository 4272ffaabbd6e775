"""
A run on its way into the log: whether it is signed, whole, in the format, and where its lane has come.

Rules held here: the signature first, so that what nobody signed costs one verification and no more; then every record
against the whole format and against its place.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ledger.errors import RecordInvalidError, RunRefusedError
from ledger.intake import reasons
from ledger.intake.signing import Keyring, run_message
from ledger.record import Record, well_named
from ledger.store import Run
from ledger.tlog.merkle import leaf_hash


@dataclass(frozen=True, slots=True)
class Taken:
    """A run whose records may enter the log, but for what others say of their requests."""

    run: Run
    records: list[dict[str, Any]]
    leaves: list[bytes]


def read_run(run: Run, prev: bytes | None, keyring: Keyring) -> Taken:
    """
    Read a run.

    Args:
        run: as found in storage.
        prev: leaf hash of the record before it in its lane; None if that is gone.
        keyring: the log's keys, and its origin.

    Raises:
        RunRefusedError: it may not enter the log.
    """
    if not run.next - run.first == len(run.bodies) == len(run.names) > 0:
        raise RunRefusedError(reasons.INCOMPLETE)
    if not keyring.signed(run.signature, run_message(keyring.origin, run)):
        raise RunRefusedError(reasons.SIGNATURE)
    if prev is None:
        raise RunRefusedError(reasons.CHAIN)
    taken = Taken(run, [], [])
    for seq, (body, name) in enumerate(zip(run.bodies, run.names, strict=True), run.first):
        record = read_record(body)
        if record["origin"] != keyring.origin:
            raise RunRefusedError(reasons.ORIGIN)
        if record["lane"] != {"id": run.lane, "epoch": run.epoch, "seq": seq, "prev": prev.hex()}:
            raise RunRefusedError(reasons.CHAIN)
        if record["decision_id"] != name:
            raise RunRefusedError(reasons.DECISION)
        prev = leaf_hash(body)
        taken.records.append(record)
        taken.leaves.append(prev)
    return taken


def read_record(body: bytes) -> dict[str, Any]:
    """
    The members of a record, held against the whole format: types, kinds, tenants, times, and no member too many.

    Raises:
        RunRefusedError: it is outside the format.
    """
    try:
        record = Record.decode(body)
        datetime.fromisoformat(record.at)
    except (RecordInvalidError, ValueError) as error:
        raise RunRefusedError(reasons.SCHEMA) from error
    if not well_named(record.tenant, record.codes):
        raise RunRefusedError(reasons.SCHEMA)
    return record.members()

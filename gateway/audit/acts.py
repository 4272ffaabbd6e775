"""What is done outside the pipeline and is on record: reading the ledger, keeping it, starting, stopping, and answers on labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gateway.audit.drafts import key_rotated, labels_ruled, lane_closed, lane_opened, ledger_read, record_refused
from gateway.audit.parts import SYSTEM_TENANT, act_alone
from gateway.model import PolicyVersion, Subject
from gateway.ports.ledger import Ledger
from ledger.checks.rotation import rotation_codes
from ledger.store import SetAside
from ledger.tlog.note import VerifierKey


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something at the ledger."""

    tenant: str | None
    """Whose records they may see; None for whoever runs the gateway, who sees those of all tenants."""

    subject: str

    @property
    def on_record(self) -> str:
        """The tenant that what they do is recorded under."""
        return SYSTEM_TENANT if self.tenant is None else self.tenant


async def record_reading(
    asked: Mapping[str, str], actor: Actor, now: datetime, *, ledger: Ledger, code: str | None = None
) -> None:
    """
    Record that somebody reads the ledger, before anything is read.

    Args:
        asked: what for; in codes its names alone, in full only sealed.
        actor: who.
        now: when.
        ledger: where it is recorded.
        code: what the names say, where that is not `FILTER-` and each of them.

    Raises:
        RecordError: it is not on record, so nothing may be read.
    """
    codes = [code] if code else [f"FILTER-{name.upper()}" for name in asked]
    token = await ledger.subject_token(actor.on_record, actor.subject)
    draft, erasable = ledger_read(act_alone(now, actor.on_record, token), asked, codes)
    await ledger.append([draft], [erasable])


async def record_key_rotation(
    old: VerifierKey, new: VerifierKey, actor: Actor, now: datetime, *, ledger: Ledger, lost: bool = False
) -> None:
    """
    Record that the log is signed with another key from this record on; *lost* where the old one was not there any more.

    Raises:
        RecordError: it is not on record.
    """
    token = await ledger.subject_token(actor.on_record, actor.subject)
    told, codes = {"old": old.key_hash.hex(), "new": new.key_hash.hex()}, rotation_codes(old, new, lost=lost)
    draft, erasable = key_rotated(act_alone(now, actor.on_record, token), told, codes)
    await ledger.append([draft], [erasable])


async def record_rollback(reason: str, actor: Actor, now: datetime, *, ledger: Ledger) -> None:
    """
    Record that somebody goes on from an older state than the pin, and why.

    Raises:
        RecordError: it is not on record.
    """
    token = await ledger.subject_token(actor.on_record, actor.subject)
    draft, erasable = lane_opened(act_alone(now, actor.on_record, token), {"reason": reason})
    await ledger.append([draft], [erasable])


async def record_unsigned(runs: int, reason: str, actor: Actor, now: datetime, *, ledger: Ledger) -> None:
    """
    Record that somebody takes runs into the log that were written before runs were signed, and why.

    Raises:
        RecordError: it is not on record.
    """
    token = await ledger.subject_token(actor.on_record, actor.subject)
    told = {"reason": reason, "runs": str(runs)}
    draft, erasable = lane_opened(act_alone(now, actor.on_record, token), told, "unsigned")
    await ledger.append([draft], [erasable])


async def record_refusal(refusal: SetAside, now: datetime, *, ledger: Ledger) -> None:
    """
    Record that something was set aside, and why; once, whoever does it and however often.

    Raises:
        RecordError: it is not on record.
    """
    draft, _ = record_refused(act_alone(now), refusal)
    await ledger.append([draft])


async def record_start(now: datetime, *, ledger: Ledger) -> None:
    """
    Record that this process began to write.

    Raises:
        RecordError: it is not on record.
    """
    draft, _ = lane_opened(act_alone(now))
    await ledger.append([draft])


async def record_stop(now: datetime, *, ledger: Ledger) -> None:
    """
    Record that this process ends in order; a lane without this record ended in a crash.

    Raises:
        RecordError: it is not on record.
    """
    await ledger.append([lane_closed(act_alone(now))])


async def record_evaluations(
    decided: Sequence[tuple[bool, Sequence[str]]],
    subject: Subject,
    policy: PolicyVersion,
    now: datetime,
    *,
    ledger: Ledger,
) -> None:
    """
    Record answers on labels alone: "denied" with the codes, or no outcome, since nothing was released.

    Raises:
        RecordError: they are not on record, so they may not be given.
    """
    act = act_alone(now, subject.tenant, await ledger.subject_token(subject.tenant, subject.sub))
    await ledger.append([labels_ruled(act, now, policy, codes, allowed=allowed) for allowed, codes in decided])

"""
What was set aside: kept in the store under a signature of the log, and said in the log by a `record.refused`.

Rules held here: a run is set aside once and for all, with all that follows in its lane, since nothing can follow what is not
there; what no key of the log signed sets nothing aside.
"""

import hashlib
import secrets

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from ledger.errors import RecordInvalidError
from ledger.intake.signing import Keyring, refusal_message, sign_with
from ledger.record import parse_record
from ledger.store import SetAside, Store
from ledger.tlog.note import Signer


def fresh_decision_id(now: datetime) -> str:
    """A UUIDv7 (RFC 9562 section 5.7) of a moment."""
    value = (
        int(now.timestamp() * 1000) << 80 | 0x7 << 76 | secrets.randbits(12) << 64 | 0x2 << 62 | secrets.randbits(62)
    )
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


TRIES: Final = 16
"""How often what was set aside is put on record anew, where its record was set aside in its turn."""


def recorded_as(decision_id: str) -> Iterator[str]:
    """
    Ids under which a record may say that something was set aside, in their order: each of them counts.

    A record of it may stand in a lane that is set aside too, and its id is taken then; the next one follows from the first, so
    that every process makes the same record.
    """
    yield decision_id
    for again in range(1, TRIES):
        digest = hashlib.sha256(f"{decision_id}#{again}".encode()).hexdigest()
        # The time and the version of the first; the rest from the digest, with the variant that a UUID has.
        yield f"{decision_id[:15]}{digest[:3]}-{'89ab'[int(digest[3], 16) % 4]}{digest[4:7]}-{digest[7:19]}"


@dataclass(slots=True)
class Aside:
    """What this process knows to be set aside, by itself or by others."""

    store: Store
    keyring: Keyring
    signers: Sequence[Signer]
    lanes: dict[tuple[str, int], SetAside] = field(default_factory=dict)
    """By lane and epoch."""

    _place: int = 0
    _unrecorded: dict[str, SetAside] = field(default_factory=dict)

    def refresh(self) -> None:
        """Take in what others set aside since."""
        for place, refusal in self.store.refused(self._place):
            self._place = place
            if self.keyring.signed(refusal.signature, refusal_message(self.keyring.origin, refusal)):
                self._believe(refusal)

    def _believe(self, refusal: SetAside) -> None:
        self._unrecorded[refusal.decision_id] = refusal
        if refusal.code.startswith("RUN-"):
            self.lanes.setdefault((refusal.lane, refusal.epoch), refusal)

    def put(self, refusals: Sequence[SetAside]) -> None:
        """Set aside, signed."""
        signed = []
        for refusal in refusals:
            message = refusal_message(self.keyring.origin, refusal)
            signed.append(replace(refusal, signature=sign_with(self.signers[0], message)))
        if signed:
            self.store.refuse(signed)
        for refusal in signed:
            self._believe(refusal)

    def unrecorded(self) -> list[SetAside]:
        """What no record of the ledger says yet, each under the id that its record is to have."""
        due = [(refusal, self._unsaid(refusal)) for refusal in list(self._unrecorded.values())]
        return [replace(refusal, decision_id=name) for refusal, name in due if name is not None]

    def _unsaid(self, refusal: SetAside) -> str | None:
        """Under which id it is to be recorded; None where a record of it enters the log, or has entered it."""
        for name in recorded_as(refusal.decision_id):
            body = self.store.stored([name]).get(name)
            if body is None:
                return name
            if not self._holds(body):
                if self.store.index_of(name) is not None:
                    # From here on nothing can set it aside.
                    self._unrecorded.pop(refusal.decision_id, None)
                return None
        return None

    def _holds(self, body: bytes) -> bool:
        """Whether a record is set aside itself, or cannot be read."""
        try:
            lane = parse_record(body)["lane"]
        except RecordInvalidError:
            return True
        refusal = self.lanes.get((lane["id"], lane["epoch"]))
        return refusal is not None and refusal.first <= lane["seq"]

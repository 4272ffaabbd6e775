"""
Receipts: the ledger's signed word that a pack and all the rulings behind it are on record.

Rules: the signature is over the exact bytes of the `pack.sealed` record, so nothing the receipt says lies
outside it; the salt makes the pack's digest useless for guessing at short contents; a receipt by a key that was replaced is
believed only where its record stands in the log before that key's end, since whoever stole the key can still sign.
"""

import base64
import hashlib
import json

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from ledger.canonical import jcs
from ledger.errors import LedgerCorruptError, RecordInvalidError
from ledger.record import Hex32, Lane, Record, RecordName
from ledger.store import Store
from ledger.tlog.keys import LogKey
from ledger.tlog.note import Signer, Verifier

_CONTEXT: Final = b"ctxgate-receipt/1\n"
_WHERE: Final = "receipt"

Place = Callable[[Record], int | None]
"""Where exactly this record stands in the log; None where it does not."""


class Receipt(BaseModel):
    """What the caller keeps, to show later what it was given and that the decisions were on record."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    format: Literal["ctxgate-receipt/1"] = "ctxgate-receipt/1"
    """Of this document."""

    origin: RecordName
    """The log that the record is in."""

    lane: Lane
    """Whose record it is, and where it stands among those of its writer."""

    pack_digest: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    """"sha256:" and the digest of salt and pack."""

    pack_salt: Hex32
    """Put before the pack's JCS bytes when its digest is taken."""

    record: str
    """The exact text of the `pack.sealed` record."""

    key: RecordName
    """Id of the key that signed."""

    signature: str
    """Base64 of the signature over "ctxgate-receipt/1", a newline and the record."""


def pack_digest(salt: bytes, content: dict[str, Any]) -> str:
    """SHA-256 in hex over the salt and the pack's JCS bytes; the pack without its receipt."""
    return hashlib.sha256(salt + jcs(content)).hexdigest()


def issue(sealed: Record, salt: bytes, signer: Signer) -> Receipt:
    """The receipt for a `pack.sealed` record that is durable."""
    body = sealed.encode()
    digest = sealed.pack.digest if sealed.pack else ""
    return Receipt(
        origin=sealed.origin,
        lane=sealed.lane,
        pack_digest=f"sha256:{digest}",
        pack_salt=salt.hex(),
        record=body.decode(),
        key=signer.key.id,
        signature=base64.b64encode(signer.sign(_CONTEXT + body)).decode(),
    )


def place_in(store: Store) -> Place:
    """Looks a record up in a store, byte for byte."""

    def place(sealed: Record) -> int | None:
        body = store.stored([sealed.decision_id]).get(sealed.decision_id)
        return store.index_of(sealed.decision_id) if body == sealed.encode() else None

    return place


def nowhere(_: Record) -> int | None:
    """For those who have no log to look in."""
    return None


def verify_receipt(pack: dict[str, Any], keys: Sequence[Verifier], place: Place = nowhere) -> Record:
    """
    Check a pack against the receipt in it, without the ledger unless its key was replaced.

    Args:
        pack: as it was handed over.
        keys: the log's, old ones included.
        place: where its record stands, for receipts by keys that were replaced.

    Returns:
        The `pack.sealed` record, which names the place where the ledger must hold it.

    Raises:
        LedgerCorruptError: the receipt is not the ledger's, or not for this pack.
    """
    try:
        receipt = Receipt.model_validate_json(json.dumps(pack["receipt"]))
        salt = bytes.fromhex(receipt.pack_salt)
    except (KeyError, ValueError) as error:
        raise LedgerCorruptError(_WHERE, "it is not a receipt") from error
    sealed = sealed_record(receipt, keys, place)
    content = {name: value for name, value in pack.items() if name != "receipt"}
    digest = pack_digest(salt, content)
    if sealed.pack is None or not digest == sealed.pack.digest == receipt.pack_digest.removeprefix("sha256:"):
        raise LedgerCorruptError(_WHERE, "it is for another pack")
    return sealed


def sealed_record(receipt: Receipt, keys: Sequence[Verifier], place: Place = nowhere) -> Record:
    """
    The record that a receipt is signed over, without the pack.

    Raises:
        LedgerCorruptError: the receipt is not the ledger's.
    """
    try:
        body = receipt.record.encode()
        signature = base64.b64decode(receipt.signature, validate=True)
    except ValueError as error:
        raise LedgerCorruptError(_WHERE, "it is not a receipt") from error
    # Before the record is read: what this log did not sign costs no more than one signature.
    signed = (key for key in keys if key.key.id == receipt.key and key.verify(signature, _CONTEXT + body))
    signer = next(signed, None)
    if signer is None:
        raise LedgerCorruptError(_WHERE, "it is not signed by a key that is believed")
    try:
        sealed = Record.decode(body)
    except RecordInvalidError as error:
        raise LedgerCorruptError(_WHERE, "it is not a receipt") from error
    if (receipt.origin, receipt.lane) != (sealed.origin, sealed.lane):
        raise LedgerCorruptError(_WHERE, "it names another place than its record")
    if isinstance(signer, LogKey) and signer.last is not None:
        index = place(sealed)
        if index is None or index >= signer.last:
            raise LedgerCorruptError(_WHERE, "its key was replaced, and its record is not in the log from before that")
    return sealed

"""
The certificate of an erasure: which key is gone, when, and what stays and why; signed by the log, and in the log by its hash.

Rules held here: a certificate names a token, digests and places, and never a person; it is a signed note (C2SP signed-note) whose
first line no checkpoint can have; what is believed of it is what its record in the log commits to.  `ledger/FORMAT.md` has the form.
"""

import hashlib
import json

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ledger.canonical import jcs
from ledger.errors import LedgerCorruptError, NoteInvalidError
from ledger.query import Filter
from ledger.record import Hex32, Record, RecordName, RecordTime, Uuid
from ledger.store import Store
from ledger.tlog.note import Signer, Verifier, open_note, sign

FORMAT: Final = "ctxgate-erasure/1"
MEDIA_TYPE: Final = "application/vnd.ctxgate.erasure"
_WHERE: Final = "certificate"
_REQUEST: Final = "REQUEST-"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ErasedKey(_Part):
    """A key of a person that is gone."""

    sha256: Hex32
    """Of the wrapped key as it lay in the store; who has a backup finds by it which one is meant."""

    outside: bool
    """Whether a key outside the database opened it, which is destroyed, so that copies of the wrapped one open nothing."""


class Stays(_Part):
    """What an erasure leaves, and why."""

    what: RecordName
    why: Annotated[str, Field(max_length=1000)]


class Agreed(_Part):
    """Which two persons an erasure is of, by the tokens that stand for them in records."""

    request: Annotated[str, Field(pattern=r"^ERQ-[0-9a-f]{16}$")]
    """What one asked for and the other approved: the item of their `erasure.reviewed` records."""

    asked_by: RecordName
    approved_by: RecordName


class Certificate(_Part):
    """What is certified of one erasure."""

    format: Literal["ctxgate-erasure/1"] = FORMAT
    origin: RecordName
    tenant: RecordName
    token: RecordName
    """What stood for the person in records, and stands for nobody now."""

    erasure: Uuid
    """Decision id of the `erasure` record."""

    erased_at: RecordTime
    certified_at: RecordTime
    agreed: Agreed | None = None
    """None where one person made it, as persons could once."""

    keys: tuple[ErasedKey, ...]
    cleared: tuple[RecordName, ...]
    """Places that were found to hold nothing deleted any more."""

    stays: tuple[Stays, ...]

    def text(self) -> str:
        """What is signed, and whose SHA-256 is in the log."""
        return f"{FORMAT}\n{self.origin}\n{jcs(self.model_dump(mode='json', exclude_none=True)).decode()}\n"


def issue_certificate(certificate: Certificate, signer: Signer) -> str:
    """The certificate as a note that the log's key signed."""
    return sign(certificate.text(), [signer])


def text_digest(text: str) -> str:
    """What the record of a certificate says of it: SHA-256 in hex, of its text without signatures."""
    return hashlib.sha256(text.encode()).hexdigest()


def open_certificate(note: str, keys: Sequence[Verifier]) -> Certificate:
    """
    Check who signed a certificate, without the ledger.

    Raises:
        LedgerCorruptError: it is not one, or not signed by a key that is believed.
    """
    try:
        opened = open_note(note, keys)
        head, _, rest = opened.text.partition("\n")
        origin, _, body = rest.partition("\n")
        certificate = Certificate.model_validate_json(body) if head == FORMAT else None
    except (NoteInvalidError, ValidationError, ValueError) as error:
        raise LedgerCorruptError(_WHERE, "it is not a certificate of erasure") from error
    if certificate is None or certificate.origin != origin or certificate.text() != opened.text:
        raise LedgerCorruptError(_WHERE, "it is not a certificate of erasure")
    if not any(key.name == origin for key in opened.signed):
        raise LedgerCorruptError(_WHERE, "it is not signed by a key of its log that is believed")
    return certificate


def require_on_record(certificate: Certificate, store: Store) -> Record:
    """
    The record that commits to a certificate.

    Raises:
        LedgerCorruptError: the log has no such record, or none of the erasure, or not of two persons who agreed on it, or somebody
            stands behind the token.
    """
    certified = _of(store, certificate, certificate.token, "erasure.certified")
    digest = text_digest(certificate.text())
    found = next((one for one in certified if one.item is not None and one.item.commitment == digest), None)
    if found is None:
        raise LedgerCorruptError(_WHERE, "no record of the log commits to it")
    erasures = _of(store, certificate, certificate.token, "erasure")
    erasure = next((one for one in erasures if one.decision_id == certificate.erasure), None)
    if erasure is None:
        raise LedgerCorruptError(_WHERE, "the log has no record of the erasure")
    _require_agreed(certificate, erasure, store)
    if store.behind(certificate.tenant, [certificate.token]):
        raise LedgerCorruptError(_WHERE, "somebody stands behind the token")
    return found


def request_of(codes: Sequence[str]) -> str | None:
    """What two officers agreed on, by the codes of the record of an erasure; None for one that one officer made."""
    return next((code.removeprefix(_REQUEST) for code in codes if code.startswith(_REQUEST)), None)


def _require_agreed(certificate: Certificate, erasure: Record, store: Store) -> None:
    agreed, request = certificate.agreed, request_of(erasure.codes)
    if request != (agreed.request if agreed else None):
        raise LedgerCorruptError(_WHERE, "the record of the erasure names another request of two officers")
    if agreed is None:
        return
    steps = {
        (code, one.subject) for one in _of(store, certificate, agreed.request, "erasure.reviewed") for code in one.codes
    }
    if agreed.asked_by == agreed.approved_by or not steps >= {
        ("ASKED", agreed.asked_by),
        ("APPROVED", agreed.approved_by),
    }:
        raise LedgerCorruptError(_WHERE, "the log does not have two persons who asked for the erasure and approved it")


def _of(store: Store, certificate: Certificate, item: str, kind: str) -> list[Record]:
    page = store.query(Filter(tenant=certificate.tenant, kind=kind, item_id=item, limit=1000))
    return [Record.decode(body) for body in page.records]


def as_document(certificate: Certificate) -> dict[str, object]:
    """As JSON."""
    document: dict[str, object] = json.loads(certificate.model_dump_json())
    return document

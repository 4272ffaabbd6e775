"""
One entry of the ledger: what it says, its exact bytes and its hash.

`FORMAT.md` specifies all three for auditors.  Changing anything here means a new `schema` name.
"""

import json

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ledger.canonical import MAX_INTEGER, MAX_RECORD_BYTES, encode_canonical, encode_checked
from ledger.errors import RecordInvalidError

SCHEMA: Final = "ctxgate.ledger/2"
"""Of what is written now."""

_FIRST: Final = "ctxgate.ledger/1"
"""Of records from before; they are read, and none is written any more."""

_SINCE_SECOND: Final = frozenset({"person", "repeats"})
"""Members that the first schema did not have."""

Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
RecordTime = Annotated[
    str,
    Field(
        pattern=r"^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
        r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z$"
    ),
]
Uuid = Annotated[str, Field(pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
Count = Annotated[int, Field(ge=0, lt=2**53)]
RecordName = Annotated[str, Field(max_length=300, pattern=r"^[^\x00]*$")]

Kind = Literal[
    "request.opened",
    "item.ruled",
    "item.dropped",
    "pack.sealed",
    "bundle.activated",
    "bundle.rejected",
    "shadow.disagreed",
    "exception.used",
    "erasure",
    "erasure.certified",
    "lane.opened",
    "lane.closed",
    "key.rotated",
    "ledger.read",
    "citation.verified",
    "quarantine.reviewed",
    "token.revealed",
    "bundle.proposed",
    "bundle.shadowed",
    "record.refused",
    "exception.reviewed",
    "erasure.reviewed",
    "document.accepted",
    "document.set_aside",
    "document.refused",
    "document.withdrawn",
    "document.purged",
    "document.synced",
]
RecordOutcome = Literal["released", "redacted", "quarantined", "denied", "dropped"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", use_attribute_docstrings=True)


class Lane(_Part):
    """Where the record stands in the chain of the process that wrote it."""

    id: Uuid
    """The replica that writes the lane."""

    epoch: Count
    """Raised at every start of the replica, so that no two processes extend one chain."""

    seq: Count
    """Position in the lane, from 0, without gaps."""

    prev: Hex32
    """RFC 6962 leaf hash of the lane's previous record; 64 zeros for the first."""


class ItemPart(_Part):
    """The candidate a ruling is about.  Its text is never here."""

    id: RecordName
    commitment: Hex32
    """HMAC-SHA-256 of the content under a fresh salt that is stored in the erasable side."""

    bytes: Count
    media_type: RecordName


class SourcePart(_Part):
    """Where the candidate came from, as labelled."""

    id: RecordName | None = None
    version: RecordName | None = None
    tier: Count | None = None
    jurisdiction: RecordName | None = None
    classification: RecordName | None = None


class PolicyPart(_Part):
    """What decided."""

    revision: RecordName
    engine: RecordName
    engine_version: RecordName
    entrypoint: RecordName
    input_commitment: Hex32 | None = None
    """HMAC-SHA-256 of the policy input, whose salt and bytes are in the erasable side, for replay."""


class FindingCount(_Part):
    """How often a detector saw a kind of thing.  Never where, never what."""

    type: RecordName
    count: Count


class PackPart(_Part):
    """What a `pack.sealed` record commits to."""

    id: RecordName
    digest: Hex32
    """SHA-256 of a salt, which is in the receipt, followed by the pack as JCS without its receipt."""

    items: tuple[Uuid, ...]
    """Decision ids of the items in the pack, in order."""

    rulings: Count
    """How many candidates the request had."""

    rulings_root: Hex32
    """Merkle root over the leaf hashes of all the request's `item.ruled` records, in order."""

    lane_head: Hex32
    """Leaf hash of the last of those records."""


class GatewayPart(_Part):
    """The process that wrote the record."""

    replica: Uuid
    build: RecordName


class Draft(_Part):
    """A record that has not been given its place in a lane."""

    kind: Kind
    decision_id: Uuid
    """UUIDv7; a retry with the same id is the same decision."""

    trace_id: RecordName
    request_id: Uuid
    tenant: RecordName
    subject: RecordName | None = None
    """Random per-tenant token; who it stands for is stored beside the record and can be erased."""

    person: Hex32 | None = None
    """HMAC-SHA-256 of tenant and name of the person behind *subject*, under a salt that is stored beside them and erased with them."""

    repeats: Uuid | None = None
    """Request id of the decision that this one follows: the same request, whose sources gave something else before."""

    agent: RecordName | None = None
    purpose: RecordName | None = None
    item: ItemPart | None = None
    source: SourcePart | None = None
    policy: PolicyPart | None = None
    detectors: dict[RecordName, RecordName] = {}
    findings: tuple[FindingCount, ...] = ()
    outcome: RecordOutcome | None = None
    codes: tuple[RecordName, ...] = ()
    """Codes of the rules and errors that explain the outcome, sorted.  No free text."""

    obligations: tuple[RecordName, ...] = ()
    exceptions: tuple[RecordName, ...] = ()
    """Ids of the governed exceptions that were used."""

    released_commitment: Hex32 | None = None
    pack: PackPart | None = None
    at: RecordTime

    def placed(self, *, origin: str, lane: Lane, gateway: GatewayPart) -> "Record":
        """The record this draft becomes at a place in a lane."""
        return unchecked_record(
            {**self.__dict__, "schema_": SCHEMA, "origin": origin, "lane": lane, "gateway": gateway}
        )


class Record(Draft):
    """One decision, at its place in a lane."""

    model_config = ConfigDict(serialize_by_alias=True)

    schema_: Literal["ctxgate.ledger/1", "ctxgate.ledger/2"] = Field(default=SCHEMA, alias="schema")
    """Names these rules; a reader that does not know the name must stop."""

    origin: RecordName
    """The log that the record belongs to."""

    lane: Lane
    gateway: GatewayPart

    def encode(self) -> bytes:
        """
        The exact bytes that are stored, hashed and proved.

        Raises:
            RecordInvalidError: the record is outside the format.
        """
        return encode_checked(self.members())

    def members(self) -> dict[str, Any]:
        """
        What the record says, as JSON has it.

        Raises:
            RecordInvalidError: the record is outside the format.
        """
        # Every member has its type already, so of the profile only the names of detectors are open.
        if not all(map(str.isascii, self.detectors)):
            msg = "a record has a key that is not ASCII text"
            raise RecordInvalidError(msg)
        later = _SINCE_SECOND if self.schema_ == _FIRST else None
        return self.model_dump(mode="json", exclude=set(later) if later else None)

    @classmethod
    def decode(cls, body: bytes) -> Self:
        """
        Read stored bytes, and refuse any that `encode` would not have written.

        Raises:
            RecordInvalidError: the bytes are not a record, or not in their canonical form.
        """
        try:
            record = cls.model_validate_json(body)
        except ValidationError as error:
            msg = f"not a {SCHEMA} record: {error.errors()[0]['loc']}"
            raise RecordInvalidError(msg) from error
        if record.encode() != body:
            msg = "not in canonical form"
            raise RecordInvalidError(msg)
        return record


def unchecked_record(members: dict[str, Any]) -> Record:
    """
    The record of members that were checked before: what `Record.model_construct` makes of them.

    Args:
        members: all of a record, by the names of its attributes; the record keeps this dictionary.
    """
    record = Record.__new__(Record)
    # Without looking for defaults and aliases it is ten times quicker, and each record passes here while its caller waits.
    # These four are all that pydantic keeps of an instance, and a frozen model takes them only past its own `__setattr__`.
    object.__setattr__(record, "__dict__", members)
    object.__setattr__(record, "__pydantic_fields_set__", set(members))
    object.__setattr__(record, "__pydantic_extra__", None)
    object.__setattr__(record, "__pydantic_private__", None)
    return record


def well_named(tenant: str, codes: Iterable[str]) -> bool:
    """Whether a tenant has a name, and it and all codes can be printed as they stand."""
    return bool(tenant.strip()) and tenant.isprintable() and all(map(str.isprintable, codes))


def parse_record(body: bytes) -> dict[str, Any]:
    """
    The members of stored bytes, when the whole of the record is proved by a root or a chain: quicker than `decode`.

    Raises:
        RecordInvalidError: the bytes are not in canonical form, or not an object with the members of a record.
    """
    try:
        fields = _decoder.decode(body.decode())
        whole = fields.keys() == _MEMBERS[fields["schema"]] and fields["lane"].keys() == _LANE
        canonical = whole and encode_canonical(fields).encode() == body and len(body) <= MAX_RECORD_BYTES
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        msg = f"not a {SCHEMA} record"
        raise RecordInvalidError(msg) from error
    if not canonical:
        msg = f"not a {SCHEMA} record in canonical form"
        raise RecordInvalidError(msg)
    return fields  # type: ignore[no-any-return]


def _integer(text: str) -> int:
    value = int(text)
    if abs(value) > MAX_INTEGER:
        raise ValueError(text)
    return value


def _refuse(text: str) -> float:
    raise ValueError(text)


_NAMES: Final = {field.alias or name for name, field in Record.model_fields.items()}
_MEMBERS: Final = {SCHEMA: _NAMES, _FIRST: _NAMES - _SINCE_SECOND}
"""By schema."""
_LANE: Final = set(Lane.model_fields)
_decoder: Final = json.JSONDecoder(parse_float=_refuse, parse_int=_integer, parse_constant=_refuse)

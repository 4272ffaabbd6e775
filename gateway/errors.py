"""
Every error the gateway raises on purpose.

    GatewayError
    ├── RequestError                    the caller's fault; do not retry as it stands
    │   ├── IdentityError               who is asking is not established
    │   │   ├── IdentityMissingError
    │   │   ├── TokenExpiredError
    │   │   ├── TokenAudienceError
    │   │   ├── TokenInvalidError
    │   │   ├── ClaimMissingError
    │   │   └── TokenReplayedError  KeysUnavailableError
    │   ├── ScopeMissingError           the token does not allow this call
    │   ├── BodyError                   the bytes are not a request
    │   │   ├── MalformedJsonError  InvalidUtf8Error  NumberError  NestingTooDeepError
    │   │   └── DuplicateKeyError
    │   ├── FieldInvalidError           a field is missing or has the wrong type or value
    │   │   ├── UnknownFieldError  DuplicateItemError  NoCandidatesError
    │   ├── TooLargeError               a limit is exceeded
    │   │   └── RequestTooLargeError  ItemTooLargeError  TooManyItemsError
    │   ├── AgentUnknownError  PurposeUnknownError  ModelUnknownError
    │   ├── RequestRefusedError         policy refuses the request as a whole
    │   │   ├── SecondOfficerError      the step needs another officer
    │   │   └── PackRefusedError        policy refuses the items as a set
    │   │       └── ContextStarvationError  EntityDataEmptyError
    │   ├── BudgetOverflowError         what must not be cut does not fit
    │   ├── IdempotencyError            the key of the request is another's
    │   └── NotFoundError
    ├── PolicyError                     we cannot decide, so nothing is released
    │   └── PolicyUnavailableError  PolicyMalformedError  BundleInvalidError
    ├── DetectorError                   we cannot screen, so nothing is released
    │   └── DetectorUnavailableError  DetectorTimeoutError
    ├── ObligationError                 an obligation cannot be carried out
    ├── PackIncompleteError             the pack and its drop report do not account for what was allowed
    ├── RecordError                     we cannot record, so nothing is released
    │   └── RecordBusyError  PersonErasedError
    ├── SourceError                     a source did not give its items
    │   └── SourceUnavailableError  SourceMalformedError
    ├── OverloadedError                 too much is under way; nothing was done
    │   └── DeadlineExceededError       the time for it is over; nothing was released
    ├── RateLimitedError                the caller asks too often
    └── ConfigurationError              the gateway cannot start as it is set

A refusal of one item is not an error: it is a ruling, recorded like any other.
Messages never hold the text of an item.
"""

from collections.abc import Sequence
from typing import ClassVar


class GatewayError(Exception):
    """
    Base of all the errors in this module; only the edges (`gateway.api.app`, `gateway.cli`) catch it.

    ``code`` is what callers, dashboards and the ledger see.  It never changes meaning;
    `docs/errors.md` lists every one, and a test keeps it so.
    """

    code: ClassVar[str] = "GW-000"
    retryable: ClassVar[bool] = False
    recorded = False
    """Whether the refusal is on record already."""

    def __init__(
        self,
        detail: str,
        *,
        fields: Sequence[tuple[str, str]] = (),
        reasons: Sequence[str] = (),
    ) -> None:
        """
        Args:
            detail: one sentence for the caller, without any item's text.
            fields: (field, message) for each field that is at fault.
            reasons: codes of the policy rules that refused, if any did.
        """
        super().__init__(detail)
        self.detail = detail
        self.fields = tuple(fields)
        self.reasons = tuple(reasons)


class RequestError(GatewayError):
    """The request cannot be acted on as it stands."""

    code = "GW-100"


class IdentityError(RequestError):
    """Who is asking is not established."""

    code = "GW-101"


class IdentityMissingError(IdentityError):
    """There is no bearer token."""

    code = "GW-102"


class TokenExpiredError(IdentityError):
    """The token has expired or is not valid yet."""

    code = "GW-103"


class TokenAudienceError(IdentityError):
    """The token was issued for somebody else's service."""

    code = "GW-104"


class TokenInvalidError(IdentityError):
    """The token's signature, issuer or algorithm is not one we accept."""

    code = "GW-105"


class ClaimMissingError(IdentityError):
    """The token lacks a claim that decisions need, or has it with a wrong type."""

    code = "GW-106"


class TokenReplayedError(IdentityError):
    """The token was used before, and tokens are believed once here."""

    code = "GW-108"


class KeysUnavailableError(IdentityError):
    """The trust layer's keys cannot be had, so nobody is known."""

    code = "GW-109"
    retryable = True


class ScopeMissingError(RequestError):
    """The token does not hold the scope for this call."""

    code = "GW-107"


class BodyError(RequestError):
    """The bytes that arrived are not a request."""

    code = "GW-110"


class MalformedJsonError(BodyError):
    """The body is not JSON."""

    code = "GW-111"


class InvalidUtf8Error(BodyError):
    """The body is not UTF-8, or holds a lone surrogate."""

    code = "GW-112"


class NumberError(BodyError):
    """A number is NaN, infinite or too large to be exact."""

    code = "GW-113"


class NestingTooDeepError(BodyError):
    """Objects and arrays are nested more deeply than the limit."""

    code = "GW-114"


class DuplicateKeyError(BodyError):
    """An object names the same key twice."""

    code = "GW-115"


class FieldInvalidError(RequestError):
    """A field is missing, or has the wrong type or value."""

    code = "GW-120"


class UnknownFieldError(FieldInvalidError):
    """A field is not part of the request."""

    code = "GW-121"


class DuplicateItemError(FieldInvalidError):
    """Two items have the same id."""

    code = "GW-122"


class NoCandidatesError(FieldInvalidError):
    """There is no item to decide on, neither in the request nor from a source."""

    code = "GW-123"


class TooLargeError(RequestError):
    """A limit is exceeded.  Nothing is ever truncated to fit."""

    code = "GW-130"


class RequestTooLargeError(TooLargeError):
    """The body has more bytes than the limit."""

    code = "GW-131"


class ItemTooLargeError(TooLargeError):
    """An item has more bytes than the limit."""

    code = "GW-132"


class TooManyItemsError(TooLargeError):
    """There are more items than the limit."""

    code = "GW-133"


class AgentUnknownError(RequestError):
    """The agent is not in the registry."""

    code = "GW-140"


class PurposeUnknownError(RequestError):
    """The purpose is not in the registry."""

    code = "GW-141"


class ModelUnknownError(RequestError):
    """The model is not in the registry, so tokens cannot be counted for it."""

    code = "GW-142"


class RequestRefusedError(RequestError):
    """Policy refuses the request as a whole; ``reasons`` holds the rules' codes."""

    code = "GW-150"


class SecondOfficerError(RequestRefusedError):
    """The step needs another officer than the one who took the step before."""

    code = "GW-154"


class PackRefusedError(RequestRefusedError):
    """Policy refuses the items as a set."""

    code = "GW-151"


class ContextStarvationError(PackRefusedError):
    """A section that the agent's contract requires is missing."""

    code = "GW-152"


class EntityDataEmptyError(PackRefusedError):
    """There is no system-of-record data about the entity of the request."""

    code = "GW-153"


class BudgetOverflowError(RequestError):
    """What must not be cut does not fit in the token budget."""

    code = "GW-160"


class NotFoundError(RequestError):
    """There is nothing of that name that the caller may see."""

    code = "GW-170"


class PolicyError(GatewayError):
    """Policy gave no usable answer, so nothing is released."""

    code = "GW-200"


class PolicyUnavailableError(PolicyError):
    """The policy engine did not answer in time."""

    code = "GW-201"
    retryable = True


class PolicyMalformedError(PolicyError):
    """The policy engine answered with something that is not a decision."""

    code = "GW-202"


class BundleInvalidError(PolicyError):
    """The policy bundle does not compile, or lacks something it must have."""

    code = "GW-203"


class DetectorError(GatewayError):
    """Content cannot be screened, so nothing is released."""

    code = "GW-300"


class DetectorUnavailableError(DetectorError):
    """A detector did not answer."""

    code = "GW-301"
    retryable = True


class DetectorTimeoutError(DetectorError):
    """A detector took longer than its time-out."""

    code = "GW-302"
    retryable = True


class ObligationError(GatewayError):
    """An obligation that policy set cannot be carried out, so nothing is released."""

    code = "GW-310"


class PackIncompleteError(GatewayError):
    """The pack and its drop report do not account for exactly what was allowed, so nothing is released."""

    code = "GW-311"


class RecordError(GatewayError):
    """The ledger did not acknowledge the records, so nothing is released."""

    code = "GW-400"
    retryable = True


class RecordBusyError(RecordError):
    """More records wait to be written than the queue holds."""

    code = "GW-401"


class PersonErasedError(RecordError):
    """The person was erased while the request was under way: nothing of it is kept, and nothing is released."""

    code = "GW-403"


class AsideError(GatewayError):
    """What is kept aside for review or behind tokens cannot be kept or read, so nothing is released."""

    code = "GW-402"
    retryable = True


class SourceError(GatewayError):
    """A source did not give its items."""

    code = "GW-500"


class SourceUnavailableError(SourceError):
    """A source that is needed did not answer in time."""

    code = "GW-501"
    retryable = True


class SourceMalformedError(SourceError):
    """A source answered with something that is not a list of items."""

    code = "GW-502"


class OverloadedError(GatewayError):
    """More requests are under way than the limit; nothing was done for this one."""

    code = "GW-600"
    retryable = True


class DeadlineExceededError(OverloadedError):
    """The request's deadline passed; nothing was released."""

    code = "GW-601"


class RateLimitedError(GatewayError):
    """The tenant or the agent has asked as often as it may."""

    code = "GW-602"


class IdempotencyError(RequestError):
    """The idempotency key was used for another request, or for one that is still under way."""

    code = "GW-180"


class ConfigurationError(GatewayError):
    """The gateway cannot start as it is set."""

    code = "GW-900"

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
    │   │   ├── TokenReplayedError  KeysUnavailableError
    │   │   └── NameReservedError  TokenLifetimeError
    │   ├── ScopeMissingError           the token does not allow this call
    │   │   └── NotGovernorError        nor to decide for all tenants
    │   ├── BodyError                   the bytes are not a request
    │   │   ├── MalformedJsonError  InvalidUtf8Error  NumberError  NestingTooDeepError
    │   │   └── DuplicateKeyError
    │   ├── FieldInvalidError           a field is missing or has the wrong type or value
    │   │   ├── UnknownFieldError  DuplicateItemError  NoCandidatesError  LabelCharactersError
    │   ├── TooLargeError               a limit is exceeded
    │   │   └── RequestTooLargeError  ItemTooLargeError  TooManyItemsError
    │   ├── AgentUnknownError  PurposeUnknownError  ModelUnknownError
    │   ├── RequestRefusedError         policy refuses the request as a whole
    │   │   ├── AgentNotOfTokenError    the token does not speak for the agent
    │   │   ├── SecondOfficerError      the step needs another officer
    │   │   └── PackRefusedError        policy refuses the items as a set
    │   │       └── ContextStarvationError  EntityDataEmptyError
    │   │           EntityJurisdictionsError
    │   ├── RequestTooSlowError         the request does not arrive in time
    │   ├── BudgetOverflowError         what must not be cut does not fit
    │   ├── IdempotencyError            the key of the request is another's
    │   └── NotFoundError
    │       └── EvidenceErasedError  EvidenceNotKeptError
    ├── PolicyError                     we cannot decide, so nothing is released
    │   ├── PolicyUnavailableError  PolicyMalformedError  PolicyLimitError
    │   └── BundleInvalidError          a bundle may not decide
    │       └── BundleOlderError  BundleExpiredError  BundleTooCostlyError
    ├── DetectorError                   we cannot screen, so nothing is released
    │   └── DetectorUnavailableError  DetectorTimeoutError  ScreeningTooCostlyError
    ├── ObligationError                 an obligation cannot be carried out
    ├── PackIncompleteError             the pack and its drop report do not account for what was allowed
    ├── RecordError                     we cannot record, so nothing is released
    │   └── RecordBusyError  PersonErasedError
    ├── StoreError                      a store beside the ledger did not keep or read, so nothing is released
    ├── SourceError                     a source did not give its items
    │   └── SourceUnavailableError  SourceMalformedError
    ├── OverloadedError                 too much is under way; nothing was done
    │   └── DeadlineExceededError       the time for it is over; nothing was released
    ├── RateLimitedError                the caller asks too often
    │   ├── TooManyOpenError            the caller has too much open at once
    │   └── RevealRateError             the person asks for the meaning of too many tokens
    └── ConfigurationError              the gateway cannot start as it is configured

A refusal of one item is not an error: it is a ruling, recorded like any other.
Messages never hold the text of an item.
"""

from collections.abc import Sequence
from typing import ClassVar


class GatewayError(Exception):
    """The gateway failed; nothing was released."""

    # Base of all the errors in this module; only the edges (`gateway.api.app`, `gateway.cli`) catch it.

    code: ClassVar[str] = "GW-000"
    """What callers, dashboards and the ledger see; it never changes meaning."""

    remedy: ClassVar[str] = "Report the trace id to whoever runs the gateway; a retry may fail again."
    """What the caller, or whoever runs the gateway, can do; one sentence, the same every time."""

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
    remedy = "Correct the request as the detail says, then send it again."


class IdentityError(RequestError):
    """Who is asking is not established."""

    code = "GW-101"
    remedy = "Send a bearer token of the trust layer."


class IdentityMissingError(IdentityError):
    """There is no bearer token."""

    code = "GW-102"
    remedy = "Send the header `Authorization: Bearer` with a token of the trust layer."


class TokenExpiredError(IdentityError):
    """The token has expired or is not valid yet."""

    code = "GW-103"
    remedy = "Get a new token from the trust layer; if it is new, compare the clocks."


class TokenAudienceError(IdentityError):
    """The token was issued for another service."""

    code = "GW-104"
    remedy = "Ask the trust layer for a token whose audience is this gateway (`CTXGATE_JWT_AUDIENCE`)."


class TokenInvalidError(IdentityError):
    """The token's signature, issuer or algorithm is not accepted."""

    code = "GW-105"
    remedy = "Use a token of the configured issuer, signed with one of its published keys."


class ClaimMissingError(IdentityError):
    """The token lacks a claim that decisions need, or has it with a wrong type."""

    code = "GW-106"
    remedy = "Let the trust layer add the claims that the detail names, or map them with `CTXGATE_JWT_CLAIMS`."


class TokenReplayedError(IdentityError):
    """The token has already been used; this gateway accepts each token once."""

    code = "GW-108"
    remedy = "Get a new token for each request."


class KeysUnavailableError(IdentityError):
    """The trust layer's keys cannot be fetched, so no caller can be verified."""

    code = "GW-109"
    remedy = "Retry; if it lasts, check that the JWKS URL answers."
    retryable = True


class NameReservedError(IdentityError):
    """The token calls its person or tenant by a reserved name, or by one that cannot be told from another."""

    code = "GW-182"
    remedy = (
        "Let the trust layer name persons and tenants by visible characters, in normal form, with a letter or a digit."
    )


class TokenLifetimeError(IdentityError):
    """The token is valid for longer than this gateway accepts."""

    code = "GW-183"
    remedy = "Let the trust layer issue tokens for at most `CTXGATE_JWT_LONGEST_SECONDS`."


class ScopeMissingError(RequestError):
    """The token does not hold the scope for this call."""

    code = "GW-107"
    remedy = "Ask the trust layer for a token with the scope that the detail names."


class NotGovernorError(ScopeMissingError):
    """The step changes what decides for every tenant, and the token may not decide for all of them."""

    code = "GW-181"
    remedy = "Let an officer take the step whose token holds the scope of `CTXGATE_GOVERN_SCOPE`."


class BodyError(RequestError):
    """The bytes that arrived are not a request."""

    code = "GW-110"
    remedy = "Send one JSON object as UTF-8."


class MalformedJsonError(BodyError):
    """The body is not JSON."""

    code = "GW-111"
    remedy = "Send JSON as RFC 8259 defines it; the detail says where it breaks."


class InvalidUtf8Error(BodyError):
    """The body is not UTF-8, or holds a lone surrogate."""

    code = "GW-112"
    remedy = "Encode the body as UTF-8, with every surrogate in its pair."


class NumberError(BodyError):
    """A number is NaN, infinite or too large to be exact."""

    code = "GW-113"
    remedy = "Send numbers between -(2^53 - 1) and 2^53 - 1, or as text."


class NestingTooDeepError(BodyError):
    """Objects and arrays are nested more deeply than the limit."""

    code = "GW-114"
    remedy = "Flatten the content, or send it as text."


class DuplicateKeyError(BodyError):
    """An object names the same key twice."""

    code = "GW-115"
    remedy = "Send each key once."


class FieldInvalidError(RequestError):
    """A field is missing, or has the wrong type or value."""

    code = "GW-120"
    remedy = "Correct the fields that `errors` lists."


class UnknownFieldError(FieldInvalidError):
    """A field is not part of the request."""

    code = "GW-121"
    remedy = "Leave out the fields that `errors` lists; `/openapi.json` has those that exist."


class LabelCharactersError(FieldInvalidError):
    """A name or label holds control, bidirectional, tag or line-separator characters, which could say what nobody sees."""

    code = "GW-116"
    remedy = "Take the characters out of the names that `errors` lists; ids, sources, versions and sections are one visible line."


class DuplicateItemError(FieldInvalidError):
    """Two items have the same id."""

    code = "GW-122"
    remedy = "Give every item of the request an id of its own."


class NoCandidatesError(FieldInvalidError):
    """There is no item to decide on, neither in the request nor from a source."""

    code = "GW-123"
    remedy = "Send at least one item, or name a domain whose sources have some."


class TooLargeError(RequestError):
    """A limit is exceeded.  Nothing is ever truncated to fit."""

    code = "GW-130"
    remedy = "Send less; `docs/settings.md` has the limits."


class RequestTooLargeError(TooLargeError):
    """The body has more bytes, or more values, than the limit."""

    code = "GW-131"
    remedy = "Send fewer or shorter items (`CTXGATE_MAX_REQUEST_BYTES`, `CTXGATE_MAX_VALUES`)."


class ItemTooLargeError(TooLargeError):
    """An item has more bytes than the limit."""

    code = "GW-132"
    remedy = "Split the item (`CTXGATE_MAX_ITEM_BYTES`)."


class TooManyItemsError(TooLargeError):
    """There are more items than the limit."""

    code = "GW-133"
    remedy = "Send the most relevant items only (`CTXGATE_MAX_ITEMS`)."


class AgentUnknownError(RequestError):
    """The agent is not in the registry."""

    code = "GW-140"
    remedy = "Use a registered `agent_id`, or register the agent."


class PurposeUnknownError(RequestError):
    """The purpose is not in the registry."""

    code = "GW-141"
    remedy = "Use a registered `purpose`, or register it."


class ModelUnknownError(RequestError):
    """The model is not in the registry, so tokens cannot be counted for it."""

    code = "GW-142"
    remedy = "Use a registered `model`, or register it with its tokenizer."


class RequestRefusedError(RequestError):
    """Policy refuses the request as a whole; ``reasons`` holds the rules' codes."""

    code = "GW-150"
    remedy = "Look the codes in `reasons` up in `docs/policies.md`; whoever owns the rule can say what is missing."


class AgentNotOfTokenError(RequestRefusedError):
    """The token does not speak for the agent of the request; whether there is such an agent is not said."""

    code = "GW-143"
    remedy = "Name an agent that the token speaks for; it says so in the claims of `CTXGATE_JWT_AGENTS`, by `CTXGATE_AGENT_CLIENTS`."


class SecondOfficerError(RequestRefusedError):
    """The step needs another officer than the one who took the step before."""

    code = "GW-154"
    remedy = "Let another officer confirm it."


class PackRefusedError(RequestRefusedError):
    """Policy refuses the items as a set."""

    code = "GW-151"
    remedy = "Look the codes in `reasons` up in `docs/policies.md`."


class ContextStarvationError(PackRefusedError):
    """A section or a source that the agent's contract requires is missing."""

    code = "GW-152"
    remedy = "Send usable items for the sections and from the sources that `errors` lists."


class EntityDataEmptyError(PackRefusedError):
    """There is no system-of-record data about the entity of the request."""

    code = "GW-153"
    remedy = "Send a fresh, permitted system-of-record item about the entity, or ask without an entity."


class EntityJurisdictionsError(PackRefusedError):
    """The request is for a jurisdiction that its entity, by the entity's own record, does not belong to."""

    code = "GW-155"
    remedy = "Ask for jurisdictions of the entity alone; its record in the system of record lists them."


class RequestTooSlowError(RequestError):
    """The headers or the body of the request came too slowly, or took too long."""

    code = "GW-156"
    remedy = "Retry over a faster connection, or send less (`CTXGATE_BODY_SECONDS`, `CTXGATE_BODY_BYTES_PER_SECOND`)."
    retryable = True


class BudgetOverflowError(RequestError):
    """What must not be cut does not fit in the token budget."""

    code = "GW-160"
    remedy = "Raise `token_budget` to what `errors` says, allow truncation, or send less."


class NotFoundError(RequestError):
    """There is nothing of that name that the caller may see."""

    code = "GW-170"
    remedy = "Check the name, and that it belongs to your tenant."


class EvidenceErasedError(NotFoundError):
    """What was released cannot be shown any more, since the person it was released to is erased."""

    code = "GW-171"
    remedy = "Nothing brings it back; the record and its proofs remain."


class EvidenceNotKeptError(NotFoundError):
    """What was released cannot be shown, since no content was kept when it was decided."""

    code = "GW-172"
    remedy = "Set `CTXGATE_KEEP_CONTENT` to keep what is released from now on; what was not kept is gone."


class PolicyError(GatewayError):
    """Policy gave no usable answer, so nothing is released."""

    code = "GW-200"
    remedy = "Report it to whoever runs the gateway."


class PolicyUnavailableError(PolicyError):
    """The policy engine did not answer in time."""

    code = "GW-201"
    remedy = "Retry; if it lasts, check the policy server."
    retryable = True


class PolicyMalformedError(PolicyError):
    """The policy engine answered with something that is not a decision."""

    code = "GW-202"
    remedy = "Check the active bundle with `ctxgate policy check`, and that the policy server has the same one."


class PolicyLimitError(PolicyError):
    """The items of the request are too much for the policy engine to decide on together."""

    code = "GW-204"
    remedy = (
        "Send fewer items, or fewer versions of one thing; whoever runs the gateway may raise `CTXGATE_POLICY_SECONDS`."
    )


class BundleInvalidError(PolicyError):
    """The policy bundle does not compile, or lacks something it must have."""

    code = "GW-203"
    remedy = "Run `ctxgate policy check` and `ctxgate policy test` on the bundle; each problem has a hint."


class BundleOlderError(BundleInvalidError):
    """The fetched bundle is older than one that was adopted before, or does not say how new it is."""

    code = "GW-205"
    remedy = "Build the archive anew with a higher serial (`ctxgate policy build --serial`); `docs/operations.md` has the migration."


class BundleExpiredError(BundleInvalidError):
    """The bundle's time is over: nobody has signed for it since."""

    code = "GW-206"
    remedy = "Look why the bundle server has nothing newer, or let two officers activate a bundle; then retry."


class BundleTooCostlyError(BundleInvalidError):
    """The bundle is larger, or takes more time or memory to be tried, than the limits allow."""

    code = "GW-207"
    remedy = "Make its rules, tables and tests smaller, or raise `CTXGATE_POLICIES_TRIAL_SECONDS`."


class DetectorError(GatewayError):
    """Content cannot be screened, so nothing is released."""

    code = "GW-300"
    remedy = "Report it to whoever runs the gateway."


class DetectorUnavailableError(DetectorError):
    """A detector did not answer."""

    code = "GW-301"
    remedy = "Retry; if it lasts, check the screening workers and the guard."
    retryable = True


class DetectorTimeoutError(DetectorError):
    """A detector did not answer in time, and was not at work on the content all the while."""

    code = "GW-302"
    remedy = "Retry; if it lasts, check the load of the machine, and the guard; `CTXGATE_DETECTOR_TIMEOUT_SECONDS` says how long is waited."
    retryable = True


class ScreeningTooCostlyError(DetectorError):
    """Content costs more to screen than the limits allow, so the same content will be refused again."""

    code = "GW-303"
    remedy = "Split the documents that `errors` lists, or send fewer of them; `docs/operations.md` says what screening costs."


class ObligationError(GatewayError):
    """An obligation that policy set cannot be carried out, so nothing is released."""

    code = "GW-310"
    remedy = "Correct the obligation in the bundle; the detail says what it lacks."


class PackIncompleteError(GatewayError):
    """The pack and its drop report do not account for exactly what was allowed, so nothing is released."""

    code = "GW-311"
    remedy = "Report the trace id: this is a defect of the gateway."


class RecordError(GatewayError):
    """The ledger did not acknowledge the records, so nothing is released."""

    code = "GW-400"
    remedy = "Retry; if it lasts, check the ledger's store."
    retryable = True


class RecordBusyError(RecordError):
    """More records wait to be written than the queue holds."""

    code = "GW-401"
    remedy = "Retry after the time that `Retry-After` says."


class PersonErasedError(RecordError):
    """The person was erased while the request was under way: nothing of it is kept, and nothing is released."""

    code = "GW-403"
    remedy = "Do not retry for this person."


class StoreError(GatewayError):
    """A store beside the ledger (reviews, tokens, answers, sessions, artifacts) did not keep or read a value, so nothing is released."""

    code = "GW-402"
    remedy = "Retry; if it lasts, check the store and its key."
    retryable = True


class SourceError(GatewayError):
    """A source did not give its items."""

    code = "GW-500"
    remedy = "Report it to whoever runs the source."


class SourceUnavailableError(SourceError):
    """A source that is needed did not answer in time."""

    code = "GW-501"
    remedy = "Retry; if it lasts, check the source that the detail names."
    retryable = True


class SourceMalformedError(SourceError):
    """A source answered with something that is not a list of items."""

    code = "GW-502"
    remedy = "Correct the source that the detail names; `docs/extending.md` has the shape."


class OverloadedError(GatewayError):
    """More requests are under way than the limit; nothing was done for this one."""

    code = "GW-600"
    remedy = "Retry after the time that `Retry-After` says."
    retryable = True


class DeadlineExceededError(OverloadedError):
    """The request's deadline passed; nothing was released."""

    code = "GW-601"
    remedy = "Allow more time, or send less."


class RateLimitedError(GatewayError):
    """The tenant or the agent has asked as often as it may."""

    code = "GW-602"
    remedy = "Retry after the time that `Retry-After` says, or ask for a higher rate."


class RevealRateError(RateLimitedError):
    """The person has asked what tokens stand for as often as one person may."""

    code = "GW-184"
    remedy = "Ask for fewer tokens, or later; whoever runs the gateway can raise `CTXGATE_REVEALS_PER_PERSON`."


class TooManyOpenError(RateLimitedError):
    """The tenant, or the address, has as many requests, connections or bytes open at once as it may."""

    code = "GW-157"
    remedy = "Retry once earlier requests are answered; send fewer at once."


class IdempotencyError(RequestError):
    """The idempotency key was used for another request, or for one that is still under way."""

    code = "GW-180"
    remedy = "Use a new key for a new request; repeat the same request under the same key."


class ConfigurationError(GatewayError):
    """The gateway cannot start as it is configured."""

    code = "GW-900"
    remedy = "Correct the setting or file that the detail names; `ctxgate config check` says what else is wrong."

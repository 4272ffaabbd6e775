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
    │   │   └── LabelUndeclaredError
    │   ├── TooLargeError               a limit is exceeded
    │   │   └── RequestTooLargeError  ItemTooLargeError  TooManyItemsError  ReportTooLargeError
    │   ├── AgentUnknownError  PurposeUnknownError  ModelUnknownError  EntityUnresolvedError
    │   ├── RequestRefusedError         policy refuses the request as a whole
    │   │   ├── AgentNotOfTokenError    the token does not speak for the agent
    │   │   ├── SecondOfficerError      the step needs another officer
    │   │   ├── ExceptionSpentError  TooManyExceptionsError  ExceptionRefusedError  ExceptionStateError
    │   │   ├── ErasureNotWaitingError  TooManyErasuresError
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
    │       └── BundleOlderError  BundleExpiredError  BundleTooCostlyError  CasesRemovedError
    │           RegoUnreadableError  RegoTooDeepError  InvariantInvalidError
    ├── DetectorError                   we cannot screen, so nothing is released
    │   └── DetectorUnavailableError  DetectorTimeoutError  ScreeningTooCostlyError
    ├── ObligationError                 an obligation cannot be carried out
    ├── PackIncompleteError             the pack and its drop report do not account for what was allowed
    ├── RecordError                     we cannot record, so nothing is released
    │   ├── RecordBusyError  PersonErasedError  PersonKeysError
    │   └── LogStoppedError  RecordRefusedError
    ├── ErasureIncompleteError          a person is erased, and something may still hold what was deleted
    ├── RepeatDiffersError              what is on record for the request is not what was decided now
    ├── PackDiffersError                a text of the pack is not what its record commits to
    ├── UnanchoredError                 a ledger is verified against nothing from outside
    ├── ExportFailedError               an export is not written
    ├── ProofTooCostlyError             a proof over all requests took more than it may
    ├── ReportFormError                 a report cannot be set in the form that was asked for
    ├── ReportNotWrittenError           nor written to its file
    ├── UnprovedError                   what is kept beside the ledger is not on record, so nothing follows from it
    ├── ReadingRefusedError             an auditor's reading is not on record, so nothing is read
    ├── StoreError                      a store beside the ledger did not keep or read, so nothing is released
    ├── SourceError                     a source did not give its items
    │   ├── SourceUnavailableError  SourceMalformedError
    │   ├── SourceChangedError  SourceRefusedError  SourceTooLargeError  SourceForeignError
    │   └── SourceOffError  SourceStaleError  ToolNotAskableError
    ├── KnowledgeError                  documents cannot be taken in or searched
    │   ├── DocumentUnreadableError  DocumentTooLargeError  DocumentRefusedError  DocumentUnknownError
    │   ├── CorpusUnknownError  SyncFailedError
    │   └── IndexUnavailableError  ReachMismatchError  ModelUnusableError
    ├── OverloadedError                 too much is under way; nothing was done
    │   └── DeadlineExceededError       the time for it is over; nothing was released
    ├── RateLimitedError                the caller asks too often
    │   ├── TooManyOpenError            the caller has too much open at once
    │   └── RevealRateError             the person asks for the meaning of too many tokens
    ├── DeskError                       a gateway elsewhere did not do what an officer asked
    │   └── DeskRefusedError  DeskSilentError
    └── ConfigurationError              the gateway cannot start as it is configured
        └── KeyLostError  ForeignLogError

A refusal of one item is not an error: it is a ruling, recorded like any other.
Messages never hold the text of an item.
"""

from collections.abc import Sequence
from typing import Any, ClassVar


class GatewayError(Exception):
    """The gateway failed; nothing was released."""

    # Base of all the errors in this module; only the edges (`gateway.api.app`, `gateway.cli`) catch it.

    code: ClassVar[str] = "GW-000"
    """What callers, dashboards and the ledger see; it never changes meaning."""

    remedy: ClassVar[str] = "Report the trace id to whoever runs the gateway; a retry may fail again."
    """What the caller, or whoever runs the gateway, can do; one sentence, the same every time."""

    retryable: ClassVar[bool] = False
    exit_status: ClassVar[int] = 1
    """With which status the command line ends."""

    recorded = False
    """Whether the refusal is on record already."""

    asked: object = None
    """What policy was asked and answered, where it refused the request as a whole (`gateway.ports.policy.Refused`)."""

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


class LabelUndeclaredError(FieldInvalidError):
    """An item carries a label that the bundle does not declare, or that says what it may not."""

    code = "GW-230"
    remedy = "Declare the label in policies/registry/vocabulary, or send it as `metadata`, by which nobody decides."


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


class EntityUnresolvedError(RequestError):
    """The request names no jurisdiction, and the record of its entity gives none that the bundle knows."""

    code = "GW-266"
    remedy = "Name the `jurisdictions` in the request, or check the id of the entity."


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


class ExceptionSpentError(RequestRefusedError):
    """An exception that lets an item through was revoked, or used by others as often as it may, while the request was under way."""

    code = "GW-239"
    remedy = "Ask again: the items are decided on without it."


class TooManyExceptionsError(RequestRefusedError):
    """The tenant has as many exceptions asked for, or in force, as it may."""

    code = "GW-240"
    remedy = "Revoke those that nobody needs (`ctxgate exception list`), or change the tables instead."


class ExceptionRefusedError(RequestRefusedError):
    """Policy does not let officers make this exception on request, or not these officers."""

    code = "GW-241"
    remedy = (
        "Look the codes in `reasons` up in `docs/policies.md`; `on_request` in the table of exceptions has the bounds."
    )


class ExceptionStateError(RequestRefusedError):
    """The exception is not asked for any more, or is over already."""

    code = "GW-242"
    remedy = "Look at it with `ctxgate exception show`; ask for another one where it is still needed."


class ErasureNotWaitingError(RequestRefusedError):
    """No erasure of that id waits for a second officer: it was carried out, withdrawn, or its time is over."""

    code = "GW-277"
    remedy = "Look at those that wait with `ctxgate ledger erase --waiting`; ask anew for what is still to be done."


class TooManyErasuresError(RequestRefusedError):
    """As many erasures of the tenant wait for a second officer as may."""

    code = "GW-278"
    remedy = "Approve or withdraw those that wait (`ctxgate ledger erase --waiting`)."


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


class ReportTooLargeError(TooLargeError):
    """What a report was asked about is more than one report takes."""

    code = "GW-251"
    remedy = "Ask for a shorter period; `ctxgate report` at the machine takes longer ones than HTTP."


class ReportFormError(GatewayError):
    """A report cannot be set in the form that was asked for."""

    code = "GW-250"
    remedy = "Ask for the report as HTML or JSON, and check that CTXGATE_REPORT_FONTS names a folder with whole fonts."


class ReportNotWrittenError(GatewayError):
    """A report could not be written to its file."""

    code = "GW-252"
    remedy = "Choose a file in a folder that is there and that you may write, on a volume with space."


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


class CasesRemovedError(BundleInvalidError):
    """Cases of the bundle that decides are removed, ask for less or are missing, and nobody acknowledged it."""

    code = "GW-235"
    remedy = "Look at them with `ctxgate policy review`, then activate with the digest shown there as `acknowledged`."


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


class RegoUnreadableError(BundleInvalidError):
    """A module of the bundle is no Rego."""

    code = "GW-220"
    remedy = "Look at the line and column that the message names, and at the line above them."


class RegoTooDeepError(BundleInvalidError):
    """A module of the bundle has more within each other than its syntax tree may have."""

    code = "GW-221"
    remedy = "Give a part of the expression in the line that the message names a name of its own."


class InvariantInvalidError(BundleInvalidError):
    """The invariants of a bundle cannot be read, or one speaks of what no request has."""

    code = "GW-225"
    remedy = "Correct the invariant and the field that the detail names; docs/policies.md has the forms."


class ProofTooCostlyError(GatewayError):
    """Proving, or comparing two bundles over all requests, took more time or memory than it may."""

    code = "GW-226"
    remedy = "Give it more with `--seconds` or `CTXGATE_POLICIES_PROOF_SECONDS`, or make the rules and tables that it names smaller."


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


class RepeatDiffersError(GatewayError):
    """What is on record for this request is not what was decided now, or cannot be compared with it, so nothing is released."""

    code = "GW-412"
    remedy = "Send the request again, under another Idempotency-Key if it had one; it is then a request of its own."

    def __init__(self, detail: str, *, opened: str | None = None, **more: Any) -> None:  # noqa: ANN401 - as its base takes them
        """
        Args:
            detail: one sentence for the caller, without any item's text.
            opened: request id of the decision that was opened in the place of this one; None if it is not about that.
            more: as for every error.
        """
        super().__init__(detail, **more)
        self.opened = opened


class PackDiffersError(GatewayError):
    """A text that was about to be released is not what its record commits to, so nothing is released."""

    code = "GW-413"
    remedy = "Report the trace id: this is a defect of the gateway, or somebody changed its memory or its store."


class UnprovedError(GatewayError):
    """What is kept beside the ledger would decide, and no record in the log says the same, so nothing is released."""

    code = "GW-440"
    remedy = "Have it done again, so that it is on record: reviewed by two officers, or proposed and activated; and find out who wrote it."


class ReadingRefusedError(GatewayError):
    """The gateway did not put an auditor's reading on record, so nothing is read."""

    code = "GW-443"
    remedy = "Check `CTXGATE_AUDITOR_GATEWAY` and the token in `CTXGATE_AUDITOR_TOKEN`; `docs/auditors.md` says what each command needs."


class PersonKeysError(RecordError):
    """What keeps the keys of persons outside the database did not answer, so nothing is sealed or opened."""

    code = "GW-421"
    remedy = "Retry; if it lasts, check the service or the token that `CTXGATE_PERSON_KEYS` names, and its credentials."


class ErasureIncompleteError(GatewayError):
    """The person is erased, and something may still hold what was deleted: `errors` names where, by store and kind."""

    code = "GW-420"
    remedy = "End what `errors` names; the gateway goes on by itself, or `ctxgate ledger erase --resume` does, until a certificate says it is done."
    retryable = True


class LogStoppedError(RecordError):
    """The log is not what was signed, so nothing more enters it and nothing that waits for it is released."""

    code = "GW-410"
    remedy = "Whoever runs the gateway: see `log_not_kept_up` in its log, and run `ctxgate ledger verify`."
    retryable = False


class RecordRefusedError(RecordError):
    """The records were set aside and cannot enter the log, so nothing is released."""

    code = "GW-411"
    remedy = "Report the trace id; `ctxgate ledger query --kind record.refused` says why."
    retryable = False


class StoreError(GatewayError):
    """A store beside the ledger (reviews, tokens, answers, sessions, artifacts) did not keep or read a value, so nothing is released."""

    code = "GW-402"
    remedy = "Retry; if it lasts, check the store and its key."
    retryable = True


class UnanchoredError(GatewayError):
    """The ledger holds together, and something from outside that it has to be held against is not given."""

    code = "GW-430"
    remedy = "Give what the detail names, or say with `--waive` that you do without it."
    exit_status = 5


class ExportFailedError(GatewayError):
    """The export could not be written as a whole, so nothing of it was left behind."""

    code = "GW-431"
    remedy = "Choose a folder that is not there yet, on a volume with space, and export again."


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


class SourceChangedError(SourceError):
    """A server offers a tool otherwise than an officer accepted it, so nothing that it answers is taken."""

    code = "GW-260"
    remedy = (
        "Look at what `ctxgate source check` prints; an officer who accepts it puts the new pin into the table `tools`."
    )


class SourceRefusedError(SourceError):
    """A source answered that it cannot or will not do what it was asked."""

    code = "GW-261"
    remedy = "Check the source that the detail names, and what the gateway may ask of it."


class SourceTooLargeError(SourceError):
    """A source answered with more than may be taken."""

    code = "GW-262"
    remedy = "Have the source answer with less, or raise `CTXGATE_MAX_ITEM_BYTES`."


class SourceForeignError(SourceError):
    """A source answered with the record of another entity than it was asked about, so nothing of it is taken."""

    code = "GW-263"
    remedy = "Stop using the source that the detail names until its owner can say why."


class SourceOffError(SourceError):
    """A source that is needed has no connection, so that it is off."""

    code = "GW-264"
    remedy = "Name the source in the file of `CTXGATE_CONNECTIONS`, or bring its items with the request."


class SourceStaleError(SourceError):
    """A source that is needed gave what is past its time to live, also when it was asked again."""

    code = "GW-265"
    remedy = "Check how the source that the detail names is fed; what it has is too old to be used."


class ToolNotAskableError(SourceError):
    """A tool that is needed cannot be asked: the request lacks what it takes, or it keeps no history."""

    code = "GW-267"
    remedy = "Say in the request what the detail names, or ask for the present."


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


class DeskError(GatewayError):
    """A gateway that officers work with from elsewhere did not do what was asked."""

    code = "GW-236"
    remedy = "Correct what the detail names, then run the command again."


class DeskRefusedError(DeskError):
    """The gateway refused; its own code and advice stand in the detail."""

    code = "GW-237"
    remedy = "Look up the code that the detail begins with in `docs/errors.md`."


class DeskSilentError(DeskError):
    """The gateway did not answer, or answered with something else than a gateway does."""

    code = "GW-238"
    remedy = "Check the address, the certificate and the network; then look what came of it before asking once more."


class ConfigurationError(GatewayError):
    """The gateway cannot start as it is configured."""

    code = "GW-900"
    remedy = "Correct the setting or file that the detail names; `ctxgate config check` says what else is wrong."


class KeyLostError(ConfigurationError):
    """A key that must be there is not, or was replaced; none is made in its place."""

    code = "GW-441"
    remedy = "Restore the file that the detail names, or copy it from another replica; `docs/operations.md` has what to do if it is lost."


class ForeignLogError(ConfigurationError):
    """The store holds the log of another origin, or one that is signed by keys which are not known here."""

    code = "GW-442"
    remedy = "Use a store of its own for each origin, and the keys of the log with its store."


class KnowledgeError(GatewayError):
    """Documents cannot be taken in or searched."""

    code = "GW-700"
    remedy = "See `docs/knowledge.md`; the code of the cause says more."


class DocumentUnreadableError(KnowledgeError, RequestError):
    """A file is not what its media type says, is encrypted, holds no text, or would cost too much to read."""

    code = "GW-701"
    remedy = "Check that the file opens, holds text and is not protected; save it anew or in another format."


class DocumentTooLargeError(KnowledgeError, TooLargeError):
    """A file, or what it unpacks to, is larger than a document may be."""

    code = "GW-702"
    remedy = "Split the document, or leave out what is not text."


class DocumentRefusedError(KnowledgeError, RequestError):
    """Policy refuses to take a document in as a whole; ``reasons`` holds the rules' codes."""

    code = "GW-703"
    remedy = "Look up the reasons; correct the document's labels, or ask the owner of the corpus."


class DocumentUnknownError(KnowledgeError, NotFoundError):
    """There is no such document, or no such version of it, that the requester may see."""

    code = "GW-704"
    remedy = "List the documents of the corpus; names are case-sensitive."


class CorpusUnknownError(KnowledgeError, RequestError):
    """The registry has no corpus of this name."""

    code = "GW-705"
    remedy = "Use a corpus of `registry/corpora`, or have an officer add it."


class SyncFailedError(KnowledgeError):
    """A folder or a repository could not be read to its end; what was taken in before stays."""

    code = "GW-706"
    remedy = "Correct what the detail names, then sync again: it goes on where it stopped."


class IndexUnavailableError(KnowledgeError):
    """The index of knowledge cannot be searched or changed, so nothing is searched."""

    code = "GW-710"
    remedy = "Retry; if it stays so, see `docs/knowledge.md` on how to build the index anew."
    retryable = True


class ReachMismatchError(KnowledgeError):
    """The gate refused what the search was allowed to find, so one of the two is wrong and nothing is released."""

    code = "GW-711"
    remedy = "Report the trace id at once; `ctxgate kb check` compares the label dictionary with the gate."


class ModelUnusableError(KnowledgeError):
    """The weights of an embedder or a reranker are missing, or not those that are pinned."""

    code = "GW-712"
    remedy = "Install the gateway anew, or mount the files that the setting names."

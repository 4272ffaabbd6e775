"""
The questions of a past decision put to policy again, and its answers held against the record.

Rules held here: nothing is asked before it is seen to be what the record commits to; where a record does not say how two engines
were combined, both ways are tried, and one that gives what is on record is enough.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from gateway.audit.parts import answer_bytes
from gateway.content.parsing import shaped
from gateway.errors import BundleInvalidError, GatewayError, PolicyError, PolicyMalformedError
from gateway.model import AdmitAnswer, Model, Obligation, PackAnswer, ReleaseAnswer, ScopeAnswer
from gateway.model.policy_answer import obligation_labels
from gateway.policy.agent import OF_REQUEST, of_policy
from gateway.policy.entrypoints import PACK, RELEASE, SCOPE
from gateway.replay.verdicts import DAMAGED, MISMATCH, UNAVAILABLE, ReplayError
from ledger.erasable import Erasable, commit

Ask = Callable[[Mapping[str, Any], bytes], Iterable[object]]
"""
What the policy part of a record names, asked an input as canonical JSON: one answer for each way in which its engines may have
been combined.  Raises a `GatewayError` where it cannot answer here.
"""


_SHAPES: Final[dict[str, type[Model]]] = {SCOPE.name: ScopeAnswer, PACK.name: PackAnswer}


def ruled_again(record: Mapping[str, Any], side: Erasable, ask: Ask) -> ReleaseAnswer | None:
    """
    A ruling decided again; the answer if the item was screened.

    Raises:
        ReplayError: it is not seen to be the same.
    """
    differing: list[str] = []
    for answer in _answers(record, side, ask):
        released, decided = _decided(record["policy"]["entrypoint"], answer)
        recorded = {**{name: record[name] for name in decided}, "codes": of_policy(record["codes"])}
        differing = sorted(name for name in decided if list(decided[name]) != list(recorded[name]))
        if not differing:
            return released
    raise ReplayError(MISMATCH, f"differs in {', '.join(differing) or 'that nothing answers'}")


def answered_again(record: Mapping[str, Any], side: Erasable, ask: Ask) -> None:
    """
    Policy's answer on a request or a set, given again and held against the commitment to it.

    Raises:
        ReplayError: it is not seen to be the same.
    """
    shape = _SHAPES.get(record["policy"]["entrypoint"], Model)
    committed = (record["item"] or {}).get("commitment")
    if side.item_salt is None or committed is None:
        raise ReplayError(DAMAGED, "what was kept of the answer is gone, and no erasure is on record")
    for answer in _answers(record, side, ask):
        told = _shaped(shape, answer)
        if commit(side.item_salt, answer_bytes(told)) == committed and _explains(record, told):
            return
    raise ReplayError(MISMATCH, "policy answers something else now")


def _explains(record: Mapping[str, Any], answer: Any) -> bool:  # noqa: ANN401 - of one of the shapes
    """Whether a refusal on record is one, for no other reasons than policy gives."""
    if record["kind"] != "request.opened" or record["outcome"] != "denied":
        return True
    reasons = {code for code in of_policy(record["codes"]) if not code.startswith("GW-")}
    # Whoever names an agent that is not the token's hears this one, whatever else policy says.
    reasons.discard(OF_REQUEST)
    return not answer.allow and reasons <= {denial.code for denial in answer.denials}


def _answers(record: Mapping[str, Any], side: Erasable, ask: Ask) -> Iterable[object]:
    policy = record["policy"]
    if side.input is None or side.input_salt is None:
        raise ReplayError(DAMAGED, "what was asked is gone, and no erasure is on record")
    if commit(side.input_salt, side.input) != policy["input_commitment"]:
        raise ReplayError(DAMAGED, "what was kept is not what was decided on")
    try:
        yield from ask(policy, side.input)
    except BundleInvalidError as error:
        raise ReplayError(DAMAGED, str(error)) from error
    except PolicyMalformedError as error:
        raise ReplayError(MISMATCH, str(error)) from error
    except GatewayError as error:
        raise ReplayError(UNAVAILABLE, str(error)) from error


def _shaped(shape: type[Model], answer: object) -> Any:  # noqa: ANN401 - of the shape
    try:
        return shaped(shape, answer)
    except (GatewayError, PolicyError) as error:
        raise ReplayError(MISMATCH, "policy answers with something that is not a decision") from error


def _decided(entrypoint: str, answer: object) -> tuple[ReleaseAnswer | None, dict[str, Any]]:
    """What a record says of an answer."""
    if entrypoint == RELEASE.name:
        released = _shaped(ReleaseAnswer, answer)
        return released, _said(released.outcome, released, released.obligations)
    admitted = _shaped(AdmitAnswer, answer)
    # Labels alone refuse an item; one that they admit is recorded at its release.
    return None, _said("admitted" if admitted.allow else "denied", admitted, ())


def _said(outcome: str, answer: AdmitAnswer | ReleaseAnswer, obligations: Sequence[Obligation]) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "codes": sorted({denial.code for denial in answer.denials}),
        "obligations": obligation_labels(obligations),
        "exceptions": answer.exceptions,
    }

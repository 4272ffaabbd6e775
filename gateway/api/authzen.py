"""
OpenID AuthZEN Authorization API 1.0 on the same policies: may this item be considered, by its labels alone?

How the standard's words map to ours: `subject.id` is the person (`sub` of the token, whose claims hold);
`action.name` is the purpose; `resource.id` is the item, and `resource.properties` its section, media type and
provenance labels; `context` holds the request around it: `agent_id`, `jurisdictions`, `entity`.
There is no content in a question, so nobody can have signed it: its labels are the caller's word, and `context.taken_as` of the
answer says as which source type policy takes an item of these labels until somebody vouches for them.
A decision is `true` only if `context/admit` allows; what cannot be asked is `false` with a reason, as the
standard wants, and not an error of transport.
"""

from datetime import datetime
from typing import Any, Final, Literal

from pydantic import ConfigDict, Field, JsonValue

from gateway.concurrency.apart import apart
from gateway.content.parsing import shaped
from gateway.errors import AgentNotOfTokenError, PurposeUnknownError, RequestError
from gateway.model import Candidate, Provenance, Registry, Subject, utc_text
from gateway.model.base import Model, Name
from gateway.model.policy_input import ReleaseInput
from gateway.policy.agent import AgentBinding
from gateway.policy.ask import ask
from gateway.policy.entrypoints import ADMIT
from gateway.ports.policy import PolicyEngine
from gateway.workbench.facts import facts_for

Semantic = Literal["execute_all", "deny_on_first_deny", "permit_on_first_permit"]

OTHER_SUBJECT: Final = "AZN-001"
"""Reason code: the question is about somebody else than the token's person."""

OTHER_SUBJECT_MESSAGE: Final = "The question is not about the person of the token."
"""As in the row of that code, `policies/context/scoping/data.yaml`."""


class _Open(Model):
    model_config = ConfigDict(extra="ignore")


class AuthzenSubject(_Open):
    """Who asks to act (AuthZEN 5.1)."""

    type: Name
    """Such as `user`."""

    id: Name
    """`sub` of the token."""

    properties: dict[str, JsonValue] = Field(default_factory=dict)
    """Not read: claims come from the token."""


class AuthzenAction(_Open):
    """What is to be done (AuthZEN 5.3)."""

    name: Name
    """A registered purpose."""

    properties: dict[str, JsonValue] = Field(default_factory=dict)
    """Not read."""


class AuthzenResource(_Open):
    """To what (AuthZEN 5.2)."""

    type: Name
    """Such as `item`."""

    id: Name
    """The item's id."""

    properties: dict[str, JsonValue] = Field(default_factory=dict)
    """Its section, media type and provenance labels."""


class Evaluation(_Open):
    """One question (AuthZEN 6.1)."""

    subject: AuthzenSubject
    """Who asks."""

    action: AuthzenAction
    """For which purpose."""

    resource: AuthzenResource
    """About which item."""

    context: dict[str, JsonValue] = Field(default_factory=dict)
    """The request around it: `agent_id`, `jurisdictions`, `entity`."""


class Options(_Open):
    """How a batch is answered (AuthZEN 7.1.2)."""

    evaluations_semantic: Semantic = "execute_all"
    """Whether to go on after the first refusal or permission."""


class Evaluations(_Open):
    """Many questions, with defaults for what they leave out (AuthZEN 7.1)."""

    subject: dict[str, JsonValue] | None = None
    """Default for each question."""

    action: dict[str, JsonValue] | None = None
    """Default for each question."""

    resource: dict[str, JsonValue] | None = None
    """Default for each question."""

    context: dict[str, JsonValue] | None = None
    """Default for each question."""

    options: Options = Options()
    """How to answer."""

    evaluations: tuple[dict[str, JsonValue], ...] = ()
    """The questions; without any, the defaults are one."""

    def questions(self) -> list[Evaluation]:
        """
        Each question with the defaults filled in; the defaults alone where there is no list.

        Raises:
            FieldInvalidError: a question lacks a part.
        """
        parts = self.model_dump(include={"subject", "action", "resource", "context"}, exclude_none=True)
        return [shaped(Evaluation, {**parts, **one}) for one in (self.evaluations or ({},))]


class Decision(Model):
    """The answer to one question."""

    decision: bool
    context: dict[str, Any]


async def evaluate(
    question: Evaluation,
    person: Subject,
    *,
    registry: Registry,
    policy: PolicyEngine,
    now: datetime,
    binding: AgentBinding,
) -> Decision:
    """
    Answer one question.

    Raises:
        PolicyError: policy gave no usable answer.
    """
    if question.subject.id != person.sub:
        return _refusal(OTHER_SUBJECT, OTHER_SUBJECT_MESSAGE)
    try:
        facts = _facts(question, person, registry, now)
    except RequestError as error:
        said = await _of_agent(question, person, now, policy, binding) or error
        return _refusal(said.code, said.detail)
    [answer] = await ask(policy, ADMIT, [facts])
    if not answer.allow and binding.broken(answer.denials):
        refusal = binding.refusal(person)
        return _refusal(refusal.code, refusal.detail)
    reasons = [{"code": denial.code, "message": denial.message} for denial in answer.denials]
    return Decision(decision=answer.allow, context={"reasons": reasons, "taken_as": answer.taken_as})


async def evaluate_all(
    batch: Evaluations,
    person: Subject,
    *,
    registry: Registry,
    policy: PolicyEngine,
    now: datetime,
    binding: AgentBinding,
) -> list[Decision]:
    """
    Answer a batch; with a semantic other than `execute_all`, up to and with the first answer that ends it.

    Raises:
        FieldInvalidError: a question lacks a part.

        PolicyError: policy gave no usable answer.
    """
    answers: list[Decision] = []
    for question in await apart(batch.questions):
        answer = await evaluate(question, person, registry=registry, policy=policy, now=now, binding=binding)
        answers.append(answer)
        if _ends(batch.options.evaluations_semantic, permitted=answer.decision):
            break
    return answers


def _ends(semantic: Semantic, *, permitted: bool) -> bool:
    """Whether a batch ends with an answer (AuthZEN 7.1.2)."""
    if semantic == "deny_on_first_deny":
        return not permitted
    return semantic == "permit_on_first_permit" and permitted


def _facts(question: Evaluation, person: Subject, registry: Registry, now: datetime) -> ReleaseInput:
    facts = facts_for(_item(question), person, _around(question), registry, utc_text(now))
    if question.action.name not in registry.purposes:
        raise PurposeUnknownError("The purpose is not registered.")
    return facts


async def _of_agent(
    question: Evaluation, person: Subject, now: datetime, policy: PolicyEngine, binding: AgentBinding
) -> RequestError | None:
    """What is said of the agent before anything else that is wrong, which would tell which agents there are."""
    named = question.context.get("agent_id")
    try:
        if isinstance(named, str):
            await binding.require(named, person, now, policy=policy)
    except AgentNotOfTokenError as error:
        return error
    return None


def _item(question: Evaluation) -> Candidate:
    labels = dict(question.resource.properties)
    outside: dict[str, object] = {name: labels.pop(name) for name in ("section", "media_type") if name in labels}
    document: dict[str, object] = {
        "section": "knowledge",
        **outside,
        "id": question.resource.id,
        "content": None,
        "provenance": shaped(Provenance, labels).model_dump(),
    }
    return shaped(Candidate, document)


def _around(question: Evaluation) -> dict[str, JsonValue]:
    known = {"agent_id", "jurisdictions", "entity"}
    around: dict[str, JsonValue] = {name: value for name, value in question.context.items() if name in known}
    around["purpose"] = question.action.name
    return around


def _refusal(code: str, message: str) -> Decision:
    return Decision(decision=False, context={"reasons": [{"code": code, "message": message}]})

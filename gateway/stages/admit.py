"""Stage: ask policy about every item, on its labels alone."""

from collections.abc import Sequence

from gateway.audit.proving.waivers import NO_EXCEPTIONS, Exempted
from gateway.concurrency.apart import apart
from gateway.model import Case, Ruling
from gateway.model.case import Attested
from gateway.model.policy_answer import AdmitAnswer, renamed_labels
from gateway.model.policy_input import AdmitInput, RecordFacts, ScopeInput
from gateway.policy.ask import ask
from gateway.policy.entrypoints import ADMIT
from gateway.policy.item import item_facts
from gateway.ports.policy import PolicyEngine


async def admit(
    candidates: Sequence[Attested],
    case: Case,
    *,
    records: Sequence[RecordFacts],
    exempted: Exempted = NO_EXCEPTIONS,
    policy: PolicyEngine,
) -> list[Ruling]:
    """
    Pair every candidate with policy's word on its labels, in the order they came.

    Refused items stay in the list: the ledger has to say why each was refused.  Admitted ones are
    "quarantined" until they have been screened and ruled on again.

    Args:
        candidates: all of them.
        case: the request.
        records: what is brought as the record of its entity.
        exempted: what two officers approved that may apply to the request.
        policy: to ask.

    Raises:
        PolicyError: policy gave no usable answer.  The whole request stops.
    """
    shared: ScopeInput = case.facts()
    brought, waivers = list(records), list(exempted.facts)
    inputs: list[AdmitInput] = await apart(
        lambda: [
            {**shared, "records": brought, "exceptions": waivers, "item": item_facts(one, case.now)}
            for one in candidates
        ]
    )
    answers = await ask(policy, ADMIT, inputs)
    return await apart(lambda: [_ruling(*one, case) for one in zip(candidates, answers, inputs, strict=True)])


def _ruling(one: Attested, answer: AdmitAnswer, facts: AdmitInput, case: Case) -> Ruling:
    return Ruling(
        item=one.item,
        outcome="quarantined" if answer.allow else "denied",
        denials=answer.denials,
        obligations=answer.obligations if answer.allow else (),
        trust_class=answer.trust_class,
        authority_tier=answer.authority_tier,
        screen=answer.screen if answer.allow else (),
        exceptions=answer.exceptions,
        taken_as=answer.taken_as,
        attested_by=answer.attested_by,
        validatable=answer.allow and answer.validatable,
        entrypoint=ADMIT.name,
        facts=facts,
        renamed=renamed_labels(answer.obligations),
        decision_id=case.derive_id("item", one.item.id),
    )

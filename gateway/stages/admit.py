"""Stage: ask policy about every item, on its labels alone."""

from collections.abc import Sequence

from gateway.model import Candidate, Case, Ruling
from gateway.model.policy_input import AdmitInput
from gateway.policy.ask import ask
from gateway.policy.entrypoints import ADMIT
from gateway.policy.item import item_facts
from gateway.ports.policy import PolicyEngine


async def admit(candidates: Sequence[Candidate], case: Case, *, policy: PolicyEngine) -> list[Ruling]:
    """
    Pair every candidate with policy's word on its labels, in the order they came.

    Refused items stay in the list: the ledger has to say why each was refused.  Admitted ones are
    "quarantined" until they have been screened and ruled on again.

    Raises:
        PolicyError: policy gave no usable answer.  The whole request stops.
    """
    shared = case.facts()
    inputs: list[AdmitInput] = [{**shared, "item": item_facts(item, case.now)} for item in candidates]
    answers = await ask(policy, ADMIT, inputs)
    return [
        Ruling(
            item=item,
            outcome="quarantined" if answer.allow else "denied",
            denials=answer.denials,
            obligations=answer.obligations if answer.allow else (),
            trust_class=answer.trust_class,
            authority_tier=answer.authority_tier,
            screen=answer.screen if answer.allow else (),
            exceptions=answer.exceptions,
            entrypoint=ADMIT.name,
            facts=facts,
            decision_id=case.derive_id("item", item.id),
        )
        for item, answer, facts in zip(candidates, answers, inputs, strict=True)
    ]

"""Stage: ask policy again about what was screened: release, redact, quarantine or deny."""

from collections.abc import Mapping, Sequence
from typing import Literal, cast

from gateway.concurrency.apart import apart
from gateway.model import Finding, Ruling
from gateway.model.policy_answer import renamed_labels
from gateway.model.policy_input import AdmitInput, FindingFacts, ReleaseInput, ReviewFacts
from gateway.policy.ask import ask
from gateway.policy.entrypoints import RELEASE
from gateway.ports.policy import PolicyEngine


async def release(
    rulings: Sequence[Ruling], reviews: Mapping[str, Sequence[ReviewFacts]], *, policy: PolicyEngine
) -> list[Ruling]:
    """
    Give every screened ruling its outcome; those refused on their labels stay as they are.

    Args:
        rulings: all of them.
        reviews: what was said of their content before, by decision id.
        policy: to ask.

    Raises:
        PolicyError: policy gave no usable answer.  The whole request stops.
    """
    screened = [ruling for ruling in rulings if ruling.screen]
    inputs = await apart(lambda: [_input(ruling, reviews.get(ruling.decision_id, ())) for ruling in screened])
    answers = await ask(policy, RELEASE, inputs)
    ruled = {
        ruling.decision_id: ruling.model_copy(
            update={
                "outcome": answer.outcome,
                "denials": answer.denials,
                "obligations": answer.obligations,
                "trust_class": answer.trust_class,
                "authority_tier": answer.authority_tier,
                "exceptions": answer.exceptions,
                "taken_as": answer.taken_as or ruling.taken_as,
                "renamed": renamed_labels(answer.obligations),
                "entrypoint": RELEASE.name,
                "facts": facts,
            }
        )
        for ruling, answer, facts in zip(screened, answers, inputs, strict=True)
    }
    # In the order in which they came, refused ones among them: what follows counts places over all of them.
    return [ruled.get(ruling.decision_id, ruling) for ruling in rulings]


def _input(ruling: Ruling, reviews: Sequence[ReviewFacts]) -> ReleaseInput:
    """What policy was told of the labels, with what was found since."""
    admitted = cast("AdmitInput", ruling.facts)
    found = _summary(ruling.findings)
    return {**admitted, "findings": found, "screened": list(ruling.screen), "reviews": list(reviews)}


def _summary(findings: Sequence[Finding]) -> list[FindingFacts]:
    """What policy is told of findings: kind, type and the highest score of each, in a stable order."""
    highest: dict[tuple[Literal["pii", "injection", "rendering"], str], float] = {}
    for finding in findings:
        key = (finding.kind, finding.type)
        highest[key] = max(highest.get(key, 0.0), finding.score)
    return [{"kind": kind, "type": type_, "score": score} for (kind, type_), score in sorted(highest.items())]

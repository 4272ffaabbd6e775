"""What `ctxgate policy explain` asks policy: the facts of an item in a file, or of a decision in the ledger."""

import json

from pathlib import Path
from typing import Any

from gateway.bootstrap.keys import vouching_with
from gateway.bootstrap.ledger import open_ledger
from gateway.cli.assemble import parse_subject
from gateway.cli.output import console
from gateway.content.parsing import parse_json, shaped
from gateway.errors import NotFoundError
from gateway.model import Candidate
from gateway.model.policy_input import AttestationFacts, ReleaseInput
from gateway.policy.bundle import Bundle
from gateway.policy.registry import registry_of
from gateway.settings import Settings
from gateway.workbench.cases import base_of
from gateway.workbench.facts import assumed, facts_for


def facts_of(
    item: Path, subject: Path, request: Path | None, now: str | None, bundle: Bundle, settings: Settings
) -> ReleaseInput:
    """
    What policy would be told about the item in a file, with what was assumed, and who vouches for it, said on the console.

    Raises:
        RequestError: one of the files does not say what it must.
    """
    candidate = shaped(Candidate, parse_json(item.read_bytes(), depth=settings.max_depth))
    around = parse_json(request.read_bytes(), depth=settings.max_depth) if request else {}
    registry, base, person = registry_of(bundle), base_of(bundle), parse_subject(subject.read_bytes(), settings)
    vouching = vouching_with(settings, registry, person.tenant)
    facts = facts_for(candidate, person, around, registry, now, base=base, vouching=vouching)
    taken = assumed(candidate, person, around, registry, base)
    if taken:
        console.print(f"Assumed: {_listed(taken)}.", highlight=False)
    console.print(_word(facts["item"]["attestation"]), highlight=False, markup=False)
    return facts


def _listed(facts: dict[str, object]) -> str:
    return ", ".join(f"{name} {' '.join(value) if isinstance(value, list) else value}" for name, value in facts.items())


def _word(attestation: AttestationFacts | None) -> str:
    if attestation is None:
        return "Nobody vouches for its labels."
    if not attestation["verified"]:
        return "It brings an attestation that does not verify."
    return f"Its labels are vouched for by {attestation['issuer']} ({attestation['method']})."


def past_facts(settings: Settings, decision_id: str) -> dict[str, Any]:
    """
    The facts of a decision in the ledger.

    Raises:
        NotFoundError: they are not there, or were erased.
    """
    with open_ledger(settings) as ledger:
        erasable = ledger.evidence.erasables([decision_id]).get(decision_id)
    if erasable is None or erasable.input is None:
        raise NotFoundError("the input of that decision is not in the ledger, or was erased")
    facts: dict[str, Any] = json.loads(erasable.input)
    return facts

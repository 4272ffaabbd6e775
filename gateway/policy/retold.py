"""
What policy was told of a request under one registry, told with another one's words.

A bundle that watches, or is tried on the past, decides with its own registry: an agent that it registers otherwise is told
as it registers it, and what it does not register is refused, as it would be were the bundle active.

What cannot be told anew, since policy is told labels and never content: whether a text that no library listed is one that
the other library lists, whether a signature that did not verify does so with another key, and which fields of a record the
other registry would read.
"""

import json

from collections.abc import Callable
from datetime import datetime
from typing import Any

from gateway.errors import AgentUnknownError, BundleInvalidError, NotFoundError, PurposeUnknownError
from gateway.model import Registry
from gateway.model.sources.entry import SourceKey
from gateway.model.words.labels import declared
from gateway.policy.bundle import Bundle
from gateway.policy.item import age_days
from gateway.policy.registry import registry_of
from gateway.policy.shadow import Facts


class Retelling:
    """From the registry that facts were made with to another one."""

    def __init__(self, before: Registry | None, after: Registry) -> None:
        """
        Args:
            before: the registry that the facts were made with; None where it is not kept.
            after: the one that they are to be told with.
        """
        self._before = before
        self._after = after
        self._same = before == after

    def tell(self, facts: Facts) -> Facts:
        """
        The input of an entrypoint as the other registry makes it; the same where it has nothing to do with a registry.

        Raises:
            AgentUnknownError, PurposeUnknownError: the other registry has no such entry, so that the request is refused.
        """
        facts = _of_the_present(facts)
        if "item" in facts:
            facts = self._with_labels(facts)
        if self._same or "agent" not in facts:
            return facts
        told = {**facts, **self._around(facts)}
        if "item" in facts:
            told["item"] = self._item(facts["item"])
        if "records" in facts:
            told["records"] = [self._attested(record) for record in facts["records"]]
        return told

    def _with_labels(self, facts: Facts) -> Facts:
        """Facts of before labels were told say that there are none; which are declared is the other registry's to say."""
        item = facts["item"]
        labels, kind = item.get("labels", {}), item.get("source_type")
        known = declared(labels, kind, self._after.vocabulary.labels)
        age = age_days(item.get("effective_date"), datetime.fromisoformat(facts["now"]))
        told = {"labels": labels, "labels_declared": known, "age_days": item.get("age_days", age)}
        if all(item.get(name, self) == value for name, value in told.items()):
            return facts
        records = [{"labels": {}, **record} for record in facts.get("records", ())]
        return {**facts, "item": {**item, **told}, **({"records": records} if "records" in facts else {})}

    def _around(self, facts: Facts) -> dict[str, Any]:
        request = facts["request"]
        agent = self._after.agents.get(facts["agent"]["id"])
        if agent is None:
            raise AgentUnknownError("the agent is not registered in the other bundle")
        if request["purpose"] not in self._after.purposes:
            raise PurposeUnknownError("the purpose is not registered in the other bundle")
        domain = self._after.domain_of(agent, (request.get("entity") or {}).get("type"))
        return {
            "agent": {**facts["agent"], "archetype": agent.archetype, "domains": list(agent.domains)},
            "request": {**request, "domain": domain},
        }

    def _item(self, item: Facts) -> Facts:
        told = self._attested(item)
        if self._before is None or item.get("prompt") is None:
            return told
        texts = {prompt.id: prompt.sha256 for prompt in self._before.prompts.prompts}
        listed = {prompt.sha256: prompt.id for prompt in self._after.prompts.prompts}
        prompt = listed.get(texts.get(item["prompt"], ""))
        attestation = told.get("attestation")
        if attestation is not None and attestation["method"] == "library":
            attestation = {**attestation, "issuer": prompt} if prompt else None
        return {**told, "prompt": prompt, "attestation": attestation}

    def _attested(self, item: Facts) -> Facts:
        """An item, or a record, whose signature holds no more where the other registry has another key of that name."""
        attestation = item.get("attestation")
        if self._before is None or attestation is None or attestation["method"] != "signature":
            return item
        old, new = (_key(registry, attestation) for registry in (self._before, self._after))
        if old is None or new is None or old.jwk == new.jwk:
            return item
        return {**item, "attestation": {**attestation, "verified": False}}


class PastRetelling:
    """From the registry of whichever bundle decided in the past to that of a candidate."""

    def __init__(self, candidate: Bundle, kept: Callable[[str], Bundle]) -> None:
        """
        Args:
            candidate: the bundle that the past is told to.
            kept: the bundle of a revision.

        Raises:
            BundleInvalidError: the candidate's registry is not whole.
        """
        self._after = registry_of(candidate)
        self._kept = kept
        self._tellings: dict[str, Retelling] = {}

    def __call__(self, revision: str, asked: bytes) -> bytes:
        """
        What policy was asked under a revision, as the candidate would be asked it.

        Raises:
            AgentUnknownError, PurposeUnknownError: as `Retelling.tell`.
        """
        if revision not in self._tellings:
            self._tellings[revision] = Retelling(self._registry(revision), self._after)
        facts = json.loads(asked)
        told = self._tellings[revision].tell(facts)
        return asked if told is facts else json.dumps(told).encode()

    def _registry(self, revision: str) -> Registry | None:
        try:
            return registry_of(self._kept(revision))
        except (NotFoundError, BundleInvalidError):
            # A bundle of before the registry was part of it, or one that is kept elsewhere.
            return None


def _of_the_present(facts: Facts) -> Facts:
    """Before history could be asked for, every request was for the present; a set was told of no tools before there were any."""
    told = dict(facts)
    if "request" in facts and "agent" in facts and "historical" not in facts["request"]:
        told["request"] = {**facts["request"], "historical": False}
    if "asked" in facts and "calls" not in facts:
        told["calls"] = []
    return facts if told == facts else told


def _key(registry: Registry, attestation: Facts) -> SourceKey | None:
    source = registry.sources.get(attestation["issuer"])
    return next((key for key in source.keys if key.kid == attestation["key"]), None) if source else None

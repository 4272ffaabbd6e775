"""Combinations of labels that chunks carry, and what tells them apart."""

from gateway.model.request import Provenance
from ledger.canonical import jcs


def tuple_key(tenant: str, labels: Provenance, origin: int) -> str:
    """
    What two chunks have in common that policy cannot tell apart.

    Args:
        tenant: whose they are.
        labels: all that is told of them.
        origin: what vouches for how old they are, in the place of `fetched_at`.
    """
    told = labels.model_dump(mode="json", exclude={"fetched_at"}, exclude_none=True)
    return jcs({"tenant": tenant, "origin": origin, "labels": told}).decode()

"""
The blueprint's counts of incidents (13.1): violations of trust, stale data, conflicts between sources.

Rules held here: which codes are incidents is policy's word, from the bundle that decided; each series is there from the start.
"""

from prometheus_client import CollectorRegistry, Counter

from gateway.model import ContextPack, Ruling
from gateway.model.policy_answer import IncidentCodes


class Incidents:
    """Counts incidents of this process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """
        Args:
            registry: where its counters are.
        """
        self._trust = Counter(
            "trust_violations", "Items refused or set aside as violations of trust.", registry=registry
        )
        self._stale = Counter(
            "stale_data_incidents",
            "Items refused as stale, and items released near the end of their time to live.",
            ("kind",),
            registry=registry,
        )
        self._conflicts = Counter(
            "source_conflicts",
            "Conflicts between sources: warnings for a person, and items that lost to another.",
            ("kind",),
            registry=registry,
        )
        # Before the first of its kind: from a series that begins with 1 no alert sees an increase.
        for counter, kinds in ((self._stale, ("refused", "near")), (self._conflicts, ("warned", "dropped"))):
            for kind in kinds:
                counter.labels(kind)

    def ruled(self, ruling: Ruling, listed: IncidentCodes) -> None:
        """What of a ruling is an incident."""
        if listed.counts("trust", ruling.codes):
            self._trust.inc()
        if listed.counts("stale", ruling.codes):
            self._stale.labels("refused").inc()
        # What was refused for another reason reached nobody, however old it was.
        if ruling.usable and any(duty.type == "warn_stale" for duty in ruling.obligations):
            self._stale.labels("near").inc()

    def packed(self, pack: ContextPack, listed: IncidentCodes) -> int:
        """What of a pack is a conflict between sources, and how many there are."""
        # A conflict that a rule decided is one drop, one that people must see one warning, so none is counted twice.
        dropped = sum(drop.reason == "conflict" for drop in pack.drop_report)
        warned = sum(listed.counts("conflict", [warning.code]) for warning in pack.warnings)
        self._conflicts.labels("dropped").inc(dropped)
        self._conflicts.labels("warned").inc(warned)
        return dropped + warned

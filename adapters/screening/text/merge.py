"""One finding for one stretch of text: of findings that overlap, the surer one stays."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from gateway.model import Finding

TIE: Final = 0.051
"""Findings of different types whose scores are nearer than this both stay, and policy takes the stricter one."""

STRETCH: Final = 256
"""Characters of text whose findings are compared with each other."""


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of personal data without those that a surer one overlaps, by place."""
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_path[finding.path].append(finding)
    return [finding for some in by_path.values() for finding in _surest(some)]


def _surest(findings: list[Finding]) -> list[Finding]:
    kept: list[Finding] = []
    # By the stretches of text that they touch, so that ten thousand of them are not compared each with each.
    near: dict[int, list[Finding]] = defaultdict(list)
    # From the surest; where it is the same, the longest first.
    for finding in sorted(findings, key=lambda one: (-one.score, one.start - one.end, one.type)):
        stretches = range(finding.start // STRETCH, finding.end // STRETCH + 1)
        if all(_beside(finding, other) for stretch in stretches for other in near[stretch]):
            kept.append(finding)
            for stretch in stretches:
                near[stretch].append(finding)
    return sorted(kept, key=lambda one: (one.start, one.end, one.type))


def _beside(finding: Finding, other: Finding) -> bool:
    """Whether a finding may stand although a surer one was kept."""
    if finding.start >= other.end or other.start >= finding.end:
        return True
    return finding.type != other.type and other.score - finding.score < TIE

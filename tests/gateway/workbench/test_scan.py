"""Screening alone: findings placed in the text, where policy would act on them."""

import pytest

from gateway.errors import ConfigurationError, DetectorUnavailableError
from gateway.model import Finding
from gateway.workbench.scan import NOTABLE, ScanLimits, scan_texts
from tests.support.bundles import SHIPPED
from tests.support.fakes import ScriptedDetector

LIMITS = ScanLimits({"default": 0.5, "PERSON": 0.8}, injection=0.6)


def finding(type_, score, start=0, end=1, *, kind="pii", path=""):
    return Finding(kind=kind, type=type_, score=score, start=start, end=end, detector="d", path=path)


class Detector(ScriptedDetector):
    """Does one of the two screenings."""

    def __init__(self, screening, *findings):
        super().__init__([findings])
        self.screening = screening

    def serves(self, screening):
        return screening.startswith(self.screening)


async def scanned(text, pii=(), signs=()):
    detectors = [Detector("pii", *pii), Detector("injection", *signs)]
    [scan] = await scan_texts([text], "full", detectors=detectors, limits=LIMITS)
    return scan


async def test_only_what_policy_would_act_on():
    """
    Personal data counts from the score of its type, or of the default.
    """
    found = [finding("PERSON", 0.7), finding("PERSON", 0.8, 2, 3), finding("EMAIL", 0.5, 4, 5), finding("EMAIL", 0.49)]
    scan = await scanned("abcdefgh", found)
    assert [(one.type, one.start) for one in scan.findings] == [("PERSON", 2), ("EMAIL", 4)]


@pytest.mark.parametrize(
    ("score", "shown", "flagged"), [(NOTABLE - 0.01, 0, False), (NOTABLE, 1, False), (0.6, 1, True)]
)
async def test_signs_of_injection(score, shown, flagged):
    """
    A weak sign is in the score and not shown; from the threshold on the text would be set aside.
    """
    scan = await scanned("text", signs=[finding("override", score, kind="injection")])
    assert (len(scan.findings), scan.injection_flagged, scan.injection_score) == (shown, flagged, score)


async def test_findings_in_json_stand_in_the_text():
    """
    What was found in a value of a JSON document is placed where that value stands in the text, escapes included.
    """
    text = '{"a": 1, "note": "\\u00e9 Kelvin"}'
    scan = await scanned(text, [finding("PERSON", 0.9, 2, 8, path="/note")])
    [one] = scan.findings
    assert text[one.start : one.end] == "Kelvin"


async def test_in_the_order_of_the_text():
    """
    Findings are in the order of the text, whichever detector they are from.
    """
    scan = await scanned(
        "abcdef",
        [finding("EMAIL", 1, 4, 5), finding("EMAIL", 1, 0, 1)],
        [finding("override", 1, 2, 3, kind="injection")],
    )
    assert [one.start for one in scan.findings] == [0, 2, 4]


async def test_a_detector_that_is_missing():
    """
    Without a detector for each of both screenings nothing was screened.
    """
    with pytest.raises(DetectorUnavailableError, match="pii/full"):
        await scan_texts(["x"], "full", detectors=[Detector("injection")], limits=LIMITS)


def test_limits_are_those_of_the_policies():
    """
    The limits are of the shipped tables, stricter for what is not trusted; a trust class without any is refused.
    """
    assert ScanLimits.of(SHIPPED, "UNTRUSTED").injection <= ScanLimits.of(SHIPPED, "TRUSTED").injection
    with pytest.raises(ConfigurationError, match="NOBODY"):
        ScanLimits.of(SHIPPED, "NOBODY")

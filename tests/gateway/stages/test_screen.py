"""Screening: complete or not at all, and once for the same content."""

from dataclasses import replace

import pytest

from gateway.errors import DetectorUnavailableError
from tests.support.fakes import ScriptedDetector
from tests.support.oracle import records


@pytest.mark.parametrize(
    "detectors",
    [
        (),
        (ScriptedDetector(DetectorUnavailableError("down")),),
        (ScriptedDetector([()] * 99),),
    ],
)
async def test_without_a_detector_nothing_is_released(gateway, ask, small, detectors):
    """
    A detector that is missing, down or answers for other items than it was given stops the request.
    """
    broken = replace(gateway.pipeline, detectors=detectors)
    with pytest.raises(DetectorUnavailableError):
        await broken.assemble(ask(small))
    assert not records(gateway, kind="pack.sealed")


async def test_seen_content_is_not_screened_again(gateway, ask, small):
    """
    The same content is screened once per tenant, whoever asks; another tenant's is screened anew.
    """
    detector = ScriptedDetector([])
    pipeline = replace(gateway.pipeline, detectors=(detector,), cache={})
    await pipeline.assemble(ask(small))
    first = detector.calls
    await pipeline.assemble(ask(small, sub="someone.else"))
    assert first == detector.calls
    await pipeline.assemble(ask(small, tenant="other"))
    assert 2 * first == detector.calls

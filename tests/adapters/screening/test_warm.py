"""What a worker loads before its first job."""

import pytest

from adapters.screening.injection import detector
from adapters.screening.injection.detector import OFF
from adapters.screening.presidio import engine
from adapters.screening.presidio.engine import PROFILES, analyzer
from adapters.screening.warm import warm_up
from tests.support.screening import MODEL


def test_the_first_item_waits_for_nothing(monkeypatch):
    """
    Once a worker is warm the analyzers of every profile and the encoder are there, and are not made again.
    """
    warm_up(MODEL, "")
    made = [analyzer(profile, MODEL) for profile in PROFILES]
    encoder = detector.loaded("")

    def refuse(*_, **__):
        raise AssertionError("made again")

    monkeypatch.setattr(engine, "AnalyzerEngine", refuse)
    monkeypatch.setattr(detector, "Encoder", refuse)
    warm_up(MODEL, "")
    assert [analyzer(profile, MODEL) for profile in PROFILES] == made
    assert detector.loaded("") is encoder


@pytest.mark.parametrize(("model", "encoder"), [("no_such_model", OFF), (MODEL, "/no/such/folder")])
def test_what_is_not_there_is_found_out(model, encoder):
    """
    A model that is missing is an error here, before an item is lost to it.
    """
    with pytest.raises(OSError, match=r"no_such_model|no/such"):
        warm_up(model, encoder)

"""Hong Kong business registration numbers."""

import pytest

from adapters.screening.presidio.recognizers.hk_br import BusinessRegistrationRecognizer
from adapters.screening.presidio.recognizers.identifier import LIKELY, WEAK
from tests.support.recognizing import found
from tests.support.screening import pii


@pytest.mark.parametrize(
    ("value", "score"),
    [
        ("12345678-000-03-24-7", LIKELY),
        ("12345678-000-12-24-A", LIKELY),
        ("12345678-000-13-24-7", WEAK),
        ("12345678-000", WEAK),
        ("12345678", WEAK),
    ],
)
def test_the_form_of_the_certificate(value, score):
    """
    As on the certificate, with a month that is one, it counts by itself; shorter forms do not.
    """
    assert found(BusinessRegistrationRecognizer(), f"no. {value},") == {value: score}


def test_it_needs_its_word():
    """
    Eight digits are a BR number only where a word says so.
    """
    assert "HK_BR" in {finding.type for finding in pii("商業登記號碼 12345678")}
    assert "HK_BR" not in {finding.type for finding in pii("see 12345678 there")}

"""Personal data as the detector finds it: identifiers, names, and values told by their field."""

import pytest

from adapters.screening.presidio import PresidioDetector
from gateway.content.leaves import leaves
from tests.support.screening import MODEL


async def found(pool, content, profile="pii/patterns"):
    detector = PresidioDetector(pool, model=MODEL)
    [findings] = await detector.detect([leaves(content)], profile)
    texts = {leaf.path: leaf.text for leaf in leaves(content)}
    return {(f.type, texts[f.path][f.start : f.end]) for f in findings if f.score >= 0.4}


class TestPresidio:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Her NRIC is S8421753F.", ("SG_NRIC_FIN", "S8421753F")),
            ("HKID A123456(3) was copied.", ("HK_HKID", "A123456(3)")),
            ("Call +65 9123 4567 today.", ("PHONE_NUMBER", "+65 9123 4567")),
            ("Mobile: 9123 4567", ("PHONE_NUMBER", "9123 4567")),
            ("Write to kelvin@meridian.com.sg please", ("EMAIL_ADDRESS", "kelvin@meridian.com.sg")),
            ("Card 4111 1111 1111 1111 was used", ("CREDIT_CARD", "4111 1111 1111 1111")),
            ("TFN 123 456 782 on file", ("AU_TFN", "123 456 782")),
            ("PAN: ABCPD1234F", ("IN_PAN", "ABCPD1234F")),
        ],
    )
    async def test_identifiers(self, pool, text, expected):
        """
        Well-formed identifiers of the jurisdictions are found where they stand.
        """
        assert expected in await found(pool, text)

    @pytest.mark.parametrize(
        "text", ["Ticket NPA-2026-00142 is open.", "Order 9123 4567 shipped.", "Version 3.2 of 2025-11-01", "S1234567A"]
    )
    async def test_references_are_left_alone(self, pool, text):
        """
        Ticket, order and version numbers are not personal data.
        """
        assert set() == await found(pool, text)

    async def test_names_in_prose(self, pool):
        """
        The full profile finds names of people; the others do not look for them.
        """
        text = "Yesterday Sarah Johnson met the auditors in Singapore."
        assert ("PERSON", "Sarah Johnson") in await found(pool, text, "pii/full")
        assert set() == await found(pool, text, "pii/patterns")

    async def test_json_by_field_and_value(self, pool):
        """
        In JSON a field's name counts as context, and as evidence by itself.
        """
        content = {"customerName": "Ong Wei Jie", "mobile": 91234567, "notes": ["NRIC S8421753F", None, True]}
        assert {
            ("PERSON", "Ong Wei Jie"),
            ("PHONE_NUMBER", "91234567"),
            ("SG_NRIC_FIN", "S8421753F"),
        } == await found(pool, content, "pii/structured")


async def test_items_are_answered_in_order(pool):
    """
    However many items there are, each has its own findings in its own place.
    """
    items = [leaves("NRIC S8421753J"), leaves("nothing"), leaves({"mobile": "91234567"})]
    answers = await PresidioDetector(pool, model=MODEL).detect(items, "pii/patterns")
    assert [{one.type for one in found} for found in answers] == [{"SG_NRIC_FIN"}, set(), {"PHONE_NUMBER"}]


def test_what_it_serves_and_what_its_version_names(pool):
    """
    It answers for the three profiles; its version changes with Presidio, the model and our own rules.
    """
    detector = PresidioDetector(pool, model=MODEL)
    served = [
        name for name in ("pii/structured", "pii/patterns", "pii/full", "pii", "injection") if detector.serves(name)
    ]
    assert served == ["pii/structured", "pii/patterns", "pii/full"]
    assert MODEL in detector.version
    assert detector.version != PresidioDetector(pool, model="another").version

"""The analyzers as a worker runs them: every kind, every profile, and the worst that may come in."""

import base64
import time

import pytest

from hypothesis import given, settings

from adapters.screening.injection.rules import RULES
from adapters.screening.presidio.engine import _NAMED, PROFILES, analyzer
from adapters.screening.presidio.recognizers import (
    person,
)
from adapters.screening.text.decode import readings
from adapters.screening.text.normalise import normalised
from adapters.screening.text.view import View
from tests.support.screening import MODEL, WORST, pii


class TestEntities:
    @pytest.mark.parametrize(
        ("text", "entity"),
        [
            ("BR no. 12345678-000", "HK_BR"),
            ("居留證 A800000014", "TW_ARC"),
            ("UPI: meera.k@okhdfcbank", "IN_UPI"),
            ("BSB 062-000 account 12345678", "AU_BANK_ACCOUNT"),
            ("passport no K1234567E", "SG_PASSPORT"),
            ("SWIFT DBSSSGSGXXX", "SWIFT_BIC"),
            ("account no 012-34567-8", "BANK_ACCOUNT"),
            ("IFSC HDFC0001234", "IN_IFSC"),
            ("L898902C36UTO7408122F1204159ZE184226B<<<<<10", "PASSPORT_MRZ"),
            ("Write to S1234567D@bank.example.com.sg today", "EMAIL_ADDRESS"),
        ],
    )
    def test_other_kinds(self, text, entity):
        """
        Each kind is found where a word names it, or by a form that nothing else has.
        """
        assert entity in {finding.type for finding in pii(text)}

    @pytest.mark.parametrize(
        "content",
        [
            "NRIC S84217\n53J was given",
            "NRIC S84\u200b217\u200b53J was given",
            "NRIC Ｓ８４２１７５３Ｊ was given",
            {"nric_1": "S8421", "nric_2": "753J"},
            {"numbers": ["S8421", "753J"]},
            {"S8421753J": "is the customer"},
            '{"note": "NRIC S8421753J"}',
            "token " + base64.b64encode(b"my NRIC is S8421753J").decode(),
        ],
    )
    def test_identifiers_in_pieces_and_in_disguise(self, content):
        """
        An identifier is found across line breaks, invisible characters, neighbouring values, in names of fields and encoded.
        """
        assert "SG_NRIC_FIN" in {finding.type for finding in pii(content)}

    def test_a_word_that_names_a_reference_counts_against(self):
        """
        The same digits are an identifier in one sentence and an order number in another.
        """
        assert "TW_UBN" in {finding.type for finding in pii("We verified 04595257 at the counter.")}
        assert pii("Batch no. 04595257 was shipped.") == []
        assert pii('{"order_id": "04595257"}') == []


class TestWorstInputs:
    """100 KB of the worst that we can think of, under a second for every recognizer and rule."""

    @pytest.mark.parametrize("number", range(len(WORST)))
    def test_recognizers(self, number):
        """
        No recognizer takes a second; Presidio's own are cut off by their time bound at worst.
        """
        for recognizer in analyzer("pii/patterns", MODEL).registry.recognizers:
            started = time.process_time()
            recognizer.analyze(WORST[number], recognizer.supported_entities, None)
            assert time.process_time() - started < 1, recognizer.name

    @pytest.mark.parametrize("number", range(len(WORST)))
    def test_rules_and_readings(self, number):
        """
        No rule, decoder or normaliser takes a second.
        """
        text = WORST[number]
        for rule in RULES:
            started = time.process_time()
            list(rule.pattern.finditer(text))
            assert time.process_time() - started < 1, rule.name
        steps = (
            normalised,
            lambda one: readings(View(one)),
            lambda one: list(person.introduced(one)),
            _NAMED.search,
            across,
        )
        for step in steps:
            started = time.process_time()
            step(text)
            assert time.process_time() - started < 1


def test_half_a_surrogate_is_screened():
    """
    A text that no encoder can write is still screened.
    """
    assert "SG_NRIC_FIN" in {finding.type for finding in pii("bad \ud800 NRIC S1234567D")}


def test_every_profile_is_served():
    """
    The three profiles find the same patterns; names are the full one's alone.
    """
    for profile in PROFILES:
        found = {finding.type for finding in pii("My name is Meera Krishnan, NRIC S8421753J", profile)}
        assert "SG_NRIC_FIN" in found
        assert ("PERSON" in found) == (profile == "pii/full")


@settings(max_examples=1500)
@given(planted())
def test_no_planted_value_survives(plant):
    """
    Redacted, no document still holds a planted value: not in one piece, not over lines, fields, names or unseen characters.
    """
    does_not_survive(*plant)


@pytest.mark.soak
@settings(max_examples=10_000)
@given(planted())
def test_no_planted_value_survives_at_full_length(plant):
    """
    Nor in ten thousand documents.
    """
    does_not_survive(*plant)

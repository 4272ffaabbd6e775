"""The analyzers as a worker runs them: every kind, every profile, and the worst that may come in."""

import base64

from functools import partial

import pytest

from hypothesis import given, settings

from adapters.screening.presidio.engine import _NAMED, MINIMUM_SCORE, PATTERNS, PROFILES, analyzer, scan
from gateway.content.leaves import leaves
from gateway.model.content import Leaf
from tests.support.planted import does_not_survive, planted
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
    """100 KB of the worst that we can think of: for every recognizer no more than twenty passes over 2 MB of prose."""

    @pytest.mark.parametrize("number", range(len(WORST)))
    def test_recognizers(self, number, effort):
        """
        No recognizer takes twenty passes; Presidio's own are cut off by their time bound at worst.
        """
        for recognizer in analyzer("pii/patterns", MODEL).registry.recognizers:
            act = partial(recognizer.analyze, WORST[number], recognizer.supported_entities, None)
            effort.within(20, act, recognizer.name)

    @pytest.mark.parametrize("number", range(len(WORST)))
    def test_the_look_for_names(self, number, effort):
        """
        Whether a text may hold a name is told in no more than twenty passes.
        """
        effort.within(20, partial(_NAMED.search, WORST[number]))


def test_half_a_surrogate_is_screened():
    """
    A text that no encoder can write is still screened.
    """
    assert "SG_NRIC_FIN" in {finding.type for finding in pii("bad \ud800 NRIC S1234567D")}


def test_every_profile_is_served():
    """
    The three profiles find the same patterns; names are looked for in text that somebody wrote, by all but one.
    """
    for profile in PROFILES:
        found = {finding.type for finding in pii("My name is Meera Krishnan, NRIC S8421753J", profile)}
        assert "SG_NRIC_FIN" in found
        assert ("PERSON" in found) == (profile != "pii/patterns")


def test_free_text_in_a_document_is_searched_in_full():
    """
    A value that somebody wrote is searched for names like any other text; a title of two words is a title.
    """
    found = pii({"note": "Please call Jennifer Tan about it", "product": "Jennifer Tan"}, "pii/structured")
    assert {(one.type, one.path) for one in found} == {("PERSON", "/note")}


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


class TestFindings:
    def test_every_finding_leads_back(self):
        """
        Offsets are those of the original text, also behind what was undone, and items are answered in order.
        """
        texts = ["NRIC Ｓ８４２１７５３Ｊ!", "none here", "S84\u200b217\u200b53J is my NRIC"]
        answers = scan([[Leaf(text)] for text in texts], PATTERNS, MODEL)
        indexes = [[text[one.start : one.end] for one in found] for text, found in zip(texts, answers, strict=True)]
        assert indexes == [["Ｓ８４２１７５３Ｊ"], [], ["S84\u200b217\u200b53J"]]

    def test_how_it_was_come_by(self):
        """
        A finding says whether its value stood in the text, was told by its field, rejoined, split or decoded.
        """
        packed = base64.b64encode(b"my NRIC is S8421753J").decode()
        contents = [
            "NRIC S8421753J",
            {"nric": "odd 1"},
            "NRIC S84217\n53J",
            {"n": ["S8421", "753J"]},
            f"token {packed}",
        ]
        assert [{one.via for one in pii(content)} for content in contents] == [
            {"text"},
            {"field"},
            {"rejoined"},
            {"split"},
            {"base64"},
        ]

    def test_what_scores_little_is_not_told(self):
        """
        Below the minimum a finding is left to nobody; policy has thresholds of its own above it.
        """
        [found] = scan([leaves("12345678 apples, see 0123456789012")], PATTERNS, MODEL)
        assert all(one.score >= MINIMUM_SCORE for one in found)

    def test_half_of_a_pair_is_a_finding_in_each_half(self):
        """
        An identifier in two values is a finding in both, each over its own part.
        """
        found = {
            one.path: (one.start, one.end) for one in pii({"nric_1": "S8421", "nric_2": "753J"}) if one.via == "split"
        }
        assert found == {"/nric_1": (0, 5), "/nric_2": (0, 4)}

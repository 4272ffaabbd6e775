"""Values replaced, masked, tokenised, hashed and encrypted; nothing of them left."""

import base64
import re

import pytest

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from hypothesis import given
from hypothesis import strategies as st

from adapters.screening.presidio import PresidioAnonymizer
from adapters.screening.presidio.anonymizer import mask
from gateway.errors import ObligationError
from gateway.model.content import Cut
from gateway.model.pseudonyms import Pseudonyms, tenant_key


def names(tenant="bank", purpose="review", session="s1"):
    return Pseudonyms(tenant_key(b"k" * 32, tenant), purpose, session)


class TestAnonymizer:
    def test_operators(self):
        """
        Each operator does what it says; where cuts overlap nothing of either value stays.
        """
        text = "ID S8421753F, phone +65 9123 4567."
        anonymizer = PresidioAnonymizer()
        assert (
            anonymizer.apply(text, [Cut(3, 12, "SG_NRIC_FIN", "replace")], names())
            == "ID <SG_NRIC_FIN>, phone +65 9123 4567."
        )
        assert (
            anonymizer.apply(text, [Cut(3, 12, "SG_NRIC_FIN", "mask")], names()) == "ID *****753F, phone +65 9123 4567."
        )
        assert anonymizer.apply(text, [Cut(3, 12, "SG_NRIC_FIN", "redact")], names()) == "ID , phone +65 9123 4567."
        overlapping = anonymizer.apply(text, [Cut(3, 12, "A", "replace"), Cut(5, 10, "B", "mask")], names())
        assert "8421" not in overlapping
        assert "753F" not in overlapping

    def test_short_values_are_starred_out_whole(self):
        """
        A mask never leaves half of a short value readable.
        """
        assert (mask("12345678"), mask("123456789")) == ("********", "*****6789")

    def test_unknown_operators_are_errors(self):
        """
        What cannot be carried out is an error, not a pass.
        """
        with pytest.raises(ObligationError):
            PresidioAnonymizer().apply("x", [Cut(0, 1, "A", "shrug")], names())

    def test_pseudonyms_are_consistent_and_apart(self):
        """
        The same customer has the same token within tenant, purpose and session, and another one elsewhere; a hash is the
        same for the tenant; both hide the value, and the vault hears what each token stands for.
        """
        text, cuts = (
            "Ann Tan called; ann  tan wrote.",
            [Cut(0, 7, "PERSON", "tokenise"), Cut(16, 24, "PERSON", "tokenise")],
        )
        anonymizer, here = PresidioAnonymizer(), names()
        first, second = re.findall(r"<PERSON:[a-z2-7]{12}>", anonymizer.apply(text, cuts, here))
        assert first == second
        assert here.made[first][0] == "PERSON"
        for other in (names(tenant="other"), names(purpose="other"), names(session="other")):
            assert first not in anonymizer.apply(text, cuts, other)
        hashed = [Cut(0, 7, "PERSON", "hash")]
        assert anonymizer.apply(text, hashed, names()) == anonymizer.apply(text, hashed, names(session="s2"))
        assert anonymizer.apply(text, hashed, names()) != anonymizer.apply(text, hashed, names(tenant="other"))
        assert "Ann" not in anonymizer.apply(text, hashed, names())

    def test_encryption_can_be_turned_back_by_the_tenant_alone(self):
        """
        The same value is encrypted the same way each time, and opens under the tenant's key and no other.
        """
        text, cuts = "Ann Tan called.", [Cut(0, 7, "PERSON", "encrypt")]
        changed = PresidioAnonymizer().apply(text, cuts, names())
        assert changed == PresidioAnonymizer().apply(text, cuts, names(session="s2"))
        hidden = changed.partition("=")[2].partition(">")[0]
        raw = base64.urlsafe_b64decode(hidden + "=" * (-len(hidden) % 4))
        assert AESSIV(names().cipher_key()).decrypt(raw, [b"PERSON"]) == b"Ann Tan"
        with pytest.raises(InvalidTag):
            AESSIV(names(tenant="other").cipher_key()).decrypt(raw, [b"PERSON"])


@given(st.text(max_size=30), st.data())
def test_nothing_of_a_cut_stays(text, data):
    """
    Wherever cuts lie, overlapping or not, what is outside of all of them stays as it is, in order, and nothing else does.
    """
    indexes = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    spans = [tuple(sorted(one)) for one in data.draw(st.lists(indexes, max_size=4))]
    cuts = [Cut(start, end, "X", "redact") for start, end in spans if start < end]
    kept = [letter for index, letter in enumerate(text) if not any(cut.start <= index < cut.end for cut in cuts)]
    assert PresidioAnonymizer().apply(text, cuts, names()) == "".join(kept)


@given(st.text(max_size=40))
def test_a_mask_hides_all_but_the_end(value):
    """
    A mask keeps the length; of letters and digits at most the last four stay, and of short values none.
    """
    masked = mask(value)
    shown = 4 if len(value) > 8 else 0
    assert len(masked) == len(value)
    assert masked.endswith(value[len(value) - shown :])
    assert not any(letter.isalnum() for letter in masked[: len(value) - shown])


def test_operators_side_by_side():
    """
    One text may have each cut carried out in its own way, of one type too.
    """
    text = "AAAA BBBB CCCC"
    cuts = [Cut(0, 4, "T", "replace"), Cut(5, 9, "T", "mask"), Cut(10, 14, "T", "redact")]
    assert PresidioAnonymizer().apply(text, cuts, names()) == "<T> **** "

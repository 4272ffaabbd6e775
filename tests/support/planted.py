"""
Documents with an identifier planted in them, somewhere and somehow, and what must not be left of it.

The identifiers are well-formed, so that they are found by their check digits wherever they stand: whole, over two lines, with
unseen characters between, over neighbouring values, in the name of a field, in a JSON text.
"""

import json

from typing import Any

from hypothesis import strategies as st
from pydantic import JsonValue

from adapters.screening.presidio import PresidioAnonymizer
from adapters.screening.presidio.engine import scan
from adapters.screening.presidio.recognizers.sg_nric import check_letter
from adapters.screening.presidio.recognizers.tw_national_id import is_valid as is_taiwan_id
from gateway.content.leaves import leaves_and_names, replace_leaves
from gateway.model.content import Cut, content_text
from gateway.model.pseudonyms import Pseudonyms
from tests.support.screening import MODEL

DIGITS = st.text("0123456789", min_size=7, max_size=7)


@st.composite
def identifiers(draw: Any) -> tuple[str, str]:
    """An NRIC or a Taiwan national ID, well-formed, and the word that names it."""
    number = draw(DIGITS)
    if draw(st.booleans()):
        prefix = draw(st.sampled_from("STFG"))
        return "NRIC", prefix + number + check_letter(prefix, number)
    head = draw(st.sampled_from("ABEFHKNPT")) + draw(st.sampled_from("12")) + number
    return "ID", next(head + digit for digit in "0123456789" if is_taiwan_id(head + digit))


@st.composite
def planted(draw: Any) -> tuple[str, JsonValue]:
    """A document with an identifier in it, somewhere and somehow, and the identifier."""
    label, value = draw(identifiers())
    cut = draw(st.integers(2, 7))
    before, after = value[:cut], value[cut:]
    return value, draw(
        st.sampled_from(
            [
                f"The customer's {label} is {value} as on file.",
                f"{label} {before}\n{after} was copied",
                f"{label} {before}\u200b{after} was copied",
                {label.lower(): value, "n": 1},
                {f"{label}_1": before, f"{label}_2": after},
                {"deep": [{"values": [before, after]}]},
                {f"customer {value}": {"open": True}},
                json.dumps({"note": f"{value} called", "l": [1, None]}),
            ]
        )
    )


def does_not_survive(value: str, content: JsonValue) -> None:
    """Redact what is found in a document; nothing of the value is left, and the document keeps its kind."""
    [found] = scan([leaves_and_names(content)], "pii/patterns", MODEL)
    cuts: dict[str, list[Cut]] = {}
    for finding in found:
        if finding.score >= 0.4:
            cuts.setdefault(finding.path, []).append(Cut(finding.start, finding.end, finding.type, "replace"))
    anonymizer, names = PresidioAnonymizer(), Pseudonyms(b"k" * 32, "p", "s")
    changed = replace_leaves(
        content, lambda path, text: anonymizer.apply(text, cuts[path], names) if path in cuts else None
    )
    shown = "".join(letter for letter in content_text(changed) if letter.isalnum())
    assert value not in shown
    if not isinstance(content, str):
        assert type(changed) is type(content)
        assert len(json.dumps(changed)) > 0
    elif content.startswith("{"):
        json.loads(str(changed))

"""Under which id a content is held for review."""

import hashlib

import pytest

from pydantic import ValidationError

from gateway.model import Subject
from gateway.model.review import ReviewAct, ReviewScope, quarantine_id

DIGEST = hashlib.sha256(b"x").hexdigest()
SCOPE = ReviewScope(agent="RISK", purpose="p", source_id="S")


def test_the_id_is_of_the_content_and_its_scope():
    """
    The same content for the same agent, purpose and source is one case for review; anything else is another.
    """
    again = quarantine_id(DIGEST, SCOPE.model_copy())
    assert quarantine_id(DIGEST, SCOPE) == again
    others = [
        quarantine_id(hashlib.sha256(b"y").hexdigest(), SCOPE),
        *(quarantine_id(DIGEST, SCOPE.model_copy(update={name: "z"})) for name in ("agent", "purpose", "source_id")),
        quarantine_id(DIGEST, SCOPE.model_copy(update={"source_id": None})),
    ]
    assert len({again, *others}) == 6


def test_the_id_tells_nothing():
    """
    An id is short, and no part of the digest.
    """
    name = quarantine_id(DIGEST, SCOPE)
    assert name.startswith("REV-")
    assert len(name) == 20
    assert name[4:] not in DIGEST


@pytest.mark.parametrize("wrong", [{"reason": "no"}, {"verdict": "maybe"}, {"officer": ""}])
def test_an_act_has_an_officer_and_a_reason(wrong):
    """
    A verdict without an officer, or with a reason of a word, is none.
    """
    act = {"verdict": "denied", "officer": "ann", "reason": "Seen before.", "at": "x", "expires": "y"}
    assert ReviewAct.model_validate(act).officer == "ann"
    with pytest.raises(ValidationError):
        ReviewAct.model_validate({**act, **wrong})


def test_whose_an_act_is():
    """
    An act is its officer's under every spelling and tenant; one kept by an earlier version, by the name alone, as well.
    """
    act = {"verdict": "denied", "officer": "ann", "reason": "Seen before.", "at": "x", "expires": "y"}
    person = {"role": "admin", "department": "RMG", "jurisdictions": ["SG"]}
    ann = Subject.model_validate({**person, "sub": "ANN", "tenant": "asia", "identity": "A-77"})
    ben = Subject.model_validate({**person, "sub": "ann", "tenant": "gfm", "identity": "B-12"})
    kept = ReviewAct.model_validate({**act, "person": "a-77"})
    assert (kept.is_of(ann), kept.is_of(ben)) == (True, False)
    before = ReviewAct.model_validate(act)
    assert (before.is_of(ann), before.is_of(ben)) == (True, True)

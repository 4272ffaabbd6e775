"""What policy answers, as types."""

import pytest

from pydantic import ValidationError

from gateway.model.policy_answer import AdmitAnswer, Obligation, obligation_labels

ADMITTED = {
    "allow": True,
    "denials": [],
    "trust_class": "TRUSTED",
    "authority_tier": 1,
    "screen": [],
    "obligations": [],
    "exceptions": [],
}


def test_labels_of_obligations():
    """
    Labels say the type, with the operator where there is one; each stands once, in order.
    """
    duties = [
        Obligation(type="redact", operator="mask", entities=("PERSON",)),
        Obligation(type="fence"),
        Obligation(type="redact", operator="mask", entities=("EMAIL",)),
    ]
    assert obligation_labels(duties) == ("fence", "redact:mask")


@pytest.mark.parametrize(
    "change",
    [
        {"allow": None},
        {"authority_tier": 0},
        {"authority_tier": 6},
        {"trust_class": "MAYBE"},
        {"obligations": [{"type": "forget"}]},
        {"obligations": [{"type": "redact", "operator": "shout"}]},
        {"more": 1},
    ],
)
def test_an_answer_of_another_shape_is_none(change):
    """
    An answer with a part that nobody can carry out, or that nobody knows, is not one that a little is believed of.
    """
    assert AdmitAnswer.model_validate(ADMITTED).allow
    with pytest.raises(ValidationError):
        AdmitAnswer.model_validate({**ADMITTED, **change})


@pytest.mark.parametrize("missing", sorted(ADMITTED))
def test_every_part_of_an_answer_is_required(missing):
    """
    No part of an answer has a default that could stand for what policy did not say.
    """
    with pytest.raises(ValidationError):
        AdmitAnswer.model_validate({name: value for name, value in ADMITTED.items() if name != missing})

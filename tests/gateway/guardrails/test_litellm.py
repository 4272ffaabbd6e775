"""LiteLLM's question, read, and the verdict in its words."""

import pytest

from gateway.errors import FieldInvalidError
from gateway.guardrails.exchange import GuardrailVerdict
from gateway.guardrails.litellm import LiteLLMQuestion, answer_of

USER = {"role": "user", "content": "a"}


def asked(**more):
    return LiteLLMQuestion.model_validate({"input_type": "request", **more})


def test_everything_that_reaches_the_model_is_a_part():
    """
    Texts by who wrote them, then calls, then tools; members that a newer version adds are no obstacle.
    """
    parts = asked(
        texts=["a"], structured_messages=[USER], tool_calls=[{"id": "c"}], tools=[{"type": "x"}], new=1
    ).parts()
    assert [(part.author, part.changeable) for part in parts] == [
        ("user", True),
        ("tool_call", False),
        ("tool_definition", False),
    ]


@pytest.mark.parametrize("texts", [["b"], ["a", "b"], []])
def test_texts_that_are_not_the_messages(texts):
    """
    Where they differ, nobody knows who wrote which text.
    """
    assert {part.author for part in asked(texts=texts, structured_messages=[USER]).parts()} <= {"other"}


@pytest.mark.parametrize("more", [{"input_type": "response"}, {"images": ["x"]}])
def test_what_is_not_governed(more):
    """
    Answers of models and images are refused.
    """
    with pytest.raises(FieldInvalidError):
        asked(**more).parts()


def test_the_person():
    """
    The header is found however it is written, and is None where there is none.
    """
    assert asked(request_headers={"X-CTXGATE-Person": "t"}).person() == "t"
    assert asked(request_headers={"x": "t"}).person() is None
    assert asked().person() is None


def test_verdicts():
    """
    Each verdict as LiteLLM reads it.
    """
    assert answer_of(GuardrailVerdict("why", ("a",), changed=False)) == {"action": "BLOCKED", "blocked_reason": "why"}
    assert answer_of(GuardrailVerdict(None, ("a",), changed=False)) == {"action": "NONE"}
    changed = answer_of(GuardrailVerdict(None, ("b",), changed=True))
    assert changed == {"action": "GUARDRAIL_INTERVENED", "texts": ["b"]}

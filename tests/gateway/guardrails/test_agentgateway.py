"""agentgateway's question, read, and the verdict in its words."""

from gateway.guardrails.agentgateway import WebhookQuestion
from gateway.guardrails.exchange import GuardrailVerdict

QUESTION = WebhookQuestion.model_validate(
    {"body": {"messages": [{"role": "Assistant", "content": "a"}, {"role": "x", "content": "b", "new": 1}]}}
)


def test_parts():
    """
    Each message is a part; a role that is not known is nobody's.
    """
    assert [(part.author, part.content) for part in QUESTION.parts()] == [("assistant", "a"), ("other", "b")]


def test_verdicts():
    """
    Which action it is follows from its members: none, a text with a status, or as many messages as came with their roles.
    """
    assert QUESTION.answer(GuardrailVerdict(None, ("a", "b"), changed=False)) == {"action": {}}
    refused = QUESTION.answer(GuardrailVerdict("why", ("a", "b"), changed=False))["action"]
    assert (refused["body"], refused["status_code"]) == ("why", 403)
    told = QUESTION.answer(GuardrailVerdict(None, ("a", "c"), changed=True))["action"]["body"]["messages"]
    assert told == [{"role": "Assistant", "content": "a"}, {"role": "x", "content": "c"}]

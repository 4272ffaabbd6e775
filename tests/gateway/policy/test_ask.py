"""Asking policy: an answer is counted and has its shape, or nothing is decided."""

import re

import pytest

from gateway.errors import PolicyMalformedError, PolicyUnavailableError
from gateway.policy.ask import ask
from gateway.policy.entrypoints import DETOKENIZE, NAMES
from gateway.settings import HOME

ALLOWED = {"allow": True, "denials": []}


class Scripted:
    """Answers with what it was given."""

    def __init__(self, answers):
        self.answers = answers

    async def evaluate(self, entrypoint, inputs):
        if isinstance(self.answers, Exception):
            raise self.answers
        return self.answers


async def asked(answers, count=2):
    return await ask(Scripted(answers), DETOKENIZE, [{}] * count)


async def test_answers_in_order():
    """
    Each input has its own answer, in the order asked.
    """
    denied = {"allow": False, "denials": [{"code": "X-1", "message": "x"}]}
    assert [answer.allow for answer in await asked([denied, ALLOWED])] == [False, True]


@pytest.mark.parametrize("answers", [[ALLOWED], [ALLOWED] * 3, []])
async def test_too_few_or_too_many(answers):
    """
    A short answer would pass the items it left out, a long one is of something else.
    """
    with pytest.raises(PolicyMalformedError, match="asked 2 times"):
        await asked(answers)


@pytest.mark.parametrize("wrong", [None, True, "yes", {}, {"allow": True}, {**ALLOWED, "more": 1}, [ALLOWED]])
async def test_what_is_no_decision(wrong):
    """
    What an undefined rule answers, and any other shape, is no decision: nothing is taken as allowed.
    """
    with pytest.raises(PolicyMalformedError, match="not a decision"):
        await asked([ALLOWED, wrong])


async def test_policy_that_is_gone():
    """
    Where policy does not answer its error goes through as it is.
    """
    with pytest.raises(PolicyUnavailableError):
        await asked(PolicyUnavailableError("gone"))


def test_every_question_can_be_asked_of_a_server_in_one_go():
    """
    Each entrypoint has its rule for many inputs, which a policy server is asked for.
    """
    rego = (HOME / "policies/context/batch/batch.rego").read_text()
    assert re.findall(r"^(\w+) := \[", rego, re.MULTILINE) == [name.rpartition("/")[2] for name in NAMES]

"""A pack as the messages of a provider."""

import json

from itertools import pairwise

from gateway.prompt.render import CACHE_BREAKPOINTS
from tests.support.conversation import SPEC, knowledge


async def test_anthropic(chat):
    """
    System and library are blocks of their own, marked for the cache where long enough, and speakers alternate.
    """
    long = " ".join(f"Rule {n} of the manual sets limit {n * 7}." for n in range(200))
    await chat.ask("one", knowledge("spec", long))
    pack = await chat.ask("two", render="anthropic")
    body = pack.messages
    assert ["cache_control" in part for part in body["system"]] == [False, True]
    marks = json.dumps(body).count("cache_control")
    assert 1 <= marks <= CACHE_BREAKPOINTS
    roles = [message["role"] for message in body["messages"]]
    assert roles[0] == "user"
    assert all(left != right for left, right in pairwise(roles))


async def test_gemini(chat):
    """
    Gemini's shape has its own names.
    """
    pack = await chat.ask("one", knowledge("spec", SPEC), render="gemini")
    assert set(pack.messages) == {"system_instruction", "contents"}
    assert {message["role"] for message in pack.messages["contents"]} <= {"user", "model"}
    assert SPEC in json.dumps(pack.messages["contents"])

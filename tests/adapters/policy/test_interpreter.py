"""Questions that are too long for the compiled program: answered in a process of its own, within a time."""

import asyncio
import json

import pytest

from adapters.policy.interpreter import Interpreter, serve
from adapters.policy.regorus import EngineLimits, RegorusPolicyEngine
from gateway.errors import PolicyLimitError, PolicyUnavailableError
from gateway.policy.bundle import Bundle
from gateway.policy.entrypoints import NAMES

RULES = """
scope := {"sum": sum([x | some x in input.items; x > 0])}

admit := {"n": count([1 | some x in input.items; some y in input.items; some z in input.items; x + y + z > input.least])}

citation := {"twice": count([1 | some x in input.items; x == 1; y := "a" + x])}
"""
MANY = list(range(20_000))


@pytest.fixture(scope="module")
def bundle():
    others = "\n".join(f"{rule} := {{}}" for name in NAMES if f"{(rule := name.rpartition('/')[2])} :=" not in RULES)
    return Bundle("sha256:0", {"a.rego": f"package context\n{RULES}\n{others}\n"}, {})


@pytest.fixture
async def engine(bundle):
    made = RegorusPolicyEngine(bundle, limits=EngineLimits(seconds=2))
    yield made
    await made.close()


async def test_a_long_question_is_answered(engine):
    """
    What the compiled program may not finish is answered by the interpreter, as the program would have; short questions never
    start it, and a second long one finds it running.
    """
    assert await engine.evaluate("context/scope", [{"items": [1, 2]}]) == [{"sum": 3}]
    assert engine._interpreter._process is None
    assert await engine.evaluate("context/scope", [{"items": MANY}]) == [{"sum": sum(MANY)}]
    first = engine._interpreter._process
    assert await engine.evaluate("context/scope", [{"items": MANY[:-1]}, {"items": [5]}]) == [
        {"sum": sum(MANY[:-1])},
        {"sum": 5},
    ]
    assert engine._interpreter._process is first


async def test_a_large_question_never_holds_the_loop(engine, monkeypatch):
    """
    A question of more characters than the compiled program reads while others wait is not put to it at all.
    """
    asked = []
    plain = engine._execute
    monkeypatch.setattr(engine, "_execute", lambda rule, text: asked.append(len(text)) or plain(rule, text))
    large = ["x" * 1000 for _ in range(100)]
    assert await engine.evaluate("context/scope", [{"items": [1]}, {"items": [1], "more": large}]) == [{"sum": 1}] * 2
    assert len(asked) == 1


async def test_a_question_without_end(engine):
    """
    A question that takes longer than it may is an error of its own that no retry mends; its process is gone, and the next
    long question is answered by a new one.
    """
    with pytest.raises(PolicyLimitError) as caught:
        await engine.evaluate("context/admit", [{"items": MANY, "least": 0}])
    assert (caught.value.code, caught.value.retryable) == ("GW-204", False)
    assert "CTXGATE_POLICY_SECONDS" in caught.value.remedy
    assert await engine.evaluate("context/scope", [{"items": MANY}]) == [{"sum": sum(MANY)}]


async def test_whoever_asks_may_go_away(engine):
    """
    A request that is given up leaves no answer behind for the next one.
    """
    await engine.evaluate("context/scope", [{"items": MANY}])
    asking = asyncio.ensure_future(engine.evaluate("context/scope", [{"items": MANY[:-5]}]))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert await engine.evaluate("context/scope", [{"items": MANY[:-1]}]) == [{"sum": sum(MANY[:-1])}]


async def test_a_process_that_dies(engine):
    """
    Where the process ends under a question the request fails and may be sent again; the next question gets a new process.
    """
    await engine.evaluate("context/scope", [{"items": MANY}])
    asking = asyncio.ensure_future(engine.evaluate("context/admit", [{"items": MANY, "least": 0}]))
    await asyncio.sleep(0.1)
    engine._interpreter._process.kill()
    with pytest.raises(PolicyUnavailableError, match="ended"):
        await asking
    assert await engine.evaluate("context/scope", [{"items": MANY}]) == [{"sum": sum(MANY)}]


async def test_its_turn_does_not_come(bundle):
    """
    While another long question has the process, the next waits no longer than a question may take, and may be sent again.
    """
    interpreter = Interpreter(bundle.modules, "{}", 0.05)
    await interpreter._turn.acquire()
    with pytest.raises(PolicyUnavailableError, match="busy"):
        await interpreter.execute("data.context.scope", "{}")


async def test_a_bundle_that_it_cannot_read():
    """
    A process that does not start is no answer.
    """
    interpreter = Interpreter({"a.rego": "package a\nx := "}, "{}", 5)
    with pytest.raises(PolicyUnavailableError, match="does not start"):
        await interpreter.execute("data.a.x", "{}")


async def test_a_long_rule_that_fails(bundle):
    """
    A rule that fails in the process fails the question, in the engine's own words, and nothing else.
    """
    interpreter = Interpreter(bundle.modules, "{}", 20)
    with pytest.raises(PolicyUnavailableError, match="the policy engine failed"):
        await interpreter.execute("data.context.no_such_rule", "{")
    assert json.loads(await interpreter.execute("data.context.scope", '{"items": [7]}')) == {"sum": 7}
    await interpreter.close()
    await interpreter.close()


def test_what_the_process_says(bundle):
    """
    Line by line: that the bundle is read, then for each question whether it failed, and the value or why.
    """
    lines = [json.dumps({"modules": bundle.modules, "data": "{}"})]
    lines += [json.dumps(["data.context.scope", text]) for text in ('{"items": [1, 2]}', "no JSON")]
    ready, answer, failure = map(json.loads, serve(iter(lines)))
    assert (ready, answer[0], json.loads(answer[1])) == ([False, ""], False, {"sum": 3})
    assert failure[0] is True

"""A panic of the embedded engine is an error of the engine, not of the process."""

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.errors import PolicyUnavailableError
from gateway.policy.bundle import Bundle


async def test_a_panic_is_a_failed_decision():
    """
    What makes the engine panic (OPA's case strings/count_empty_string) fails the decision and nothing else.
    """
    rego = "package context\nadmit := strings.count(input.a, input.b)\n"
    others = "\n".join(f"{name} := {{}}" for name in ("scope", "release", "pack", "detokenize", "citation"))
    engine = RegorusPolicyEngine(Bundle("sha256:0", {"a.rego": rego + others}, {}))
    with pytest.raises(PolicyUnavailableError):
        await engine.evaluate("context/admit", [{"a": "abc", "b": ""}])
    assert await engine.evaluate("context/scope", [{}]) == [{}]

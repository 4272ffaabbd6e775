"""The embedded engine: what is no answer, what is no bundle, and the panic of native code."""

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.errors import (
    BundleInvalidError,
    PolicyMalformedError,
    PolicyUnavailableError,
)
from gateway.policy.bundle import Bundle


class TestRegorus:
    @staticmethod
    def engine(rego, data=None):
        full = "\n".join(
            f"{name} := {{}}"
            for name in ("scope", "release", "pack", "detokenize", "citation")
            if f"{name} :=" not in rego
        )
        return RegorusPolicyEngine(Bundle("sha256:0", {"a.rego": f"package context\n{rego}\n{full}"}, data or {}))

    def test_a_bundle_that_does_not_compile(self):
        """
        A broken bundle is refused at load with the place, and without the engine's own stack.
        """
        with pytest.raises(BundleInvalidError, match=r"a\.rego:\d") as caught:
            self.engine("admit := ")
        assert "backtrace" not in str(caught.value)

    async def test_an_undefined_answer(self):
        """
        A rule that is undefined, or undefined in part, is no answer.
        """
        for rego in ("admit := 1 if input.missing", 'admit := {"allow": input.missing}'):
            with pytest.raises(PolicyMalformedError):
                await self.engine(rego).evaluate("context/admit", [{}])

    async def test_a_rule_that_fails(self):
        """
        A rule that fails at run time is an error of the engine, not a decision.
        """
        engine = self.engine("admit := input.x if input.x == 1\nadmit := input.y if input.y == 2")
        with pytest.raises((PolicyUnavailableError, PolicyMalformedError)):
            await engine.evaluate("context/admit", [{"x": 1, "y": 2}])


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

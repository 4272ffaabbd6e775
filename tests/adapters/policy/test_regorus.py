"""The embedded engine: what is no answer, what is no bundle, and the panic of native code."""

from importlib.metadata import version

import pytest

from adapters.policy.regorus import RegorusPolicyEngine, failing_tests
from gateway.errors import (
    BundleInvalidError,
    PolicyMalformedError,
    PolicyUnavailableError,
)
from gateway.policy.bundle import Bundle


class TestRegorus:
    @staticmethod
    def engine(rego, data=None, limits=None):
        full = "\n".join(
            f"{name} := {{}}"
            for name in ("scope", "release", "pack", "detokenize", "citation")
            if f"{name} :=" not in rego
        )
        bundle = Bundle("sha256:0", {"a.rego": f"package context\n{rego}\n{full}"}, data or {})
        return RegorusPolicyEngine(bundle, limits=limits)

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


class TestAnswers:
    async def test_equal_facts_get_one_answer(self):
        """
        Items with the same labels are decided alike, in their places; a later call is not told of earlier ones.
        """
        engine = TestRegorus.engine('admit := {"n": input.n, "allow": input.n > 1}')
        facts = [{"n": 2}, {"n": 1}, {"n": 2}]
        expected = [{"n": 2, "allow": True}, {"n": 1, "allow": False}, {"n": 2, "allow": True}]
        assert await engine.evaluate("context/admit", facts) == expected
        assert await engine.evaluate("context/admit", []) == []

    async def test_a_label_of_the_characters_of_the_engine_s_mark(self):
        """
        An entity that is named like the engine's mark for an undefined value is answered for, by its own name; beside it, what
        is undefined in part is still no answer.
        """
        engine = TestRegorus.engine('admit := {"id": input.id, "other": input.other}')
        for name in ("<undefined>", "<undefined~>", 'a "<undefined>" b'):
            facts = {"id": name, "other": "<undefined>"}
            assert await engine.evaluate("context/admit", [facts]) == [facts]
            assert engine.query("context/admit", facts) == facts
        with pytest.raises(PolicyMalformedError):
            await engine.evaluate("context/admit", [{"id": "<undefined>"}])

    def test_a_rule_of_its_own(self):
        """
        Any rule that it was compiled for can be asked, by facts or by their JSON; an undefined one has no value.
        """
        bundle = Bundle("sha256:0", {"a.rego": "package context\nbig := input.n > data.most"}, {"most": 2})
        engine = RegorusPolicyEngine(bundle, ["context/big"])
        assert engine.query("context/big", {"n": 3}) is True
        assert engine.query("context/big", b'{"n": 1}') is False
        assert engine.query("context/big", {}) is None

    async def test_after_it_was_closed(self):
        """
        An engine that was let go decides nothing.
        """
        engine = TestRegorus.engine("admit := {}")
        await engine.close()
        with pytest.raises(PolicyUnavailableError, match="closed"):
            await engine.evaluate("context/admit", [{}])

    def test_its_version(self):
        """
        The version names the bundle and the engine's own release; an engine is its own pinned one.
        """
        engine = TestRegorus.engine("admit := {}")
        assert (engine.version.revision, engine.version.engine) == ("sha256:0", "regorus")
        assert engine.version.engine_version == version("gordon-to-regorus")
        assert engine.pinned() is engine


RULE = "package area\n\npermit if input.n == 1\n"


def failing(test, rule=RULE):
    """The failing tests of a bundle of one rule and one file of tests."""
    body = f"package area_test\n\nimport data.area\n\n{test}"
    return failing_tests(
        Bundle("sha256:0", {"area.rego": rule}, {}, checks={"area_test.rego": body.encode(), "cases.yaml": b""})
    )


class TestFailingTests:
    TABLE = (
        "test_table[note] if {{\n\tsome note, facts in {{\n"
        '\t\t"one": {{"n": 1}},\n\t\t"other": {{"n": {other}}},\n\t}}\n\tarea.permit with input as facts\n}}\n'
    )

    @pytest.mark.parametrize(
        "test",
        [
            'test_one if {\n\tarea.permit with input as {"n": 1}\n}\n',
            TABLE.format(other=1),
        ],
    )
    def test_those_that_hold(self, test):
        """
        A test that is true holds, and so does one that is true for every example of its table.
        """
        assert failing(test) == []

    @pytest.mark.parametrize(
        "test",
        [
            'test_table if {\n\tarea.permit with input as {"n": 2}\n}\n',
            "test_table := 7 if {\n\ttrue\n}\n",
            TABLE.format(other=2),
        ],
    )
    def test_those_that_do_not(self, test):
        """
        A test that is undefined or another value than true fails, and so does one that misses an example; each is named.
        """
        assert failing(test) == ["area_test.rego: test_table fails"]

    def test_tests_that_do_not_compile(self):
        """
        Tests that cannot be read are no tests that hold.
        """
        [told] = failing("test_broken if {")
        assert told.startswith("the tests do not compile")

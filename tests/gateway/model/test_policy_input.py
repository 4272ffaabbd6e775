"""What policy is told, as the officers' schemas say."""

from dataclasses import replace

from pydantic import TypeAdapter

from gateway.policy.entrypoints import ADMIT, PACK, RELEASE, SCOPE
from tests.support.fakes import AnsweringPolicy


async def test_what_policy_is_told_has_the_published_shape(gateway, ask, small):
    """
    The schemas that officers' rules are checked against are the shape of what policy is really asked.
    """
    asked = []

    def remember(entrypoint):
        def change(answers):
            return answers

        return change

    class Listening(AnsweringPolicy):
        async def evaluate(self, entrypoint, inputs):
            asked.extend((entrypoint, facts) for facts in inputs)
            return await super().evaluate(entrypoint, inputs)

    policy = Listening(gateway.pipeline.policy, "none", remember("none"))
    await replace(gateway.pipeline, policy=policy).assemble(ask(small))
    shapes = {entrypoint.name: TypeAdapter(entrypoint.input) for entrypoint in (SCOPE, ADMIT, RELEASE, PACK)}
    assert set(shapes) == {entrypoint for entrypoint, _ in asked}
    for entrypoint, facts in asked:
        shapes[entrypoint].validate_python(facts, strict=True)

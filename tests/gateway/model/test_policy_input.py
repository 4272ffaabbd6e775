"""What policy is told, as the officers' schemas say."""

from dataclasses import replace

from gateway.model.policy_input import AdmitInput, PackInput, ReleaseInput, ScopeInput
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
    shapes = {
        "context/scope": ScopeInput,
        "context/admit": AdmitInput,
        "context/release": ReleaseInput,
        "context/pack": PackInput,
    }
    assert set(shapes) == {entrypoint for entrypoint, _ in asked}
    for entrypoint, facts in asked:
        shapes[entrypoint].model_validate(facts)

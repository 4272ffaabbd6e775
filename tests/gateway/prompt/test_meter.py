"""Every token of a prompt is counted."""

import tiktoken

from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.clock import NOW
from tests.support.packing import encoding_of


async def test_every_token_is_counted(gateway, story, subject):
    """
    The tokens reported are those of the rendered messages, exactly, by tiktoken itself and the rules of the API.
    """
    for name, model in (("npa-risk", "gpt-4o"), ("npa-risk", "gpt-4-turbo")):
        request = {**story(name, "request"), "model": model, "render": "openai", "turn": 1}
        asked = Asked(PackRequest.model_validate(request), Subject.model_validate(subject), NOW)
        pack = await gateway.pipeline.assemble(asked)
        encoding: tiktoken.Encoding = encoding_of(gateway.registry.models[model].encoding)
        counted = 3
        for message in pack.messages["messages"]:
            counted += 3 + sum(len(encoding.encode_ordinary(message[key])) for key in ("role", "content"))
        report = pack.budget_report
        assert counted == report.allocated - report.response_headroom
        assert report.exact


async def test_models_without_a_public_tokenizer(gateway, small, subject):
    """
    Counts for other model families say that they are estimates.
    """
    request = {**small, "model": "claude-sonnet", "render": "anthropic"}
    pack = await gateway.pipeline.assemble(
        Asked(PackRequest.model_validate(request), Subject.model_validate(subject), NOW)
    )
    assert pack.budget_report.exact is False

"""The layers of a prompt, and why its prefix is another one."""

import json

from datetime import timedelta

from gateway.bootstrap.gateway import running
from gateway.prompt.render import render
from tests.support.clock import NOW
from tests.support.conversation import DOCS, SPEC, forms, knowledge, layer_text
from tests.support.oracle import check_ledger


async def test_fifty_turns(chat, gateway):
    """
    While nothing else is attached the prefix is the same in at least 95 of 100 turns, and grows only at its end.
    """
    spec, stable, before = knowledge("spec", SPEC), 0, ""
    for turn in range(50):
        pack = await chat.ask(f"Question {turn}", *([spec] if turn % 5 == 0 else []))
        prefix = layer_text(pack, "L1") + layer_text(pack, "L2")
        stable += pack.envelope.prefix.change in {"same", "extended", "first"} and prefix.startswith(before)
        before = prefix
        del chat.said[:-6]
    assert stable / 50 >= 0.95
    check_ledger(gateway)


class TestPrefix:
    async def test_content_that_changed(self, chat):
        """
        Fresh: what is attached again with other content is changed in its place, which the report says.
        """
        await chat.ask("one", knowledge("spec", SPEC), knowledge("api-docs", DOCS))
        await chat.ask("two")
        pack = await chat.ask("three", knowledge("spec", "Netting is at 19:00 now."))
        assert forms(pack, "L2") == [("KB:spec", "full"), ("KB:api-docs", "full")]
        assert "19:00" in layer_text(pack, "L2")
        assert "18:00" not in json.dumps(render(pack, "openai"))
        assert (pack.envelope.prefix.change, pack.envelope.prefix.reasons) == ("broken", ("content",))

    async def test_a_near_repeat_does_not_break_the_prefix(self, chat):
        """
        What nearly repeats something carried over, with no more authority, goes in its favour, and the prefix stays.
        """
        long = " ".join(f"Rule {n} of the settlement manual binds each desk of the bank." for n in range(30))
        await chat.ask("one", knowledge("spec", long))
        second = await chat.ask("two")
        third = await chat.ask("three", knowledge("copy", long.replace("each desk", "every desk", 1)))
        assert third.envelope.prefix.change == "same"
        assert layer_text(third, "L2") == layer_text(second, "L2")
        assert [(drop.item_id, drop.reason) for drop in third.drop_report] == [("copy", "near_duplicate")]

    async def test_settings(self, chat):
        """
        Another system prompt is another prefix, for that reason.
        """
        await chat.ask("one")
        chat.items[0] = {**chat.items[0], "content": "You are RISK, version two."}
        pack = await chat.ask("two")
        assert (pack.envelope.prefix.change, pack.envelope.prefix.reasons) == ("broken", ("settings",))

    async def test_policy_withdraws_at_the_next_turn(self, chat, settings, tmp_path):
        """
        What policy allows no more is gone from the library at the next turn, at the cost of the cache, and stays gone.
        """
        import shutil

        from gateway.settings import HOME

        await chat.ask("one", knowledge("spec", SPEC), knowledge("local", DOCS, jurisdiction="HK"))
        narrow = knowledge("narrow", "Only until the time runs out.", ttl_seconds=5)
        await chat.ask("two", narrow)
        later = NOW + timedelta(seconds=10)
        pack = await chat.ask("three", now=later)
        assert ("KB:narrow", "full") not in forms(pack, "L2")
        shutil.copytree(HOME / "policies", tmp_path / "policies")
        data = tmp_path / "policies/context/sections/data.yaml"
        data.write_text(
            data.read_text().replace(
                "entity, knowledge, tool_result, prior_result, conv", "entity, tool_result, prior_result, conv"
            )
        )
        strict = settings.model_copy(update={"policies_dir": tmp_path / "policies", "state_dir": settings.state_dir})
        async with running(strict, clock=lambda: NOW) as other:
            withdrawn = await chat.ask("four", gateway=other)
            after = await chat.ask("five", gateway=other)
        assert forms(withdrawn, "L2") == []
        assert (withdrawn.envelope.prefix.change, withdrawn.envelope.prefix.reasons) == ("broken", ("policy",))
        assert "settlement" not in json.dumps(render(withdrawn, "openai"))
        assert "settlement" not in after.model_dump_json()

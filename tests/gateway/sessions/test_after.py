"""What a turn leaves for the next."""

from gateway.bootstrap.gateway import running
from gateway.model import PackRequest
from gateway.pipeline import Asked
from gateway.prompt.render import render
from tests.support.clock import NOW
from tests.support.conversation import SPEC, forms, knowledge
from tests.support.oracle import everything_stored


async def test_without_a_turn_nothing_is_kept(chat, gateway):
    """
    A request that names no turn carries nothing over and leaves nothing behind.
    """
    chat.turn = -1
    for _ in range(2):
        request = chat.request("hello", knowledge("spec", SPEC))
        request.pop("turn")
        asked = Asked(PackRequest.model_validate(request), chat.subject, NOW)
        pack = await gateway.pipeline.assemble(asked)
        assert forms(pack, "L2") == []
    assert gateway.answers.rows.read("SELECT * FROM turns") == []


class TestPrefix:
    async def test_the_same_turn_again_is_the_same(self, chat, gateway, settings):
        """
        A turn that is asked for again, also after a restart, gives the same bytes.
        """
        await chat.ask("one", knowledge("spec", SPEC))
        second = await chat.ask("two")
        chat.turn, chat.said = 1, chat.said[:1]
        again = await chat.ask("two")
        assert second.model_dump_json() == again.model_dump_json()
        chat.turn, chat.said = 1, chat.said[:1]
        async with running(settings, clock=lambda: NOW) as other:
            reloaded = await chat.ask("two", gateway=other)
        assert reloaded.envelope == second.envelope
        assert render(reloaded, "openai") == render(second, "openai")

    async def test_what_is_kept_is_sealed(self, chat, gateway):
        """
        A session holds contents; on disk they are sealed, and the ledger has none of them.
        """
        await chat.ask("one", knowledge("spec", SPEC))
        for file in gateway.settings.state_dir.glob("aside.sqlite*"):
            assert b"netting" not in file.read_bytes()
        assert "netting" not in everything_stored(gateway)

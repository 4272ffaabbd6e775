"""Where each piece stands, and under which name."""

from gateway.prompt.render import history
from tests.support.conversation import SPEC, knowledge, layer_text


async def test_history_is_what_people_saw(chat):
    """
    A turn that comes back with the blocks of an earlier prompt around it is stripped to what was said.
    """
    pack = await chat.ask("one", knowledge("spec", SPEC))
    chat.said[0]["content"] = layer_text(pack, "L3") + "What about fails?"
    again = await chat.ask("two")
    [(role, text)] = history(again)
    assert role == "user"
    assert "What about fails?" in text
    assert "nets trades" not in text

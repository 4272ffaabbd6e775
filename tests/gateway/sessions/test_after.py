"""What a turn leaves for the next."""

from gateway.bootstrap.gateway import running
from gateway.model import PackRequest, Selection
from gateway.model.session import Segment, Session
from gateway.pipeline import Asked
from gateway.prompt.render import render
from gateway.sessions.after import state_after
from tests.support.clock import NOW
from tests.support.conversation import SPEC, forms, knowledge
from tests.support.oracle import everything_stored
from tests.support.packing import REGISTRY, pieces, ruling


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
    assert gateway.stores.tables.rows.read("SELECT * FROM turns") == []


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


LIBRARY = REGISTRY.budgets.library


def after(*kept, session=None, library=LIBRARY):
    return state_after(Selection(kept=kept), session or Session(name="s", turn=2), library)


def piece_of(name, section="knowledge", **changes):
    [piece] = pieces(ruling(name, section, source_id=name))
    return piece.model_copy(update={"segment": name, **changes})


def test_the_library_first_then_what_is_new():
    """
    What the library held stays in its order, and what this turn brought comes after it, as it came in.
    """
    held = [piece_of("b", layer="L2", carried=1), piece_of("a", layer="L2", carried=0, form="digest")]
    state = after(piece_of("c"), *held)
    assert [(segment.id, segment.form) for segment in state.segments] == [("a", "digest"), ("b", "full"), ("c", "full")]
    assert state.turn == 2
    assert state.prefix is not None


def test_what_is_never_carried_over():
    """
    Questions, turns, overrides and what lies outside behind a handle are not part of the library.
    """
    state = after(
        piece_of("u", "user", layer="L5"),
        piece_of("t", "conversation", layer="L4"),
        piece_of("o", form="override"),
        piece_of("x", artifact="handle"),
    )
    assert state.segments == ()


def test_the_content_is_kept_as_it_came_in():
    """
    What of an item may be shown is decided anew in every turn, so the item itself is kept, not what was released of it.
    """
    state = after(piece_of("a", content="redacted"))
    assert state.segments[0].item.content == "text"


def test_joined_chunks_are_kept_apart():
    """
    Chunks that were shown as one are segments of their own, named apart.
    """
    state = after(piece_of("a", joined=(piece_of("a2", segment="a"),)))
    assert [segment.id for segment in state.segments] == ["a", "a'"]


def test_a_newer_version_is_remembered_beside_the_older():
    """
    A version that stands beside the library's goes on standing there in the next turn.
    """
    old, new = piece_of("old", layer="L2", carried=0, segment="S"), piece_of("new", form="override", segment="S")
    session = Session(name="s", library={"old": Segment(id="S", item=old.ruling.item)}, newer={"new": "S"})
    [segment] = after(old, new, session=session).segments
    assert segment.newer.id == "new"


def test_a_library_has_an_end():
    """
    No more segments are kept than the table says, the oldest first.
    """
    small = LIBRARY.model_copy(update={"segments": 2})
    state = after(*(piece_of(name) for name in "abc"), library=small)
    assert [segment.id for segment in state.segments] == ["a", "b"]

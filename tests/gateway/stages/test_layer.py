"""Where each piece stands, and under which name."""

from gateway.model import PackWarning, Selection
from gateway.model.piece import PackWords
from gateway.model.session import Segment, Session, SessionState
from gateway.prompt.render import history
from gateway.stages.layer import layer, notices
from tests.support.conversation import SPEC, knowledge, layer_text
from tests.support.packing import REGISTRY, pieces, ruling


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


LIBRARY = REGISTRY.budgets.library


def placed(*rulings, session=None):
    selection = Selection(kept=tuple(pieces(*rulings)))
    kept = layer(selection, rulings, session or Session(), LIBRARY).kept
    return {piece.ruling.item.id: (piece.layer, piece.segment, piece.form) for piece in kept}


def test_two_items_never_share_a_name():
    """
    Chunks of one section are named apart, in their order, and by no name that the library holds.
    """
    held = Segment(id="SOP", item=ruling("old", source_id="SOP").item)
    session = Session(name="s", library={"old": held}, before=SessionState(turn=1, segments=(held,)))
    found = placed(ruling("a", source_id="SOP"), ruling("b", source_id="SOP"), session=session)
    assert [found[name][1] for name in "ab"] == ["SOP'", "SOP''"]


def test_what_is_carried_over_stands_in_the_library():
    """
    An item of the library has the name that it has there; a newer version beside it stands in this turn, marked.
    """
    old, new = ruling("old", source_id="SOP"), ruling("new", source_id="SOP", version="2")
    held = Segment(id="SOP", item=old.item)
    session = Session(
        name="s", library={"old": held}, newer={"new": "SOP"}, before=SessionState(turn=1, segments=(held,))
    )
    assert placed(old, new, session=session) == {"old": ("L2", "SOP", "full"), "new": ("L3", "SOP", "override")}


def test_turns_and_questions_have_layers_of_their_own():
    """
    What changes least stands first: system, this turn's documents, history, the person's words.
    """
    found = placed(*(ruling(name, name) for name in ("user", "conversation", "knowledge", "system")))
    assert {name: one[0] for name, one in found.items()} == {
        "system": "L1",
        "knowledge": "L3",
        "conversation": "L4",
        "user": "L5",
    }


def test_notices_are_of_what_the_model_must_know():
    """
    Each kind of warning that policy wants the model to know is told once, others not at all.
    """
    warnings = [PackWarning(code="CONFLICT", message=text) for text in ("a", "b")]
    warned = Selection(
        kept=(),
        warnings=(*warnings, PackWarning(code="QUARANTINED", message="c")),
        told=PackWords(tell_the_model=frozenset({"CONFLICT"})),
    )
    assert [one.segment for one in notices(warned)] == ["CONFLICT"]

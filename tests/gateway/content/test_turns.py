"""Turns of a conversation, read together."""

from gateway.content.turns import TOGETHER, found_only_joined, joined_turns
from gateway.model import Finding
from tests.support.packing import ruling


def turn(name, who="user_input", text="text", section="conversation"):
    return ruling(name, section, text, source_type=who, source_id=who)


def sign(score):
    return Finding(kind="injection", type="override", score=score, start=0, end=4, detector="d", path="/x")


def test_each_roles_turns_are_joined():
    """
    Every turn but a role's first is read with the turns of that role before it, whatever each calls its author and type.
    """
    kinds = ("user_input", "agent_output", "email", "agent_output", "uploaded_document")
    named = zip("abcde", kinds, strict=True)
    rulings = [ruling(one, "conversation", source_type=kind, source_id=f"author-{one}") for one, kind in named]
    assert {tuple(one.item.id for one in join.turns) for join in joined_turns(rulings)} == {
        ("a", "c"),
        ("a", "c", "e"),
        ("b", "d"),
    }


def test_no_more_than_the_last_turns():
    """
    So many turns of an author are read as one text, and no more.
    """
    longest = joined_turns([turn(str(n), text=f"t{n}") for n in range(TOGETHER + 3)])[-1]
    assert longest.text == " ".join(f"t{n}" for n in range(3, TOGETHER + 3))
    assert longest.last.item.id == str(TOGETHER + 2)


def test_only_conversations_are_joined():
    """
    Documents are not turns.
    """
    assert joined_turns([turn("a", section="knowledge"), turn("b", section="knowledge")]) == []


def test_what_is_clearly_stronger_together_counts_against_the_last_turn():
    """
    A sign counts for the turns together only where it is clearly stronger than in any of them alone, and then spans the last.
    """
    [join] = joined_turns([turn("a"), turn("b", text="the rest")])
    alone = {"decision-a": (sign(0.5),), "decision-b": ()}
    [found] = found_only_joined(join, [sign(0.7), sign(0.55)], alone)
    assert (found.score, found.via, found.path, found.start, found.end) == (0.7, "turns", "", 0, len("the rest"))

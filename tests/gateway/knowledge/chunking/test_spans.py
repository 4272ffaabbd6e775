"""Stretches that chunks are made of."""

from gateway.knowledge.chunking.spans import fits, units
from gateway.model.knowledge.document import TextBlock

TEXT = "One two. Three four! 五六。七八。 " + "z" * 100


def cut(room, fineness):
    found = units(TEXT, [(0, TextBlock(0, len(TEXT), "paragraph"))], room, len, fineness)
    return [TEXT[unit.start : unit.end] for unit in found]


def test_fineness():
    """
    What fits is left whole; else sentences are, in Chinese too; else words; else parts of words.
    """
    assert cut(len(TEXT), "block") == [TEXT]
    assert cut(60, "sentence")[:4] == ["One two.", "Three four!", "五六。", "七八。"]
    assert cut(60, "word")[:4] == ["One", "two.", "Three", "four!"]
    assert all(len(part) <= 10 for part in cut(10, "block"))


def test_nothing_long_is_counted():
    """
    A text far longer than the room is not counted at all.
    """
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return 1

    assert not fits("x" * 1_000_000, 100, count)
    assert counted == []

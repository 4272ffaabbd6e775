"""What of a message is read, and what is refused because nobody could."""

import pytest

from gateway.errors import FieldInvalidError
from gateway.guardrails.exchange import Part, author_of, request_of, texts_of
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.settings import HOME
from tests.support.clock import NOW

CHANNEL = registry_of(load_bundle(HOME / "policies")).channels["chat"]


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        ({"role": "user", "content": "a"}, ["a"]),
        ({"role": "assistant", "content": None, "tool_calls": []}, []),
        ({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, ["a", "b"]),
        ({"role": "user", "content": "a", "name": "ann-1", "refusal": None}, ["a"]),
    ],
)
def test_texts(message, texts):
    """
    All texts of a message, in order.
    """
    assert texts_of(message, 0) == texts


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "input_audio", "input_audio": {}}]},
        {"content": [{"type": "text", "text": 1}]},
        {"content": [["a"]]},
        {"content": {"type": "image"}},
        {"content": 1},
        {"content": "a", "function_call": {"name": "f"}},
        {"content": "a", "name": "two words"},
        {"content": "a", "name": "x" * 129},
        {"content": "a", "name": ["x"]},
        {"content": "a", "tool_call_id": "\u00e9"},
    ],
)
def test_what_nobody_can_screen(message):
    """
    A message with a part that is no text is refused, with its place and without its words.
    """
    with pytest.raises(FieldInvalidError) as raised:
        texts_of(message, 3)
    assert raised.value.fields[0][0] == "messages.3"
    assert "two words" not in str(raised.value.fields)


def test_authors():
    """
    A role that is not known is nobody's.
    """
    authors = [author_of(role) for role in ("developer", "function", "User", None, ["user"])]
    assert authors == ["system", "tool", "other", "other", "other"]


def test_labels_are_the_channels():
    """
    Whatever a message holds, its labels are those of the table; an author for whom the table has no row is refused.
    """
    request = request_of(CHANNEL, [Part("tool", "a"), Part("tool_call", {"provenance": "x"})], NOW)
    assert {item.provenance.source_type for item in request.items} == {"third_party_api"}
    assert {item.provenance.data_classification for item in request.items} == {CHANNEL.data_classification}
    assert [item.attestation for item in request.items] == [None, None]
    narrow = CHANNEL.model_copy(update={"roles": {"user": CHANNEL.roles["user"]}})
    with pytest.raises(FieldInvalidError):
        request_of(narrow, [Part("tool", "a")], NOW)

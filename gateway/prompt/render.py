"""
A pack as the messages of a provider's API: system and library first, then history, then this turn and the person's words.

Shapes: OpenAI Chat Completions `messages`; Anthropic Messages `system` and `messages` with `cache_control`; Gemini
`system_instruction` and `contents`.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any, Final

from gateway.model import ContextPack
from gateway.model.content import content_text
from gateway.model.envelope import Layer, SegmentReport
from gateway.model.pack import PackItem
from gateway.model.request import Provider
from gateway.prompt.blocks import around, block

CACHE_BREAKPOINTS: Final = 4
"""Anthropic takes no more `cache_control` marks in one request (prompt caching guide)."""

CACHE_MINIMUM: Final = 1024
"""Tokens of prefix below which Anthropic's models cache nothing (the same guide; some take 2,048)."""

Turn = tuple[str, str]


def render(pack: ContextPack, provider: Provider) -> dict[str, Any]:
    """The prompt of a pack in the shape of a provider's API; the same pack gives the same bytes."""
    shape = {"openai": _openai, "anthropic": _anthropic, "gemini": _gemini}[provider]
    return shape(pack)


def texts(pack: ContextPack, *layers: Layer) -> Iterator[str]:
    """What stands in layers of blocks, in order."""
    sections = {item.id: (item, section.type) for section in pack.sections for item in section.items}
    for layer in _of(pack, layers):
        for segment in layer:
            if segment.item_id is None:
                yield around(segment)
            else:
                yield block(*sections[segment.item_id])


def history(pack: ContextPack) -> list[Turn]:
    """The turns of the conversation in which something was said: who spoke, and the text as it was displayed."""
    items = {item.id: item for section in pack.sections for item in section.items}
    turns = []
    for segment in chain.from_iterable(_of(pack, ("L4",))):
        if segment.item_id:
            said, text = _turn(items[segment.item_id])
            # Of a turn that was all blocks of context nothing is displayed, and providers refuse a message without text.
            if text:
                turns.append((said, text))
    return turns


def _turn(item: PackItem) -> Turn:
    said = "assistant" if item.provenance.source_type == "agent_output" else "user"
    return said, content_text(item.content)


def _of(pack: ContextPack, layers: Iterable[Layer]) -> Iterator[tuple[SegmentReport, ...]]:
    for layer in layers:
        yield from (report.segments for report in pack.envelope.layers if report.layer == layer)


def _openai(pack: ContextPack) -> dict[str, Any]:
    messages = [{"role": "system", "content": "".join(texts(pack, "L1", "L2"))}]
    messages += [{"role": role, "content": text} for role, text in history(pack)]
    messages.append({"role": "user", "content": "".join(texts(pack, "L3", "L5"))})
    return {"model": pack.model, "messages": [message for message in messages if message["content"]]}


def _anthropic(pack: ContextPack) -> dict[str, Any]:
    tokens = {report.layer: report.tokens for report in pack.envelope.layers}
    system, before = [], 0
    for layer in ("L1", "L2"):
        text = "".join(texts(pack, layer))
        before += tokens.get(layer, 0)
        if text:
            system.append(_cached({"type": "text", "text": text}, before))
    turns = [(role, {"type": "text", "text": text}) for role, text in history(pack)]
    if turns:
        turns[-1] = (turns[-1][0], _cached(turns[-1][1], before + tokens.get("L4", 0)))
    last = "".join(texts(pack, "L3", "L5"))
    if last:
        turns.append(("user", {"type": "text", "text": last}))
    return {"model": pack.model, "system": system, "messages": list(_alternating(turns, "content"))}


def _cached(part: dict[str, Any], tokens: int) -> dict[str, Any]:
    """The part, marked as the end of a prefix to cache, if that is long enough to be."""
    return {**part, "cache_control": {"type": "ephemeral"}} if tokens >= CACHE_MINIMUM else part


def _gemini(pack: ContextPack) -> dict[str, Any]:
    turns = [("model" if role == "assistant" else "user", {"text": text}) for role, text in history(pack)]
    last = "".join(texts(pack, "L3", "L5"))
    if last:
        turns.append(("user", {"text": last}))
    system = [{"text": text} for layer in ("L1", "L2") if (text := "".join(texts(pack, layer)))]
    return {"system_instruction": {"parts": system}, "contents": list(_alternating(turns, "parts"))}


def _alternating(turns: list[tuple[str, dict[str, Any]]], name: str) -> Iterator[dict[str, Any]]:
    """Turns of one speaker in a row are one message, and the first speaker is the user."""
    if turns and turns[0][0] != "user":
        first = {"text": "[the conversation so far]"}
        turns = [("user", first if name == "parts" else {"type": "text", **first}), *turns]
    for role, group in groupby(turns, key=lambda turn: turn[0]):
        yield {"role": role, name: [part for _, part in group]}

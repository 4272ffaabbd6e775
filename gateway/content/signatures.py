"""What an item tells of tools, held against the registry's own signatures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import JsonValue

from gateway.model.content import content_bytes
from gateway.model.policy_input import SignatureFacts

_PARAMETERS: Final = ("parameters", "input_schema", "inputSchema")
"""What different providers and protocols call the schema of a tool's arguments."""


def held_against(content: JsonValue, signatures: Mapping[str, Mapping[str, JsonValue]]) -> SignatureFacts:
    """
    Which registered tools an item describes as the registry does, and how many otherwise or without one.

    Notes on safety may be left out, and must be the registry's where they stand.

    Args:
        content: of the item: a tool, a list of them, or an object with one under `tools`; each as it stands or as providers
            and MCP servers wrap it.
        signatures: the registry's, by tool.
    """
    told = [_read(one) for one in _listed(content)]
    # A model that reads two descriptions of one tool may follow either.
    times = Counter(name for name, _ in told)
    known = sorted(
        name for name, said in told if name in signatures and times[name] == 1 and said & _as_said(signatures[name])
    )
    unknown = sum(name not in signatures for name, _ in told)
    return {"known": known, "changed": len(told) - len(known) - unknown, "unknown": unknown if told else 1}


def names_in(content: JsonValue) -> frozenset[str]:
    """What an item calls the tools that it tells of, in whichever words."""
    return frozenset(name for name, _ in (_read(one) for one in _listed(content)))


def _listed(content: JsonValue) -> Sequence[JsonValue]:
    if isinstance(content, dict) and content.keys() == {"tools"}:
        content = content["tools"]
    return content if isinstance(content, list) else [content]


def _read(tool: JsonValue) -> tuple[str, frozenset[bytes]]:
    """The name under which an item tells of a tool, and what it says, in canonical form; no name that is registered where it has none."""
    if isinstance(tool, dict) and tool.keys() == {"type", "function"} and tool["type"] == "function":
        tool = tool["function"]
    if not isinstance(tool, dict) or not isinstance(name := tool.get("name"), str):
        return "", frozenset()
    named = dict(_renamed(tool))
    # Two schemas of one tool: whichever a model reads, it may be the other one that was held against the registry.
    return name, frozenset({content_bytes(named)} if len(named) == len(tool) else ())


def _renamed(tool: Mapping[str, Any]) -> Iterator[tuple[str, JsonValue]]:
    return (("parameters" if key in _PARAMETERS else key, value) for key, value in tool.items())


def _as_said(signature: Mapping[str, JsonValue]) -> frozenset[bytes]:
    bare = {key: value for key, value in signature.items() if key != "safety"}
    return frozenset({content_bytes(dict(signature)), content_bytes(bare)})

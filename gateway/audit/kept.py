"""
A pack kept as it was handed over: in the erasable side of its record, compressed, and the prompt it makes beside it.

It is sealed like every erasable side under the key of the person who asked, and goes with that key.
"""

import json
import zlib

from typing import Any, Final

from gateway.model import ContextPack, RulingsAnswer
from gateway.prompt.render import render
from ledger.erasable import Erasable, commit, fresh_salt

_LEVEL: Final = 1
"""Of zlib: a pack says most things twice, so that the quickest level already makes it four times smaller."""

_NO_RECEIPT: Final = b'"receipt":null'
"""Stands first where the receipt belongs: before it come only ids, codes and counts, in which no quotation mark can be."""


def kept_aside(answer: RulingsAnswer, salt: bytes) -> Erasable:
    """
    A pack as the erasable side of its record: its bytes on the wire but for the receipt, and the prompt it makes.

    Args:
        answer: the pack, or the rulings alone, without a receipt.
        salt: what its digest is taken with, without which no receipt can be issued again.
    """
    prompt = _prompt(answer)
    return Erasable(
        item_salt=salt,
        released_salt=None if prompt is None else fresh_salt(),
        content=zlib.compress(answer.model_dump_json().encode(), _LEVEL),
        released=None if prompt is None else zlib.compress(prompt, _LEVEL),
    )


def prompt_commitment(aside: Erasable) -> str | None:
    """What the pack's record says of the prompt that is kept; None where it has none of its own."""
    if aside.released_salt is None or aside.released is None:
        return None
    return commit(aside.released_salt, zlib.decompress(aside.released))


def _prompt(answer: RulingsAnswer) -> bytes | None:
    """The prompt as JSON; None where there is none, or where it stands in the pack in the shape that was asked for."""
    if not isinstance(answer, ContextPack) or answer.messages is not None:
        return None
    return json.dumps(render(answer, "openai"), ensure_ascii=False).encode()


def kept_pack(aside: Erasable, receipt: bytes) -> bytes:
    """
    The bytes that were handed over.

    Args:
        aside: what `kept_aside` made; it must hold content.
        receipt: as JSON.
    """
    return zlib.decompress(aside.content or b"").replace(_NO_RECEIPT, b'"receipt":' + receipt, 1)


def kept_prompt(aside: Erasable, pack: dict[str, Any]) -> dict[str, Any] | None:
    """The prompt that is kept, or the one in the pack itself; None for rulings alone, which make none."""
    return json.loads(zlib.decompress(aside.released)) if aside.released else pack.get("messages")

"""
A pack kept as it was handed over: in the erasable side of its record, compressed, and the prompt it makes beside it.

It is sealed like every erasable side under the key of the person who asked, and goes with that key.
"""

import json
import zlib

from collections.abc import Mapping
from typing import Any, Final

from pydantic import JsonValue

from gateway.audit.parts import kept_labels, released_bytes
from gateway.model import Case, ContextPack, Finding, Model, Ruling, RulingsAnswer
from gateway.model.content import content_bytes
from gateway.prompt.render import render
from ledger.canonical import jcs
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


def with_question(aside: Erasable, asked: Mapping[str, Any]) -> Erasable:
    """An erasable side with what policy was asked."""
    return aside.model_copy(update={"input_salt": fresh_salt(), "input": jcs(dict(asked))})


def ruling_aside(ruling: Ruling, case: Case, *, keep_content: bool) -> Erasable:
    """The erasable side of a ruling; with contents, and with what its obligations were carried out with, only where they are kept."""
    released = released_bytes(ruling)
    return Erasable(
        item_salt=fresh_salt(),
        released_salt=None if released is None else fresh_salt(),
        input_salt=fresh_salt(),
        input=ruling.asked or jcs(dict(ruling.facts)),
        content=content_bytes(ruling.item.content) if keep_content else None,
        released=released if keep_content else None,
        means=means_of(ruling, case) if keep_content and ruling.usable else None,
        labels=kept_labels(ruling),
    )


class Means(Model):
    """With what the obligations of an item were carried out, so that they can be again."""

    item: str
    """Id of the item, as its fence names it."""

    source: str | None
    kind: str | None
    """The source type that it was taken as."""

    session: str
    """Within which the same value has the same token."""

    findings: tuple[Finding, ...]
    content: JsonValue = None
    """What is no text, with its members in their own order; null for a text."""


def means_of(ruling: Ruling, case: Case) -> bytes:
    """What a ruling's obligations were carried out with, as JSON."""
    content, source = ruling.item.content, ruling.item.provenance.source_id
    return (
        Means(
            item=ruling.item.id,
            source=source,
            kind=ruling.source_type,
            session=case.session,
            findings=ruling.findings,
            content=None if isinstance(content, str) else content,
        )
        .model_dump_json()
        .encode()
    )


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

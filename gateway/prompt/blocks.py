"""
Pieces of context as the text that a model reads.

Rules held here: a block begins with `<` and ends with a line break, and after a line break no tokenizer of ours joins
what follows, so that tokens of blocks add up to those of the message; the mark in a block's tags is taken from all that
stands in it under a key that only the gateway has, so that no content can hold its own and nobody else can make one; the
same item gives the same bytes in every turn.
"""

import hashlib
import hmac

from collections.abc import Sequence
from typing import Final

from gateway.model import PackItem, Piece
from gateway.model.content import content_digest, content_text
from gateway.model.envelope import SegmentReport
from gateway.model.pack import PackProvenance, PackWarning
from gateway.model.policy_answer import obligation_labels
from gateway.model.request import Provenance
from gateway.prompt.fence import quoted, shown

_CARRIED: Final = tuple(Provenance.model_fields.keys() & PackProvenance.model_fields.keys() - {"source_type"})
"""Labels that the caller's provenance and the tag have in common."""

MARK: Final = 24
"""Characters of a mark: 96 bits in hex."""

_OVERRIDE: Final = '<notice code="OVERRIDE">What follows replaces its version in the library above.</notice>\n'


def block(item: PackItem, section: str) -> str:
    """An item between tags that its content cannot forge; untrusted content has marks of its own."""
    before = _OVERRIDE if item.form == "override" else ""
    text = content_text(item.content)
    if item.fenced:
        return f"{before}{text}\n"
    # A pack that was sealed before marks had a key is rendered to the bytes it had then.
    mark = item.mark or hashlib.sha256(f"{item.segment}\x00{text}".encode()).hexdigest()[:12]
    return f"{before}<{section} {_labels(item)} mark={mark}>\n{text}\n</{section} mark={mark}>\n"


def marked(item: PackItem, section: str, key: bytes) -> PackItem:
    """The item with the mark that its block has; untrusted content has marks of its own."""
    if item.fenced:
        return item
    head = f"{section} {_labels(item)}"
    return item.model_copy(update={"mark": mark_of(head, content_text(item.content), key)})


def mark_of(head: str, text: str, key: bytes) -> str:
    """
    The mark of a block.

    Args:
        head: its first tag, without brackets and mark.
        text: what stands between its tags.
        key: of the tenant.
    """
    told = f"block\x00{head}\x00{text}".encode()
    return hmac.new(key, told, hashlib.sha256).hexdigest()[:MARK]


def _labels(item: PackItem) -> str:
    source = item.provenance
    named = {
        "id": item.segment,
        "source": source.source_id,
        "version": source.version,
        "tier": source.authority_tier,
        "trust": source.trust_class,
    }
    return " ".join(f"{name}={quoted(value)}" for name, value in named.items() if value is not None)


def around(report: SegmentReport) -> str:
    """What stands in a prompt beside items."""
    name = quoted(report.segment)
    if report.form == "reference":
        return f"<attached id={name}>see the library above</attached>\n"
    if report.form == "stub":
        return f"<quarantined id={name}>{report.text}</quarantined>\n"
    return f"<notice code={name}>{report.text}</notice>\n"


def stub(number: int, codes: Sequence[str]) -> SegmentReport:
    """What is said of an item that was quarantined: its place among the candidates, since its own id may speak too."""
    text = f"set aside for review: {', '.join(codes)}"
    return SegmentReport(segment=f"item {number}", item_id=None, form="stub", text=text)


def notice(warning: PackWarning) -> SegmentReport:
    """A warning that the model is to know of."""
    return SegmentReport(segment=warning.code, item_id=None, form="notice", text=warning.message)


def provenance_of(piece: Piece, digest: str) -> PackProvenance:
    """The provenance tag of a piece."""
    ruling = piece.ruling
    source = ruling.item.provenance
    return PackProvenance(
        **{name: getattr(source, name) for name in _CARRIED},
        source_type=ruling.source_type,
        attested_by=ruling.attested_by,
        authority_tier=ruling.authority_tier,
        trust_class=ruling.trust_class,
        chunk_hash=f"sha256:{digest}",
    )


def pack_item(piece: Piece) -> PackItem:
    """The piece with its provenance tag, as the caller gets it."""
    ruling, content = piece.ruling, shown(piece)
    return PackItem(
        id=ruling.item.id,
        content=content,
        tokens=piece.tokens,
        score=piece.score,
        decision_id=ruling.decision_id,
        provenance=provenance_of(piece, content_digest(content)),
        segment=piece.segment,
        layer=piece.layer,
        form=piece.form,
        fenced=ruling.fence is not None,
        obligations=obligation_labels(ruling.obligations),
        pii_types=tuple(sorted({finding.type for finding in ruling.findings if finding.kind == "pii"})),
        attributions=piece.attributions,
        metadata=ruling.item.metadata,
        artifact=piece.artifact,
    )


def reference(piece: Piece) -> SegmentReport | None:
    """What stands in this turn for something attached that the library holds already."""
    if piece.layer != "L2" or not piece.attached:
        return None
    return SegmentReport(segment=piece.segment, item_id=None, form="reference")

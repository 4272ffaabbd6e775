"""Pieces as they stand in the pack."""

from gateway.blocks import is_fenced, provenance_of
from gateway.content import content_digest
from gateway.model import PackItem, Piece
from gateway.model.envelope import SegmentReport


def pack_item(piece: Piece) -> PackItem:
    """The piece with its provenance tag, as the caller gets it."""
    ruling = piece.ruling
    return PackItem(
        id=ruling.item.id,
        content=piece.content,
        tokens=piece.tokens,
        score=piece.score,
        decision_id=ruling.decision_id,
        provenance=provenance_of(piece, content_digest(piece.content)),
        segment=piece.segment,
        layer=piece.layer,
        form=piece.form,
        fenced=is_fenced(piece),
        attributions=piece.attributions,
        artifact=piece.artifact,
    )


def reference(piece: Piece) -> SegmentReport | None:
    """What stands in this turn for something attached that the library holds already."""
    if piece.layer != "L2" or not piece.attached:
        return None
    return SegmentReport(segment=piece.segment, item_id=None, form="reference")

"""Stage: a heavy artifact stays outside the pack; an extract with a handle to the whole stands in its place."""

from collections.abc import Sequence

from gateway.concurrency.apart import apart
from gateway.content.extract import extract
from gateway.model import Budgets, Candidate, Case, Piece, Selection
from gateway.model.content import content_bytes, content_text
from gateway.model.request import KeptRequest
from gateway.policy.item import is_record
from gateway.prompt.fence import shown
from gateway.prompt.shorten import outside_head
from gateway.sessions.artifacts import ArtifactHandles


async def isolate(selection: Selection, case: Case, budgets: Budgets, *, artifacts: ArtifactHandles) -> Selection:
    """
    The selection with an extract and a handle in the place of every heavy item of a section that policy names.

    Raises:
        StoreError: an artifact is not kept, so nothing may be released.
    """
    sections = selection.told.may_stay_outside
    # With what is brought as the entity's record: which other entities' items may be used stands there.
    records = [piece.ruling.item for piece in selection.kept if is_record(piece.ruling.item, case.request.entity)]
    kept = [
        await _light(piece, case, budgets, records, artifacts) if piece.ruling.item.section in sections else piece
        for piece in selection.kept
    ]
    return selection.model_copy(update={"kept": tuple(kept)})


async def _light(
    piece: Piece, case: Case, budgets: Budgets, records: Sequence[Candidate], artifacts: ArtifactHandles
) -> Piece:
    item = piece.ruling.item
    protected = piece.ruling.source_type in budgets.never_cut_sources
    size = len(await apart(lambda: content_bytes(shown(piece))))
    if size <= artifacts.heavier_than or protected or piece.joined:
        return piece
    items = (item, *(record for record in records if record.id != item.id))
    alone = KeptRequest.model_construct(**{**dict(case.request), "items": items, "turn": None, "render": None})
    handle = await artifacts.keep(alone, case, case.derive_id("artifact", item.id))
    text = await apart(lambda: extract(content_text(piece.content), budgets.library.verbatim_characters))
    outside = piece.model_copy(update={"form": "extract", "artifact": handle})
    return outside.model_copy(update={"content": f"{outside_head(outside, piece.content)}\n{text}"})

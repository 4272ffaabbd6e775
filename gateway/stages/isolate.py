"""Stage: a heavy artifact stays outside the pack; an extract with a handle to the whole stands in its place."""

from gateway.content.extract import extract
from gateway.model import Budgets, Case, Piece, Selection
from gateway.model.content import content_bytes, content_text
from gateway.prompt.fence import shown
from gateway.sessions.artifacts import ArtifactHandles


async def isolate(selection: Selection, case: Case, budgets: Budgets, *, artifacts: ArtifactHandles) -> Selection:
    """
    The selection with an extract and a handle in the place of every heavy item of a section that policy names.

    Raises:
        StoreError: an artifact is not kept, so nothing may be released.
    """
    sections = selection.told.may_stay_outside
    kept = [
        await _light(piece, case, budgets, artifacts) if piece.ruling.item.section in sections else piece
        for piece in selection.kept
    ]
    return selection.model_copy(update={"kept": tuple(kept)})


async def _light(piece: Piece, case: Case, budgets: Budgets, artifacts: ArtifactHandles) -> Piece:
    item = piece.ruling.item
    protected = item.provenance.source_type in budgets.never_cut_sources
    size = len(content_bytes(shown(piece)))
    if size <= artifacts.heavier_than or protected or piece.joined:
        return piece
    alone = case.request.model_copy(update={"items": (item,), "turn": None, "render": None})
    handle = await artifacts.keep(alone, case, case.derive_id("artifact", item.id))
    whole = f"[extract of {size} bytes; the whole: artifact {handle}]"
    text = extract(content_text(piece.content), budgets.library.verbatim_characters)
    return piece.model_copy(update={"content": f"{whole}\n{text}", "form": "extract", "artifact": handle})

"""What an item is called in every turn of its session."""

from gateway.model import Candidate


def segment_id(item: Candidate) -> str:
    """What an item is called in every turn: its source and section, or where it has none a hash of its content."""
    source = item.provenance
    if source.source_id is None:
        return f"sha256:{item.digest[:32]}"
    return f"{source.source_id}#{source.doc_section}" if source.doc_section else source.source_id

"""One record whose bytes are known for ever, and records that say whatever a record may say."""

from typing import Final

from hypothesis import strategies as st

from ledger.record import GatewayPart, ItemPart, Lane, SourcePart
from tests.support.strategies import ORIGIN, ruling

LANE: Final = Lane(id="00000000-0000-4000-8000-000000000001", epoch=1, seq=0, prev="0" * 64)
GATEWAY: Final = GatewayPart(replica="00000000-0000-4000-8000-000000000001", build="0.1.0")

_DRAFT: Final = ruling(
    "01956000-0000-7000-8000-000000000001",
    decision_id="01956000-0000-7000-8000-000000000002",
    item={"id": "doc-1", "commitment": "ab" * 32, "bytes": 12, "media_type": "text/plain"},
)
SECOND: Final = _DRAFT.model_copy(update={"person": "cd" * 32}).placed(origin=ORIGIN, lane=LANE, gateway=GATEWAY)
"""Vector 2 of ledger/FORMAT.md."""

RECORD: Final = SECOND.model_copy(update={"schema_": "ctxgate.ledger/1", "person": None})
"""Vector 1 of ledger/FORMAT.md: as it was written before there was a second schema."""

names: Final = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=40)
drafts: Final = st.builds(
    ruling,
    st.uuids().map(str),
    trace_id=names,
    tenant=names,
    agent=st.none() | names,
    purpose=st.none() | names,
    item=st.builds(
        ItemPart, id=names, commitment=st.just("ab" * 32), bytes=st.integers(0, 2**53 - 1), media_type=names
    ),
    source=st.none() | st.builds(SourcePart, id=st.none() | names, tier=st.none() | st.integers(0, 2**53 - 1)),
    detectors=st.dictionaries(names, names, max_size=3),
    codes=st.lists(names, max_size=4).map(tuple),
)
"""Rulings with any text in any member: some of them are outside the format, and are refused when they are encoded."""


requests: Final = st.lists(
    st.lists(st.sampled_from(["released", "denied"]), min_size=1, max_size=5), min_size=1, max_size=4
)
"""The outcomes of some requests, each to be written by `write_request`."""

"""What officers see of a version."""

import json

from gateway.knowledge.taking_in import take_in
from gateway.knowledge.telling import told
from tests.support.knowledge import OFFICER, offered


async def test_no_text_and_no_salt(room):
    """Officers see labels, digest and record of a version, and neither its text nor the salt of its record."""
    await take_in(room, offered(), OFFICER)
    [kept] = room.store.versions("gfm")
    shown = told(kept)
    text = json.dumps(shown)
    assert (shown["document"], shown["chunks"], shown["record"]) == ("booking", 2, kept.proof.record)
    assert "noon" not in text
    assert kept.proof.salt not in text

"""Decisions on record, without any content."""

from tests.support.oracle import everything_stored


async def test_content_is_nowhere_in_the_ledger(gateway, ask, story):
    """
    Promise 6: no text of an item, no detected value and no name of a person reaches a record.
    """
    await gateway.pipeline.assemble(ask(story("npa-risk", "request")))
    stored = everything_stored(gateway)
    for secret in ("S8421753F", "9123 4567", "kelvin", "Meridian", "sarah.lim", "redemption", "Rachel"):
        assert secret.lower() not in stored.lower()

"""The bundled bank stories: what happens to every candidate, as agreed with those who own the rules."""

import json

from datetime import datetime

import pytest

from gateway.bootstrap.gateway import running
from gateway.bootstrap.keys import verifiers
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import HOME
from ledger.receipt import verify_receipt
from tests.support.oracle import check_ledger, records

STORIES = sorted(path.parent.name for path in (HOME / "examples").glob("*/expected.json"))


@pytest.mark.parametrize("name", STORIES)
async def test_story(name, settings, story):
    """
    Every candidate has the outcome and the codes that the story expects, and the receipt holds.
    """
    folder = HOME / "examples" / name
    sources = folder / "sources"
    chosen = settings.model_copy(update={"sources_dir": sources if sources.is_dir() else None})
    now = datetime.fromisoformat(story(name, "clock")["now"])
    async with running(chosen) as gateway:
        request, subject = (
            PackRequest.model_validate(story(name, "request")),
            Subject.model_validate(story(name, "subject")),
        )
        pack = await gateway.pipeline.assemble(Asked(request, subject, now))
        dropped = {drop.item_id: drop.reason for drop in pack.drop_report}
        actual = {
            ruling.item.id: {
                "outcome": "dropped" if ruling.item.id in dropped else ruling.outcome,
                "codes": [dropped[ruling.item.id]] if ruling.item.id in dropped else list(ruling.codes),
            }
            for ruling in records(gateway, kind="item.ruled")
        }
        assert json.loads((folder / "expected.json").read_text()) == actual
        check_ledger(gateway)
        verify_receipt(json.loads(pack.model_dump_json()), verifiers([gateway.vkey]))


def test_there_are_four():
    """
    One story for each of three domains, of which that on new products has at least thirty candidates, and the quickstart.
    """
    assert STORIES == ["desk-counterparty", "npa-risk", "orm-incident-hk", "quickstart"]
    assert len(json.loads((HOME / "examples/npa-risk/expected.json").read_text())) >= 30

"""What the commands print of a pack."""

import io

import pytest

from rich.console import Console

from gateway.cli import output
from gateway.model import ContextPack
from gateway.model.pack import Drop, PackWarning
from ledger.record import Record
from tests.support.oracle import records


@pytest.fixture
def printed(monkeypatch):
    """What goes to the console."""
    out = io.StringIO()
    monkeypatch.setattr(output, "console", Console(file=out, width=200, color_system=None))
    return out


@pytest.fixture
async def ruled(gateway, ask, small) -> tuple[ContextPack, list[Record]]:
    """A small pack and the records of its rulings."""
    pack = await gateway.pipeline.assemble(ask(small))
    return pack, records(gateway, kind="item.ruled")


async def test_every_candidate_has_a_line(ruled, printed):
    """
    Each candidate is shown with its outcome; one that was left out of the pack is shown as dropped, with the reason.
    """
    pack, rulings = ruled
    gone = pack.sections[-1].items[0].id
    dropped = pack.model_copy(update={"drop_report": (Drop(item_id=gone, reason="near_duplicate", token_savings=1),)})
    output.show_candidates(rulings, dropped)
    lines = {line.split("│")[1].strip(): line for line in printed.getvalue().splitlines() if line.startswith("│")}
    assert set(lines) == {record.item.id for record in rulings}
    assert "dropped" in lines[gone]
    assert "near_duplicate" in lines[gone]


async def test_the_budget_adds_up(ruled, printed):
    """
    Sections, headroom and total are shown, with each drop and each warning.
    """
    pack, _ = ruled
    warning = PackWarning(code="KB-EMPTY", message="No documents.", items=("a",))
    output.show_budget(pack.model_copy(update={"warnings": (warning,)}))
    text = printed.getvalue()
    assert "Nothing was dropped." in text
    assert "KB-EMPTY No documents. a" in text
    rows = [line.split("│") for line in text.splitlines() if line.startswith("│")]
    tokens = {row[1].strip(): int(row[3]) for row in rows}
    total = tokens.pop("total")
    assert total == pack.budget_report.allocated == sum(tokens.values()) + pack.budget_report.framing

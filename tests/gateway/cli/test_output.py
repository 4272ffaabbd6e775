"""What the commands print of a pack."""

import io
import re

import pytest

from rich.panel import Panel
from rich.table import Table

from gateway.cli import output
from gateway.model import ContextPack
from gateway.model.pack import Drop, PackWarning
from gateway.settings import HOME
from ledger.record import Record
from tests.support.oracle import records


@pytest.fixture
def printed(monkeypatch):
    """What goes to the console."""
    out = io.StringIO()
    monkeypatch.setattr(output, "console", output.PlainConsole(file=out, width=200, color_system=None))
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


HOSTILE = (
    "x[/nope]",
    "[bold]x[/]",
    "[link=https://evil.example]x",
    ":smile:",
    "\x1b[2J\x1b[31mMATCH",
    "\x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\",
    "a\rMATCH",
    "\x9b2Jx",
    "a\u202eb",
    "\u2028x",
    "ends in \\",
)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_what_others_wrote_is_printed_as_it_is_written(text):
    """
    As a line, in a table, in a panel, as a title and between our own colours: no markup, no escape, no link, and every
    unseen character by its name.
    """
    out = io.StringIO()
    # A terminal, so that colours and links would be written if there were any.
    console = output.PlainConsole(file=out, width=200, force_terminal=True, color_system="truecolor", highlight=False)
    table = Table("a", title=text)
    table.add_row(text)
    for shown in (text, table, Panel(text), output.styled("{} and {}", text, text)):
        console.print(shown)
    printed = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue())
    assert printed.count(output.visible(text)) == 6
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e]", printed)
    assert output.visible("\x1b") == r"\x1b"


def test_our_own_colours_stay():
    """
    Markup of the template is markup; that of a value is not.
    """
    shown = output.styled("[red]{}[/] {}", "[/nope]", "[bold]b[/]")
    assert shown.plain == "[/nope] [bold]b[/]"
    assert [str(span.style) for span in shown.spans] == ["red"]


def test_other_programs_get_the_bytes(capsys):
    """
    What is piped is not changed, so that records and packs keep their hashes.
    """
    output.raw("a\x9bb")
    assert capsys.readouterr().out == "a\x9bb\n"


def test_a_terminal_gets_names_of_unseen_characters(monkeypatch, capsys):
    """
    The same output on a terminal cannot move its cursor.
    """
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.raw("a\x9bb")
    assert capsys.readouterr().out == "a\\x9bb\n"


def test_no_command_prints_past_this_module():
    """
    Commands have no console of their own, no `print` and no `typer.echo` but for the version.
    """
    for path in (HOME / "gateway/cli").rglob("*.py"):
        if path.name == "output.py":
            continue
        text = path.read_text()
        assert "rich.console import Console" not in text, path
        assert not re.search(r"typer\.(echo|secho)\((?!f\"ctxgate|str\()", text), path
        assert not re.search(r"(?<![\w.])print\((?!line, file=target)", text), path
        assert not re.search(r"print\(f?\"[^\"]*\[/", text), path

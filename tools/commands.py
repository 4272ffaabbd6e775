"""The page that lists every command, written from the commands themselves."""

from collections.abc import Iterator

import typer

from typer.core import TyperGroup

from gateway.cli import application

_HEAD = """# Commands

`make install` puts `ctxgate` into `.venv/bin`; `pip install .` puts it into an environment of your own.
`ctxgate COMMAND --help` lists the options of each.
Exit status: 0 for success, 1 for an error with a code (see [errors](errors.md)), 2 for wrong usage, 3 for a ledger that does not verify, 4 for decisions that differ (`ledger replay`, `policy simulate --fail-on`).

| Command | What it does |
|---|---|
"""


def commands_page() -> str:
    """Every command with its sentence, in the order of the help."""
    root = typer.main.get_command(application())
    return _HEAD + "".join(f"| `{name}` | {text} |\n" for name, text in _commands(root, "ctxgate"))


def _commands(command: object, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(command, TyperGroup):
        for child, below in command.commands.items():
            yield from _commands(below, f"{name} {child}")
    else:
        yield name, " ".join(str(getattr(command, "help", "") or "").split())

"""The page that lists every command, written from the commands themselves."""

from collections.abc import Iterator

import typer

from typer.core import TyperGroup

from gateway.cli import application

_HEAD = """# Commands

`make install` puts `ctxgate` into `.venv/bin`; `pip install .` puts it into an environment of your own.
`ctxgate COMMAND --help` lists the options of each.
Exit status: 0 for success, 1 for an error with a code (see [errors](errors.md)), 2 for wrong usage, 3 for a ledger that does not verify, 4 for decisions that differ (`ledger replay`, `policy simulate --fail-on`) or figures that fell (`kb eval`), 5 for a ledger that holds together with nothing from outside to hold it against (`ledger verify`), 6 for decisions that cannot be made again on this machine (`ledger replay`), 7 for a bundle that may not decide (`policy check`, `test`, `lint`, `build`) or a golden set that is wrong (`kb eval`), 8 for a case or a test that fails (`policy test`) or a figure beyond its alarm (`kb eval`, `kb tune --adopt`), 9 for a change of a rule that no case would notice (`policy test`), 10 for a document that was found and must not be (`kb eval`, `kb tune --adopt`).
A time is a day (`2026-03-01`), a time (`2026-03-01T09:00:00Z`) or how long ago (`90d`, `12h`); a length is a number and `s`, `m`, `h`, `d` or `w`.
`ctxgate --install-completion` sets up completion for your shell.

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

"""`ctxgate config`: what the gateway would start with, and whether it could."""

import asyncio

from typing import Annotated

import typer

from pydantic import SecretStr
from rich.table import Table

from gateway.bootstrap.gateway import running
from gateway.cli.output import console, styled
from gateway.settings import Settings

config = typer.Typer(no_args_is_help=True, help="Settings, and whether the gateway could start with them.")


@config.command()
def show(changed: Annotated[bool, typer.Option(help="Only what differs from the default.")] = False) -> None:
    """Every setting as it is now; secrets are not shown."""
    settings = Settings()
    table = Table("setting", "value", "default", header_style="bold")
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        default = field.get_default(call_default_factory=True)
        if not changed or value != default:
            shown = "**********" if isinstance(value, SecretStr) else str(value)
            table.add_row(f"CTXGATE_{name.upper()}", shown, "" if value == default else str(default))
    console.print(table)


@config.command()
def check(
    start: Annotated[bool, typer.Option(help="Start everything once: policies, detectors, ledger, keys.")] = True,
) -> None:
    """Refuse what the gateway would not start with, with a code and a sentence."""
    settings = Settings()
    if start:
        asyncio.run(_start(settings))
    console.print(
        styled("[bold green]The gateway starts with these settings.[/]") if start else "The settings are well-formed."
    )


async def _start(settings: Settings) -> None:
    async with running(settings):
        pass

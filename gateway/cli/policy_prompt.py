"""`ctxgate policy prompt`: the line of the prompt library for a text."""

import json

from pathlib import Path
from typing import Annotated, Any

import typer

from gateway.content.parsing import parse_json
from gateway.model.content import content_digest
from gateway.settings import Settings


def prompt(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The text, or JSON in a file named .json.")],
    name: Annotated[str, typer.Option("--id", help="Id of the entry. Default: the name of the file.")] = "",
    version: Annotated[str, typer.Option(help="Of the text.")] = "1",
    section: Annotated[list[str] | None, typer.Option(help="Where it may stand. Default: system.")] = None,
    agent: Annotated[list[str] | None, typer.Option(help="For which agents. Default: all, *.")] = None,
    owner: Annotated[str, typer.Option(help="Who answers for it.")] = "AI Platform Engineering",
) -> None:
    """Print the entry of policies/registry/prompts/data.yaml for a text or a JSON document, with its hash."""
    entry = {
        "id": name or file.stem,
        "version": version,
        "sha256": digest_of(file),
        "sections": section or ["system"],
        "agents": agent or ["*"],
        "owner": owner,
    }
    # Any JSON is YAML, and its quotes keep a version such as 4.20 a text.
    typer.echo(
        "  - " + "\n    ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items())
    )


def digest_of(file: Path) -> str:
    """
    The hash of a file's content as an item has it: a text without the line end that editors put last, JSON by its value.

    Raises:
        RequestError: a file named .json holds none.
    """
    if file.suffix == ".json":
        document: Any = parse_json(file.read_bytes(), depth=Settings().max_depth)
        return content_digest(document)
    return content_digest(file.read_bytes().decode().removesuffix("\n"))

"""`ctxgate policy new`: rule, test and case written together; and `ctxgate policy prompt`: the line of the prompt library for a text."""

import json

from pathlib import Path
from typing import Annotated, Any

import typer

from gateway.bootstrap.policies import compile_bundle
from gateway.cli.exception import BundleFolder
from gateway.cli.output import console, raw
from gateway.content.parsing import parse_json
from gateway.errors import MalformedJsonError
from gateway.model import Candidate
from gateway.settings import Settings
from gateway.workbench.publishing.table_schemas import write_schema
from gateway.workbench.scaffold import NewRule, new_area, new_case, new_rule

new = typer.Typer(no_args_is_help=True, help="Write a new area, rule or case.")

AreaName = Annotated[str, typer.Argument(help="Folder under policies/context.")]


def _root(folder: Path | None) -> Path:
    return folder or Settings().policies_dir


@new.command()
def case(
    area: AreaName,
    name: Annotated[str, typer.Option(help="What the case is about, in plain words.")],
    change: Annotated[
        str, typer.Option(help='What differs from cases.base.yaml, such as {"item": {"domain": "ORM"}}.')
    ],
    code: Annotated[list[str] | None, typer.Option(help="Code it is refused with; none if it is allowed.")] = None,
    bundle: BundleFolder = None,
) -> None:
    """Add a case to an area."""
    try:
        changed = json.loads(change)
    except ValueError as error:
        raise MalformedJsonError("--change is not JSON", fields=[("--change", "is not JSON")]) from error
    new_case(_root(bundle), area, name, changed, code or [])
    console.print("The case is written. Run `ctxgate policy test`.")


@new.command()
def rule(
    area: AreaName,
    code: Annotated[str, typer.Option(help="Such as JUR-004.")],
    title: Annotated[str, typer.Option(help="A noun phrase.")],
    description: Annotated[str, typer.Option(help="One plain sentence.")],
    control: Annotated[str, typer.Option(help="The control's page.")],
    condition: Annotated[str, typer.Option(help="Name of what must hold, such as owner_known.")],
    holds_if: Annotated[str, typer.Option(help="When it holds, such as is_string(input.item.owner).")],
    bundle: BundleFolder = None,
) -> None:
    """Add a condition to an area, and the refusal that explains it."""
    new_rule(
        _root(bundle),
        area,
        NewRule(
            code=code, title=title, description=description, control=control, condition=condition, holds_if=holds_if
        ),
        compile_=compile_bundle,
    )
    console.print(
        "The rule is written. Add a case it refuses with `ctxgate policy new case`, then `ctxgate policy test`."
    )


@new.command()
def area(
    name: AreaName,
    title: Annotated[str, typer.Option(help="Name of the area, in words.")],
    owner: Annotated[str, typer.Option(help="Who owns it.")],
    prefix: Annotated[
        str, typer.Option(help="Letters of its codes, such as JUR. Default: the first four of its folder.")
    ] = "",
    bundle: BundleFolder = None,
) -> None:
    """Add an area with its four files, and ask for its permission."""
    new_area(_root(bundle), name, title, owner, prefix=prefix)
    console.print("The area is written. Change its condition, then run `ctxgate policy test`.")


@new.command()
def schema(
    area: AreaName,
    anew: Annotated[bool, typer.Option("--anew", help="Replace the schema that is there.")] = False,
    bundle: BundleFolder = None,
) -> None:
    """Write the schema of an area's tables from what they say today; make it narrower where you know more."""
    console.print(f"{write_schema(_root(bundle), area, anew=anew)} is written.", soft_wrap=True)


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
    raw("  - " + "\n    ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()))


def digest_of(file: Path) -> str:
    """
    The hash of a file's content as an item has it: a text without the line end that editors put last, JSON by its value.

    Raises:
        RequestError: a file named .json holds none.
    """
    if file.suffix == ".json":
        content: Any = parse_json(file.read_bytes(), depth=Settings().max_depth)
    else:
        content = file.read_bytes().decode().removesuffix("\n")
    return Candidate(id="prompt", section="system", content=content).digest

"""`ctxgate kb add | sync | list | show | rm | history | check`: documents under policy."""

import asyncio

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from rich.table import Table

from gateway.bootstrap.gateway import running
from gateway.bootstrap.knowledge import tree_of
from gateway.cli.ledger.progress import progress_bar
from gateway.cli.officer import OfficerToken, officer_of
from gateway.cli.output import console, show_json, styled
from gateway.errors import DocumentTooLargeError, DocumentUnknownError, FieldInvalidError
from gateway.knowledge.asking import OfferedDocument
from gateway.knowledge.beside import DescribedFiles, media_type_of, sidecar_of
from gateway.knowledge.checking import check as check_index
from gateway.knowledge.room import KnowledgeRoom
from gateway.knowledge.syncing import Synced
from gateway.knowledge.syncing import sync as sync_tree
from gateway.knowledge.taking_back import withdraw
from gateway.knowledge.taking_in import TakenIn, take_in
from gateway.knowledge.telling import told
from gateway.model import Subject
from gateway.settings import Settings

READ = "knowledge:read"
WRITE = "knowledge:write"

kb = typer.Typer(no_args_is_help=True, help=f"Documents under policy; tokens need {WRITE}, or {READ} to look.")

_T = TypeVar("_T")

Corpus = Annotated[str, typer.Option("--corpus", help="A corpus of `registry/corpora`.")]
CorpusName = Annotated[str, typer.Argument(help="A corpus of `registry/corpora`.")]
MaybeCorpus = Annotated[str | None, typer.Option("--corpus", help="Of this corpus alone.")]
DocumentName = Annotated[str, typer.Argument(help="As `ctxgate kb list` shows it.")]
JsonOption = Annotated[bool, typer.Option("--json", help="For another program.")]


def _in_room(act: Callable[[KnowledgeRoom], Awaitable[_T]]) -> _T:
    async def run() -> _T:
        async with running(Settings()) as gateway:
            return await act(gateway.knowledge.room)

    return asyncio.run(run())


@kb.command()
def add(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The document.")],
    corpus: Corpus,
    officer: OfficerToken,
    name: Annotated[str | None, typer.Option(help="What it is called in its corpus. Default: the file's name.")] = None,
    label: Annotated[
        list[str] | None,
        typer.Option(help="name=value, as often as needed: labels and metadata, before those beside the file."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Take a document in: what it says of itself stands in FILE.yaml, between `---` at its beginning, or in --label."""
    person = officer_of(officer, WRITE)
    offered = _offered(file, corpus, name, label or ())
    taken = _in_room(lambda room: take_in(room, offered, person))
    if json:
        show_json(asdict(taken))
    else:
        _show_taken(taken)
    if taken.outcome == "set_aside":
        raise typer.Exit(7)


def _offered(file: Path, corpus: str, name: str | None, given: list[str] | tuple[str, ...]) -> OfferedDocument:
    most = Settings().max_document_bytes
    if file.stat().st_size > most:
        raise DocumentTooLargeError(f"a document has at most {most} bytes")
    beside = sidecar_of(file.name, [one.name for one in file.parent.glob("*.yaml")])
    words = (file.parent / beside).read_bytes() if beside else None
    media_type = media_type_of(file.name)
    said, body = DescribedFiles({}, ()).said_of(file.name, media_type, file.read_bytes(), words)
    said |= dict(_label(one) for one in given)
    return OfferedDocument(corpus, name or str(said.pop("document", file.name)), body, media_type, said)


def _label(text: str) -> tuple[str, str | int]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise FieldInvalidError("--label is name=value", fields=[("--label", "has no `=`")])
    return name, int(value) if name == "ttl_seconds" and value.isascii() and value.isdigit() and len(
        value
    ) < 12 else value


def _show_taken(taken: TakenIn) -> None:
    colour = {"accepted": "green", "set_aside": "yellow", "unchanged": "blue"}[taken.outcome]
    words = (taken.outcome, taken.corpus, taken.document, taken.chunks, " ".join(taken.codes))
    console.print(styled(f"[{colour}]{{}}[/] {{}}/{{}}: {{}} chunks {{}}", *words), highlight=False)


@kb.command()
def sync(
    place: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="A folder, or a Git repository.")],
    corpus: Corpus,
    officer: OfficerToken,
    branch: Annotated[
        str | None, typer.Option(help="Take the files of the head of this branch, not those of the folder.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Make what was taken from a folder or a branch like it: what is new comes in, what is gone is taken back."""
    person = officer_of(officer, WRITE)

    async def act(room: KnowledgeRoom) -> Synced:
        tree = await asyncio.to_thread(tree_of, place, branch)
        with progress_bar("Taking in", None) as advance:
            return await sync_tree(room, tree, corpus, person, lambda _done, _all: advance())

    synced = _in_room(act)
    if json:
        show_json(asdict(synced))
    else:
        _show_synced(synced)
    if synced.not_taken or synced.set_aside:
        raise typer.Exit(7)


def _show_synced(synced: Synced) -> None:
    for outcome in ("accepted", "set_aside", "withdrawn", "passed_over"):
        for one in getattr(synced, outcome):
            console.print(styled("{} {}", outcome.replace("_", " "), one), highlight=False)
    for refused in synced.not_taken:
        words = (refused.place, refused.code, " ".join(refused.reasons))
        console.print(styled("[red]not taken[/] {} {} {}", *words), highlight=False)
    console.print(
        f"{len(synced.unchanged)} as they were, {len(synced.accepted)} new, {len(synced.withdrawn)} taken back"
    )


@kb.command("list")
def list_(officer: OfficerToken, corpus: MaybeCorpus = None, json: JsonOption = False) -> None:
    """Documents that may be found, and what was set aside."""
    _list(officer, corpus, None, json=json, history=False)


@kb.command()
def history(corpus: CorpusName, document: DocumentName, officer: OfficerToken, json: JsonOption = False) -> None:
    """All versions of a document, those that are taken back or replaced too."""
    _list(officer, corpus, document, json=json, history=True)


def _list(officer: Path, corpus: str | None, document: str | None, *, json: bool, history: bool) -> None:
    person = officer_of(officer, READ)
    shown = _in_room(lambda room: _versions(room, person, corpus, document, history=history))
    if json:
        show_json(shown)
        return
    table = Table("corpus", "document", "version", "status", "chunks", "as of", "codes", header_style="bold")
    for one in shown:
        labels = one["labels"]
        row = (one["corpus"], one["document"], labels.get("version", "—"), one["status"], str(one["chunks"]))
        table.add_row(*row, labels.get("fetched_at", "—")[:19], " ".join(one["codes"]))
    console.print(table if shown else "There are no such documents.")


async def _versions(
    room: KnowledgeRoom, person: Subject, corpus: str | None, document: str | None, *, history: bool
) -> list[dict[str, Any]]:
    kept = await asyncio.to_thread(room.store.versions, person.tenant, corpus, document, history=history)
    return [told(one) for one in kept]


@kb.command()
def show(corpus: CorpusName, document: DocumentName, officer: OfficerToken) -> None:
    """What is kept of a document beside its text, as JSON."""
    person = officer_of(officer, READ)
    shown = _in_room(lambda room: _versions(room, person, corpus, document, history=False))
    if not shown:
        raise DocumentUnknownError("there is no such document")
    show_json(shown)


@kb.command()
def rm(
    corpus: CorpusName,
    document: DocumentName,
    officer: OfficerToken,
    purge: Annotated[bool, typer.Option("--purge", help="Delete the text of all its versions too, for good.")] = False,
) -> None:
    """Take a document back: no request finds it from now on."""
    person = officer_of(officer, WRITE)
    count = _in_room(lambda room: withdraw(room, corpus, document, person, purge=purge))
    console.print(f"{count} {'version' if count == 1 else 'versions'} taken back{' and deleted' if purge else ''}")


@kb.command()
def check(
    mend: Annotated[bool, typer.Option("--mend", help="Make the index hold exactly what may be found.")] = False,
    json: JsonOption = False,
) -> None:
    """Compare the index with what may be found; status 1 where they differ."""
    found = _in_room(lambda room: check_index(room, mend=mend))
    if json:
        show_json(asdict(found))
    else:
        console.print(
            f"{found.findable} chunks may be found; the index lacks {found.missing} and holds {found.stray} others"
        )
    if not found.whole and not mend:
        raise typer.Exit(1)

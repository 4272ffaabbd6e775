"""`ctxgate kb tune`: an embedder trained on the bank's own documents, without labels, and judged before it is used."""

import asyncio

from pathlib import Path
from typing import Annotated

import typer

from gateway.bootstrap.policies import deciding_bundle
from gateway.cli.checking.exits import FAILS, LEAKS
from gateway.cli.kb import opened
from gateway.cli.kb.evaluating import read_all, require_documents, table_of
from gateway.cli.output import console, errors, show_json
from gateway.errors import FieldInvalidError
from gateway.knowledge.quality.evaluation import evaluate
from gateway.knowledge.quality.golden import ReadGolden
from gateway.knowledge.tuning.adoption import EmbedderComparison, adopt, as_document, compare, digest_of_weights
from gateway.knowledge.tuning.folder import TrainingFolder, write_folder
from gateway.model.knowledge.quality import QualityTable
from gateway.settings import Settings

_NEEDS = (
    "Training needs PyTorch and a GPU, which the gateway has not. This writes a folder for a machine that has both:\n"
    "  ctxgate kb tune --out FOLDER --golden GOLDEN.yaml --asker NAME\n"
    "Train there (README.md in the folder says how), bring the weights back, and let them be judged:\n"
    "  ctxgate kb tune --adopt tuned/model.onnx --golden GOLDEN.yaml\n"
    "The folder holds the text of documents, those that the asker may see: handle it as the most sensitive of them."
)


def tune(
    out: Annotated[Path | None, typer.Option(help="Write a training folder here.")] = None,
    weights: Annotated[
        Path | None, typer.Option("--adopt", help="Judge these weights beside today's, and adopt them if they hold.")
    ] = None,
    golden: Annotated[Path | None, typer.Option(help="The golden set: whose askers, and what is asked.")] = None,
    asker: Annotated[str | None, typer.Option(help="For whom: one of the golden set's askers.")] = None,
    each: Annotated[int, typer.Option(min=1, max=20, help="Questions made of a passage at most.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="For another program.")] = False,
) -> None:
    """
    Write what an embedder of one's own is trained on, or judge one; without options, say what it needs.

    Ends with 8 where the new embedder finds less or is beyond an alarm, 10 where anything is found that must not be.
    """
    if out is None and weights is None:
        console.print(_NEEDS, highlight=False, soft_wrap=True)
        return
    if golden is None or (out is not None and weights is not None):
        raise FieldInvalidError(
            "--golden is needed, with --out or --adopt", fields=[("--golden", "names a golden set")]
        )
    settings = Settings()
    bundle = deciding_bundle(settings)
    read = read_all(golden, bundle)
    if weights is not None:
        _judge(settings, golden, read, table_of(bundle), weights, as_json=as_json)
        return
    if asker is None or asker not in read.askers:
        raise FieldInvalidError(
            "--asker is needed with --out", fields=[("--asker", f"is one of {', '.join(read.askers)}")]
        )
    written = asyncio.run(_write(settings, read, asker, out or Path(), each))
    if as_json:
        show_json({"passages": written.passages, "pairs": written.pairs, "digests": dict(written.digests)})
    else:
        console.print(
            f"{written.passages} passages, {written.pairs} questions. README.md in the folder says how to go on."
        )


async def _write(settings: Settings, read: ReadGolden, asker: str, out: Path, each: int) -> TrainingFolder:
    async with opened.opened(settings) as findable:
        passages = await findable.passages(read.askers[asker])
        return await asyncio.to_thread(write_folder, out, passages, findable.base, each=each)


def _judge(
    settings: Settings, golden: Path, read: ReadGolden, table: QualityTable, weights: Path, *, as_json: bool
) -> None:
    digest = digest_of_weights(weights)
    found = asyncio.run(_compared(settings, golden, read, table, weights))
    leaks = bool(found.tuned.figures["leaked"] or found.tuned.figures["refused_by_gate"])
    kept = None if found.reasons else adopt(weights, digest, found)
    if as_json:
        show_json(as_document(found, kept))
    else:
        for name, value in found.tuned.figures.items():
            console.print(f"{name}: {found.today.figures.get(name, 0):.3f} today, {value:.3f} tuned", highlight=False)
        for reason in found.reasons:
            errors.print(f"Refused: {reason}.", highlight=False)
        if kept is not None:
            console.print(f"Adopted: {kept} says so.", highlight=False, soft_wrap=True)
    if found.reasons:
        raise typer.Exit(LEAKS if leaks else FAILS)


async def _compared(
    settings: Settings, golden: Path, read: ReadGolden, table: QualityTable, weights: Path
) -> EmbedderComparison:
    async with opened.opened(settings) as findable:
        require_documents(golden, read, findable.finder)
        today = await evaluate(read, findable.finder, table.depth)
        async with findable.with_embedder(weights) as finder:
            tuned = await evaluate(read, finder, table.depth)
    return compare(today, tuned, table)

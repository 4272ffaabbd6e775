"""`ctxgate ledger evidence`: what was released, as it was."""

import asyncio
import json

from pathlib import Path
from typing import Annotated

import typer

from gateway.audit.evidence_room import EvidenceRoom, ItemEvidence, PackEvidence
from gateway.bootstrap.process import system_clock
from gateway.cli.ledger.query import auditing, ledger
from gateway.cli.output import console, raw
from gateway.errors import FieldInvalidError


@ledger.command()
def evidence(
    name: Annotated[str, typer.Argument(help="A decision, pack or request id.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write the pack to a file, as it was handed over.")] = None,
) -> None:
    """Show what a decision released, or a whole pack with its prompt, where content is kept and not erased."""
    shown = asyncio.run(_shown(name))
    if out is None:
        raw(json.dumps(shown.as_document(), ensure_ascii=False, indent=2))
        return
    if not isinstance(shown, PackEvidence):
        raise FieldInvalidError("only a pack can be had as a file", fields=[("--out", "is for packs")])
    out.write_bytes(shown.file)
    console.print(f"Wrote {out}. Check it with `ctxgate ledger verify-receipt {out}`.", highlight=False)


async def _shown(name: str) -> ItemEvidence | PackEvidence:
    async with auditing() as audit:
        room = EvidenceRoom(audit.queries, audit.parts.evidence, audit.parts.signer)
        return await room.show(name, audit.actor, system_clock())

"""The same request gives the same bytes, whichever process answers and however often."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from gateway.settings import HOME

PROGRAM = """
import asyncio, json, sys
from datetime import datetime
from pathlib import Path
from gateway.bootstrap.gateway import running
from gateway.bootstrap.keys import signed_for_development
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import HOME, Settings

async def main(state, runs):
    now = datetime.fromisoformat("2026-03-01T09:15:00+00:00")
    story = HOME / "examples/npa-risk"
    body = {**json.loads((story / "request.json").read_text()), "turn": 1, "render": "anthropic"}
    settings = Settings(state_dir=Path(state), detector_workers=0)
    request = signed_for_development(PackRequest.model_validate(body), settings, now)
    asked = Asked(request, Subject.model_validate_json((story / "subject.json").read_text()), now)
    async with running(settings, clock=lambda: now) as gateway:
        for _ in range(runs):
            print((await gateway.pipeline.assemble(asked)).model_dump_json())

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


def answers(state, runs, seed):
    """What a process of its own answers."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(state), str(runs)],
        env={**os.environ, "PYTHONPATH": str(HOME), "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    # A line of the log stands there too.
    return [line for line in done.stdout.splitlines() if line.startswith("{")]


def bare(answer):
    """An answer without the receipt, which names the ledger's own record."""
    return {name: value for name, value in json.loads(answer).items() if name != "receipt"}


@pytest.mark.parametrize("counts", [(4, 3), pytest.param((34, 33, 33), marks=pytest.mark.soak)], ids=sum)
def test_many_runs_over_some_processes(tmp_path, counts):
    """
    Some runs over two processes, and at full length a hundred over three, on one ledger give identical bytes, receipt included;
    so does another process with the same keys and a ledger of its own, but for the receipt.
    """
    shared = tmp_path / "shared"
    runs = [answers(shared, count, seed) for seed, count in enumerate(counts)]
    digests = {hashlib.sha256(line.encode()).hexdigest() for some in runs for line in some}
    assert [len(some) for some in runs] == list(counts)
    assert len(digests) == 1
    own = tmp_path / "own"
    shutil.copytree(shared / "keys", own / "keys")
    [other] = answers(own, 1, 7)
    assert bare(other) == bare(runs[0][0])
    assert bare(other)["messages"]

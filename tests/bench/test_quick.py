"""The benchmarks run: their figures are for people, but that they still measure the code that is there is for us."""

import json
import subprocess
import sys

import pytest

from gateway.settings import HOME


@pytest.mark.parametrize("program", ["attestation", "bystanders", "conflicts", "pack", "policy", "retrieval", "tools"])
def test_a_benchmark_runs_and_tells_its_figures(program):
    """
    A quick run ends well, and its last line is one JSON object with the figures and the command that gives them again.
    """
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{program}", "--quick"], cwd=HOME, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["command"].startswith(f"python -m bench.{program}")
    assert told["figures"]

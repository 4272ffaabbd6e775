"""What is shipped: our packages and what they read, and nothing of anybody else's."""

import subprocess
import zipfile

from importlib.metadata import distributions

from adapters.knowledge.models.weights import PINNED
from gateway.settings import HOME
from tests.support.sources import PACKAGES


def test_the_wheel_holds_what_it_should(tmp_path):
    """
    The wheel has our three packages and the shipped policies, weights and examples, and no tests.
    """
    done = subprocess.run(
        [
            HOME / ".venv/bin/python",
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            tmp_path,
            HOME,
        ],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info" not in name}
    assert set(PACKAGES) == tops
    assert "gateway/shipped/policies/context/context.rego" in names
    assert "gateway/shipped/policies/.manifest" in names
    assert "gateway/workbench/templates/area.rego" in names
    assert "gateway/shipped/examples/bank/servers/npa.py" in names
    assert "gateway/shipped/sdk/ctxgate_source/ctxgate_source/scoping.py" in names
    assert not [name for name in names if name.endswith(".pyc")]
    assert "gateway/shipped/policies/registry/agents/data.yaml" in names
    assert {f"gateway/shipped/models/retrieval/{name}" for name in PINNED} < set(names)


def test_no_other_distribution_has_our_names():
    """
    The three import names belong to us alone in this environment.
    """
    for distribution in distributions():
        if distribution.metadata["Name"] != "ctxgate":
            tops = {file.parts[0] for file in distribution.files or ()}
            assert not tops & set(PACKAGES), distribution.metadata["Name"]

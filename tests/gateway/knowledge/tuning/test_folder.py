"""The folder that training needs."""

import ast
import hashlib
import json
import stat

import pytest

from gateway.errors import ConfigurationError
from gateway.knowledge.tuning.folder import RECIPE, write_folder
from tests.support.golden import sections

PASSAGES = [one.text for one in sections()]


@pytest.fixture
def base(tmp_path):
    """Files as an embedder has them."""
    names = ("embedder.onnx", "word_embeddings.bin", "tokenizer.json")
    for name in names:
        (tmp_path / name).write_bytes(name.encode())
    return {name: tmp_path / name for name in names}


def test_all_that_training_needs(tmp_path, base):
    """
    Questions, passages, weights, recipe and what to install, each with its digest, readable by their owner alone.
    """
    folder = tmp_path / "out"
    written = write_folder(folder, PASSAGES, base)
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    assert {*written.digests, "folder.json"} == {*files}
    for name, digest in written.digests.items():
        assert hashlib.sha256(files[name].read_bytes()).hexdigest() == digest
    assert {stat.S_IMODE(path.stat().st_mode) for path in files.values()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    pairs = [json.loads(line) for line in files["pairs.jsonl"].read_text().splitlines()]
    passages = [json.loads(line)["text"] for line in files["passages.jsonl"].read_text().splitlines()]
    assert (len(pairs), len(passages)) == (written.pairs, written.passages)
    assert all(0 <= one["passage"] < len(passages) for one in pairs)
    assert json.loads(files["folder.json"].read_text())["pairs"] == len(pairs)


def test_nothing_is_written_over(tmp_path, base):
    """
    A folder that holds anything is left alone; too few questions teach nothing.
    """
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    with pytest.raises(ConfigurationError):
        write_folder(tmp_path / "out", PASSAGES, base)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]
    with pytest.raises(ConfigurationError):
        write_folder(tmp_path / "few", PASSAGES[:3], base)
    assert not (tmp_path / "few").exists()


def test_the_recipe():
    """
    The recipe is Python, imports no more than it says must be installed, and fetches nothing.
    """
    tree = ast.parse((RECIPE / "train.txt").read_text())
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    lines = (RECIPE / "requirements.txt").read_text().splitlines()
    pinned = {line.partition("==")[0] for line in lines if "==" in line}
    standard = {"argparse", "hashlib", "json", "math", "pathlib", "random", "shutil"}
    assert imported - standard == pinned

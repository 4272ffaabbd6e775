"""`ctxgate kb tune`."""

import json
import shutil

from contextlib import asynccontextmanager

import pytest

from gateway.cli.kb import opened
from gateway.knowledge.tuning.adoption import require_adopted
from gateway.policy.bundle import load_bundle
from tests.support.golden import GOLDEN, SmallFindable, SmallFinder, generous_policies, with_titles


@pytest.fixture
def kb(run, tmp_path, monkeypatch):
    """The command over a small finder; `tuned` ranks what another embedder would."""
    policies = generous_policies(tmp_path / "policies")
    for name in ("model.onnx", "word_embeddings.bin", "tokenizer.json"):
        (tmp_path / name).write_bytes(name.encode())
    base = {
        "embedder.onnx": tmp_path / "model.onnx",
        **{name: tmp_path / name for name in ("word_embeddings.bin", "tokenizer.json")},
    }
    shutil.copy(GOLDEN, tmp_path / "golden.yaml")
    bundle = load_bundle(policies)

    @asynccontextmanager
    async def searched(_):
        yield SmallFindable(
            SmallFinder(bundle, first=with_titles, second=None),
            lambda _: SmallFinder(bundle, first=kb_.tuned, second=None, name="tuned"),
            base,
        )

    def kb_(*arguments):
        return run("kb", "tune", *arguments, CTXGATE_POLICIES_DIR=str(policies), CTXGATE_STATE_DIR=str(tmp_path / "s"))

    kb_.tuned = with_titles
    monkeypatch.setattr(opened, "opened", searched)
    return kb_


def test_what_it_needs(kb):
    """
    Without options it says that training takes a GPU and PyTorch, and changes nothing.
    """
    told = kb()
    assert told.returncode == 0
    assert "PyTorch" in told.stdout


def test_a_folder_to_train_with(kb, tmp_path):
    """
    It writes the folder for one asker, and none for somebody that the set does not name.
    """
    made = kb("--out", "train", "--golden", "golden.yaml", "--asker", "npa_sg", "--json")
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["pairs"] > 64
    assert (tmp_path / "train/train.py").is_file()
    assert kb("--out", "more", "--golden", "golden.yaml", "--asker", "nobody").returncode != 0
    assert kb("--out", "more", "--golden", "golden.yaml").returncode != 0
    assert kb("--out", "more").returncode != 0
    assert not (tmp_path / "more").exists()


def test_adopted(kb, tmp_path):
    """
    What finds as much as today's is adopted.
    """
    told = kb("--adopt", "model.onnx", "--golden", "golden.yaml", "--json")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["tuned"]["searchable"]["embedder"] == "tuned"
    assert require_adopted(tmp_path / "model.onnx").before == "small"


def test_refused(kb, tmp_path):
    """
    What finds less is refused with its reasons and status 8, and is not adopted.
    """
    kb.tuned = lambda _, chunks: [float(at + 1) for at in range(len(chunks))]
    told = kb("--adopt", "model.onnx", "--golden", "golden.yaml")
    assert told.returncode == 8
    assert "Refused: " in told.stderr
    assert not (tmp_path / "model.onnx.adopted.json").exists()

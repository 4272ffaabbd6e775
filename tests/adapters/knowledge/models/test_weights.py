"""Weights: those that are pinned and no others."""

import hashlib

import numpy as np
import pytest

from adapters.knowledge.models.embedder import OnnxEmbedder
from adapters.knowledge.models.weights import PINNED, SHIPPED, Transformer, WeightFiles
from gateway.errors import ModelUnusableError
from tests.support.weights import mounted


def test_what_ships_is_what_is_pinned():
    """
    Every file beside the README has the digest that the code pins, and the README says it.
    """
    files = {path.name: path for path in SHIPPED.iterdir() if path.name != "README.md"}
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()} == PINNED
    told = (SHIPPED / "README.md").read_text()
    assert all(digest in told for digest in PINNED.values())


def test_a_changed_file_is_refused(tmp_path):
    """
    One byte more in any file: no vector is made with it.
    """
    for name in "model.onnx", "tokenizer.json", "word_embeddings.bin":
        files = WeightFiles.mounted(mounted(tmp_path))
        with (tmp_path / name).open("ab") as file:
            file.write(b" ")
        with pytest.raises(ModelUnusableError, match="pinned") as refused:
            OnnxEmbedder(files).embed("loan")
        assert refused.value.code == "GW-712"


def test_a_missing_file_is_refused(tmp_path):
    """
    What is not there is named.
    """
    files = WeightFiles.mounted(mounted(tmp_path))
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ModelUnusableError, match=r"tokenizer\.json cannot be read"):
        OnnxEmbedder(files).embed("loan")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "no list"),
        ("abc", "no list"),
        ("00  model.onnx", "does not name tokenizer.json"),
        ("00  model.onnx\n00  tokenizer.json\n00  ../passwd", "elsewhere"),
    ],
)
def test_a_folder_without_a_good_list_is_refused(tmp_path, text, why):
    """
    Mounted weights need the digests of all their files, in their folder.
    """
    if text is not None:
        (tmp_path / "digests.txt").write_text(text)
    with pytest.raises(ModelUnusableError, match=why):
        WeightFiles.mounted(tmp_path)


def test_mounted_weights_have_a_name_of_their_own(tmp_path):
    """
    The same weights mounted give the same vectors under another name, which says the digests of all files.
    """
    own, shipped = OnnxEmbedder(WeightFiles.mounted(mounted(tmp_path))), OnnxEmbedder()
    assert np.array_equal(own.embed("loan"), shipped.embed("loan"))
    assert own.name.startswith("model@")
    assert shipped.name.startswith("bi@")
    assert own.name != shipped.name


def test_what_is_no_model_is_refused(tmp_path):
    """
    A file of the pinned digest that onnxruntime cannot read is no model.
    """
    mounted(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "digests.txt").write_text(
        "".join(
            f"{hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()}  {name}\n"
            for name in ("model.onnx", "tokenizer.json")
        )
    )
    with pytest.raises(ModelUnusableError, match="cannot be loaded"):
        Transformer(WeightFiles.mounted(tmp_path)).tokens("loan", 5)

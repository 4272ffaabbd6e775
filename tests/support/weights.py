"""Weights as a deployment mounts them, and the shipped table of searches."""

import hashlib

import yaml

from adapters.knowledge.models.weights import SHIPPED
from gateway.settings import HOME

RETRIEVAL = yaml.safe_load((HOME / "policies/registry/retrieval/data.yaml").read_text())


def mounted(folder, *, listed=("model.onnx", "tokenizer.json", "word_embeddings.bin")):
    """The shipped embedder as a deployment would mount it."""
    for name, source in ("model.onnx", "bi.w8.onnx"), ("tokenizer.json",) * 2, ("word_embeddings.bin",) * 2:
        (folder / name).write_bytes((SHIPPED / source).read_bytes())
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in listed]
    (folder / "digests.txt").write_text("".join(lines))
    return folder

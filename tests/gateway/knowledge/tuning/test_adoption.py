"""Whether an embedder of one's own may take the place of today's."""

import shutil

from dataclasses import replace

import numpy as np
import onnxruntime
import pytest

from tokenizers import Tokenizer

from gateway.errors import FieldInvalidError, ModelUnusableError
from gateway.knowledge.quality.evaluation import evaluate
from gateway.knowledge.tuning.adoption import adopt, compare, digest_of_weights, require_adopted
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.ports.finding import FoundSection
from gateway.settings import HOME
from tests.support.golden import SmallFinder, ToldFinder, golden, told_set

SHIPPED = HOME / "models/retrieval"
TABLE = registry_of(load_bundle(HOME / "policies")).quality
QUESTION = {"id": "a", "question": "a?", "must_find": [{"document": "x"}], "must_not_find": ["z"]}


async def measured(*found, bundle="bundle-1"):
    return await evaluate(
        told_set(QUESTION), ToldFinder({"a?": [FoundSection(one) for one in found]}, bundle=bundle), TABLE.depth
    )


@pytest.fixture
def weights(tmp_path):
    """Files as an embedder has them, with nothing in them."""
    for name in ("model.onnx", "word_embeddings.bin", "tokenizer.json"):
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path / "model.onnx"


@pytest.mark.parametrize(
    ("today", "tuned", "adopted"),
    [
        (("x",), ("x",), True),
        (("q", "x"), ("x", "q"), True),
        (("x", "q"), ("q", "x"), False),
        (("x",), ("x", "z"), False),
        (("q",), ("q",), False),
    ],
)
async def test_adopted_or_refused(weights, today, tuned, adopted):
    """
    What finds as much or more is adopted; what finds less, leaks, or is beyond an alarm is refused.
    """
    found = compare(await measured(*today), await measured(*tuned), TABLE)
    assert (not found.reasons) == adopted
    digest = digest_of_weights(weights)
    if adopted:
        adopt(weights, digest, found)
        assert require_adopted(weights).weights == digest
    else:
        with pytest.raises(ModelUnusableError):
            adopt(weights, digest, found)
        with pytest.raises(ModelUnusableError):
            require_adopted(weights)


@pytest.mark.parametrize("name", ["model.onnx", "word_embeddings.bin", "tokenizer.json"])
async def test_another_file_is_not_adopted(weights, name):
    """
    A file that was changed since, or while it was measured, is not the one that was adopted.
    """
    found = compare(await measured("x"), await measured("x"), TABLE)
    digest = digest_of_weights(weights)
    adopt(weights, digest, found)
    weights.with_name(name).write_bytes(b"other")
    with pytest.raises(ModelUnusableError):
        require_adopted(weights)
    with pytest.raises(ModelUnusableError):
        adopt(weights, digest, found)
    weights.with_name(name).unlink()
    with pytest.raises(ModelUnusableError):
        digest_of_weights(weights)


async def test_not_asked_the_same():
    """
    Where the bundle or the golden set changed between the two, nothing follows.
    """
    with pytest.raises(FieldInvalidError):
        compare(await measured("x"), await measured("x", bundle="bundle-2"), TABLE)
    with pytest.raises(FieldInvalidError):
        compare(await measured("x"), replace(await measured("x"), golden_digest="other"), TABLE)


class Embedder:
    """The shipped weights as they are, without the gateway's adapter."""

    def __init__(self, file):
        self._session = onnxruntime.InferenceSession(str(file))
        self._tokenizer = Tokenizer.from_file(str(file.with_name("tokenizer.json")))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._held = {}

    def embed(self, text):
        if text not in self._held:
            ids = np.array([self._tokenizer.encode(text).ids[:254]], np.int64)
            given = {"input_ids": ids, "token_type_ids": ids * 0, "attention_mask": ids * 0 + 1}
            self._held[text] = self._session.run(None, given)[0][0]
        return self._held[text]

    def __call__(self, question, chunks):
        asked = self.embed(question)
        return [1 + float(asked @ self.embed(" ".join((*one.path, one.text)))) for one in chunks]


@pytest.mark.skipif(not (SHIPPED / "bi.w8.onnx").is_file(), reason="the weights are not here")
async def test_real_weights(tmp_path):
    """
    The shipped embedder is adopted beside itself; one whose word table was damaged finds less and is refused.
    """
    for name in ("word_embeddings.bin", "tokenizer.json"):
        shutil.copy(SHIPPED / name, tmp_path / name)
    weights = tmp_path / "model.onnx"
    shutil.copy(SHIPPED / "bi.w8.onnx", weights)
    bundle = load_bundle(HOME / "policies")
    few = replace(golden(), questions=golden().questions[:20])

    async def of(name):
        return await evaluate(few, SmallFinder(bundle, first=Embedder(weights), second=None, name=name), TABLE.depth)

    today = await of("today")
    assert today.figures["recall"] > 0.8
    same = compare(today, await of("tuned"), TABLE)
    adopt(weights, digest_of_weights(weights), same)
    require_adopted(weights)
    table = tmp_path / "word_embeddings.bin"
    body = bytearray(table.read_bytes())
    body[: len(body) // 2] = bytes(len(body) // 2)
    table.chmod(0o600)
    table.write_bytes(body)
    damaged = compare(today, await of("damaged"), TABLE)
    assert damaged.reasons
    with pytest.raises(ModelUnusableError):
        require_adopted(weights)

"""
How documents are found among those that may be: the table `retrieval`.

Source: the two-stage retrieval design, whose six settings keep their names.  What its formula adds for a source's authority is
`registry/budgets` (`relevance_weight`, `authority_boost`), said there once for everything that is ranked.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gateway.model.base import Model

_Share = Annotated[float, Field(ge=0, le=1)]
_Weight = Annotated[float, Field(ge=0, le=10)]


class FusionWeights(Model):
    """What each kind of evidence counts."""

    lexical: _Weight
    """Words that are shared (BM25)."""

    cosine: _Weight
    """Nearness of meaning."""

    @model_validator(mode="after")
    def _something_counts(self) -> Self:
        if self.lexical + self.cosine == 0:
            raise ValueError("one of the two weights must be more than 0.")
        return self


class Fusion(Model):
    """How the two become one."""

    method: Literal["linear", "rrf"]
    """A weighted sum of how strong each is, or of reciprocal ranks (Cormack et al. 2009)."""

    k: Annotated[int, Field(strict=True, ge=1, le=1_000)]
    """Of reciprocal ranks: 1 / (k + rank)."""

    weights: FusionWeights


class Retrieval(Model):
    """The table `retrieval`."""

    stage1_top_k: Annotated[int, Field(strict=True, ge=1, le=500)]
    """Chunks that are found by words, and as many by meaning."""

    stage2_top_k: Annotated[int, Field(strict=True, ge=1, le=100)]
    """Chunks that become items."""

    min_relevance_score: _Share
    """What is less relevant becomes none."""

    max_chunk_tokens: Annotated[int, Field(strict=True, ge=16, le=8_192)]
    """No kind of chunk may be larger."""

    dedup_threshold: Annotated[float, Field(gt=0, le=1)]
    """Chunks that share so much of their runs of words say the same."""

    reranking_enabled: bool
    """Whether stage 2 drops repeats and what is too little relevant, and asks the cross-encoder; else the best of stage 1 are taken."""

    reranker: Annotated[str, Field(pattern=r"^(none|l3|ce6|mounted)$")]
    """Which cross-encoder reads the best with the question: three layers or six, the deployment's own, or none."""

    rerank_top_k: Annotated[int, Field(strict=True, ge=1, le=100)]
    """Chunks that it reads, the best; where it reads, no others become items."""

    fusion: Fusion

    @model_validator(mode="after")
    def _each_stage_narrows(self) -> Self:
        if self.stage2_top_k > min(self.rerank_top_k, self.stage1_top_k):
            raise ValueError("stage2_top_k may not be more than stage1_top_k or rerank_top_k.")
        return self

    @property
    def reads_again(self) -> str:
        """Name of the cross-encoder to use, `none` where none is."""
        return self.reranker if self.reranking_enabled else "none"

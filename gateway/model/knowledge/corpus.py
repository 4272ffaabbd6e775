"""A corpus of the registry: a collection of documents with one owner, and what its documents must say of themselves."""

from typing import Annotated, Literal

from pydantic import Field

from gateway.model.base import BankWord, Model, Name

Authority = Literal["HIGHEST", "HIGH", "MEDIUM"]
"""How much its documents weigh beside those of other corpora (blueprint 6.3)."""

CorpusStatus = Literal["active", "staged", "retired"]
"""Taken in and used; taken in, not used yet; neither.  Which of them means what is policy's to say."""


class CorpusEntry(Model):
    """A line of the table `registry/corpora`."""

    id: Name
    owner: Name
    """Who answers for what stands in it."""

    authority: Authority
    status: CorpusStatus
    source_type: BankWord
    """What its documents count as."""

    domains: Annotated[tuple[Name, ...], Field(min_length=1)]
    """Lines of business that its documents may belong to."""

    jurisdictions: Annotated[tuple[BankWord, ...], Field(min_length=1)]
    """Whose law its documents may be under."""

    data_classifications: Annotated[tuple[BankWord, ...], Field(min_length=1)]
    """How sensitive its documents may be."""

    mandatory: Annotated[tuple[Name, ...], Field(min_length=1)]
    """What each document must say: fields of `provenance`, labels beside it, or members of the metadata (blueprint 6.3)."""

    document_types: tuple[BankWord, ...] = ()
    """Which `document_type` its documents may say; none for any."""

    ttl_seconds: Annotated[int, Field(strict=True, ge=60, le=2**31)]
    """How long after somebody last looked a document counts as current, where it does not say so itself, in seconds."""

    retention_days: Annotated[int, Field(strict=True, ge=0, le=36_500)]
    """How long the text of a version that is not used any more is kept before `ctxgate kb check --purge` deletes it, in days."""

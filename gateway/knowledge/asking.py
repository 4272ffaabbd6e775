"""What policy is told of a document, and asked about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gateway.knowledge.screening import Seen
from gateway.model import Subject, utc_text
from gateway.model.knowledge.asked import CorpusFacts, DocumentFacts, DocumentInput
from gateway.model.knowledge.corpus import CorpusEntry
from gateway.model.knowledge.document import Chunk
from gateway.model.policy_answer import DocumentAnswer
from gateway.model.request import Provenance
from gateway.model.words.labels import Metadata, declared
from gateway.policy.ask import ask
from gateway.policy.entrypoints import DOCUMENT
from gateway.policy.registries import PinnedBundle
from gateway.ports.documents import KeptVersion, Origin


@dataclass(frozen=True, slots=True)
class OfferedDocument:
    """A file that is to become a version of a document."""

    corpus: str
    document: str
    body: bytes
    media_type: str
    said: Mapping[str, object]
    """Labels and metadata by name."""

    origin: Origin | None = None
    """None for what is added by hand."""

    place: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A document on its way."""

    offered: OfferedDocument
    corpus: CorpusEntry
    labels: Provenance
    metadata: Metadata | None
    digest: str
    title: str | None
    chunks: Sequence[Chunk]
    seen: Seen


async def ask_policy(  # noqa: PLR0917 - what policy is told
    pinned: PinnedBundle,
    judged: Judged,
    officer: Subject,
    current: KeptVersion | None,
    now: datetime,
    stage: Literal["labels", "content"],
) -> DocumentAnswer:
    """
    What policy says of a document.

    Raises:
        PolicyUnavailableError, PolicyMalformedError: there is no answer.
    """
    asked: DocumentInput = {
        "now": utc_text(now),
        "stage": stage,
        "officer": {"role": officer.role, "department": officer.department},
        "corpus": _corpus_facts(judged.corpus),
        "document": _document_facts(judged, current, pinned),
        "findings": judged.seen.facts(),
        "screened": list(judged.seen.screened),
    }
    return (await ask(pinned.policy, DOCUMENT, [asked]))[0]


def _corpus_facts(corpus: CorpusEntry) -> CorpusFacts:
    return {
        "id": corpus.id,
        "status": corpus.status,
        "source_type": corpus.source_type,
        "domains": list(corpus.domains),
        "jurisdictions": list(corpus.jurisdictions),
        "data_classifications": list(corpus.data_classifications),
        "mandatory": list(corpus.mandatory),
        "document_types": list(corpus.document_types),
    }


def _document_facts(judged: Judged, current: KeptVersion | None, pinned: PinnedBundle) -> DocumentFacts:
    labels = judged.labels
    free = dict(labels.labels or {})
    replaced = None if current is None else current.version.labels
    return {
        "source_id": labels.source_id,
        "source_type": labels.source_type,
        "version": labels.version,
        "effective_date": labels.effective_date,
        "expiry_date": labels.expiry_date,
        "owner": labels.owner,
        "ttl_seconds": labels.ttl_seconds,
        "data_classification": labels.data_classification,
        "jurisdiction": labels.jurisdiction,
        "domain": labels.domain,
        "entity_id": labels.entity_id,
        "corpus": labels.corpus,
        "labels": free,
        "labels_declared": declared(free, labels.source_type, pinned.registry.vocabulary.labels),
        "metadata": sorted(judged.metadata or ()),
        "media_type": judged.offered.media_type,
        "replaces": None
        if replaced is None
        else {"version": replaced.version, "effective_date": replaced.effective_date},
    }

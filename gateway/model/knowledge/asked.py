"""What policy is told of a document that is to be taken in, as types (`gateway.model.policy_input`)."""

from typing import Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from gateway.model.policy_input import ExceptionOfficerFacts, FindingFacts

_SCHEMA = ConfigDict(extra="forbid", use_attribute_docstrings=True)


@with_config(_SCHEMA)
class CorpusFacts(TypedDict):
    """The corpus that a document is to be taken into, as registered."""

    id: str
    status: str
    source_type: str
    domains: list[str]
    jurisdictions: list[str]
    data_classifications: list[str]
    mandatory: list[str]
    """What each document must say, by name."""

    document_types: list[str]
    """Which its documents may say; none for any."""


@with_config(_SCHEMA)
class ReplacedFacts(TypedDict):
    """The version of a document that is in use."""

    version: str | None
    effective_date: str | None


@with_config(_SCHEMA)
class DocumentFacts(TypedDict):
    """What a document says of itself; never its text, its name or what its metadata says."""

    source_id: str | None
    source_type: str | None
    version: str | None
    effective_date: str | None
    expiry_date: str | None
    owner: str | None
    ttl_seconds: int | None
    data_classification: str | None
    jurisdiction: str | None
    domain: str | None
    entity_id: str | None
    corpus: str | None
    labels: dict[str, str | float | bool]
    labels_declared: bool
    """As in `ItemFacts`."""

    metadata: list[str]
    """Names of what its metadata says, sorted."""

    media_type: str
    replaces: ReplacedFacts | None
    """The version that it would replace; null for none."""


@with_config(_SCHEMA)
class DocumentInput(TypedDict):
    """Input of `context/document`."""

    now: str
    stage: Literal["labels", "content"]
    """Asked before the text is looked at, so that what is refused anyway costs nothing, and once it was."""

    officer: ExceptionOfficerFacts
    """Who takes it in."""

    corpus: CorpusFacts
    document: DocumentFacts
    findings: list[FindingFacts]
    """In its labels and its text."""

    screened: list[str]

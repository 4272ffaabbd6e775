"""What is said of a document, sorted into what the gateway has a place for."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from gateway.errors import FieldInvalidError
from gateway.model import Registry
from gateway.model.base import Name
from gateway.model.knowledge.corpus import CorpusEntry
from gateway.model.request import Provenance
from gateway.model.words.labels import FreeLabels, Metadata

_NOT_SAID: Final = frozenset({"fetched_at", "labels", "doc_section"})
"""Fields of the provenance that nobody says of a document."""

_GROUPS: Final = ("labels", "metadata")
"""Below these, names may stand together; they mean the same as beside the others."""

_FREE: Final[TypeAdapter[Any]] = TypeAdapter(FreeLabels)
_NAME: Final[TypeAdapter[Any]] = TypeAdapter(Name)
_METADATA: Final[TypeAdapter[Any]] = TypeAdapter(Metadata)


def described(
    said: Mapping[str, object], document: str, corpus: CorpusEntry, registry: Registry
) -> tuple[Provenance, Metadata | None]:
    """
    The labels and the metadata of a document.

    What has the name of a field of the provenance is a label, so is what the vocabulary declares; everything else is metadata.
    What the corpus says of all its documents need not be said of each.

    Args:
        said: by name.
        document: its name, which is its `source_id` where no other one is said.
        corpus: that it is for.
        registry: with the declared labels.

    Raises:
        FieldInvalidError: what is said has not the form that it must have.
    """
    _shaped(lambda: _NAME.validate_python(document))
    defaults = {
        "source_id": document,
        "corpus": corpus.id,
        "source_type": corpus.source_type,
        "ttl_seconds": corpus.ttl_seconds,
        "owner": corpus.owner,
    }
    fields = Provenance.model_fields.keys() - _NOT_SAID
    # What is told by name alone goes where a name of its kind belongs; what stands in a group, where the group says.
    grouped = {name: _group(said.get(name)) for name in _GROUPS}
    single = {name: value for name, value in said.items() if name not in _GROUPS}
    labels = {name: value for name, value in single.items() if name in fields}
    known = {name: value for name, value in single.items() if name in registry.vocabulary.labels}
    free = {**known, **grouped["labels"]}
    rest = {name: value for name, value in single.items() if name not in fields and name not in known}
    rest = {**rest, **grouped["metadata"]}
    return (
        _shaped(
            lambda: Provenance.model_validate({**defaults, **labels, "labels": _FREE.validate_python(free) or None})
        ),
        _shaped(lambda: _METADATA.validate_python(rest)) or None,
    )


def _group(said: object) -> Mapping[str, object]:
    """
    What stands below `labels` or `metadata`.

    Raises:
        FieldInvalidError: it is no list of names and values.
    """
    if said is None:
        return {}
    if not isinstance(said, Mapping):
        raise FieldInvalidError("labels and metadata are names with a value each", fields=[("labels", "is no mapping")])
    return said


def _shaped(read: Any) -> Any:  # noqa: ANN401 - whichever of the two
    try:
        return read()
    except ValidationError as error:
        told = error.errors(include_input=False, include_url=False)
        fields = [(".".join(map(str, one["loc"])) or "metadata", one["msg"]) for one in told]
        raise FieldInvalidError(
            "what is said of the document has not the form that it must have", fields=fields
        ) from error

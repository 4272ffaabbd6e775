"""
Whether a request uses words that the bundle knows, before anything is made of them.

Rule held here: a message says what there is, never what was sent.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from gateway.errors import FieldInvalidError, LabelUndeclaredError
from gateway.model import Candidate, PackRequest
from gateway.model.words.vocabulary import Vocabulary
from gateway.policy.vetting.hints import hint

_MOST: Final = 20
"""Fields at fault that one answer names."""

_Used = tuple[str, str, str | None]
"""A field, the kind of word that it holds, and the word."""


def require_known(request: PackRequest, words: Vocabulary) -> None:
    """
    Refuse a request with a jurisdiction, or an item with a section or a label, that the bundle does not know.

    Raises:
        FieldInvalidError: names the fields, what was meant or what there is.

        LabelUndeclaredError: a label is not declared, or says what it may not.
    """
    # Words first: what a label may be depends on the source type, and of one that is not known nothing can be said.
    jurisdictions = [(f"jurisdictions.{at}", "jurisdiction", word) for at, word in enumerate(request.jurisdictions)]
    items = (used for index, item in enumerate(request.items) for used in _of(item, f"items.{index}."))
    _require([*jurisdictions, *items], words)
    _require_declared([(item, f"items.{index}.") for index, item in enumerate(request.items)], words)


def require_item_known(item: Candidate, words: Vocabulary) -> None:
    """
    The same of one item, outside a request.

    Raises:
        FieldInvalidError: names the fields, what was meant or what there is.
    """
    _require(_of(item, ""), words)
    _require_declared([(item, "")], words)


def _of(item: Candidate, above: str) -> Iterator[_Used]:
    source = item.provenance
    yield f"{above}section", "section", item.section
    yield f"{above}provenance.source_type", "source type", source.source_type
    yield f"{above}provenance.data_classification", "classification", source.data_classification
    yield f"{above}provenance.jurisdiction", "jurisdiction", source.jurisdiction


def _require(used: Iterable[_Used], words: Vocabulary) -> None:
    known = words.known
    wrong = [one for one in used if one[2] is not None and one[2] not in known[one[1]]]
    if not wrong:
        return
    fields = [(field, f"is no {kind} of the bank. {hint(word, known[kind])}") for field, kind, word in wrong[:_MOST]]
    field, message = fields[0]
    raise FieldInvalidError(f"{field}: {message}", fields=fields)


def _require_declared(items: Sequence[tuple[Candidate, str]], words: Vocabulary) -> None:
    wrong = islice((one for item, above in items for one in _undeclared(item, above, words)), _MOST)
    if fields := list(wrong):
        field, message = fields[0]
        raise LabelUndeclaredError(f"{field}: {message}", fields=fields)


def _undeclared(item: Candidate, above: str, words: Vocabulary) -> Iterator[tuple[str, str]]:
    source = item.provenance
    for name, value in (source.labels or {}).items():
        field, entry = f"{above}provenance.labels.{name}", words.labels.get(name)
        if entry is None:
            yield field, f"is no label that the bank declares. {hint(name, words.labels)}"
        elif not entry.takes(value):
            choice = f" {hint(value, entry.words)}" if entry.words else ""
            yield field, f"must be {entry.expected}.{choice}"
        elif entry.source_types and source.source_type not in entry.source_types:
            yield field, f"is for other source types. {hint(source.source_type or '', entry.source_types)}"

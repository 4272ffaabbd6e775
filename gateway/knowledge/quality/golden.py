"""
Reading golden sets, with each mistake at its place in its file.

Rule held here: a question that names what there is not would count as a miss for ever, or forbid what nothing could find: both are
mistakes, and told before anything is measured.
"""

import hashlib

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from gateway.model.knowledge.golden import Asker, GoldenQuestion, GoldenSet
from gateway.policy.bundle import Bundle
from gateway.policy.supply.tables import MOST_BYTES, TableError, read_yaml
from gateway.policy.vetting.check import MOST, Misplaced
from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.names import vocabulary
from gateway.policy.vetting.places import Places
from gateway.policy.vetting.slips import Slip
from gateway.policy.vetting.words import members
from ledger.canonical import jcs

_WORDS: Final[Mapping[str, str]] = {
    "role": "role",
    "department": "department",
}
"""Members of a subject that name something that the bundle lists, and of what kind."""

_LISTS: Final[Mapping[str, str]] = {"jurisdictions": "jurisdiction", "domains": "domain", "agents": "agent"}


@dataclass(frozen=True, slots=True)
class ReadGolden:
    """A golden set as it was read."""

    name: str
    """Of the file, without its ending."""

    digest: str
    """SHA-256 of its questions and askers, in hex; whatever a file says beside them does not change it."""

    questions: tuple[GoldenQuestion, ...]
    askers: Mapping[str, Asker]


def digest_of(value: object) -> str:
    """SHA-256 of the canonical JSON (RFC 8785) of a value, in hex."""
    return hashlib.sha256(jcs(value)).hexdigest()


def read_golden(file: Path, bundle: Bundle) -> ReadGolden | tuple[Misplaced, ...]:
    """
    The golden set of a file, or what is wrong with it.

    Args:
        file: YAML.
        bundle: whose words its askers may use.
    """
    try:
        body = file.read_bytes() if file.stat().st_size <= MOST_BYTES else None
    except OSError:
        return (Misplaced(str(file), 1, 1, "the file", "it cannot be read.", "Check its path and its rights."),)
    if body is None:
        return (Misplaced(str(file), 1, 1, "the file", "it is too large.", f"{MOST_BYTES} bytes is the most."),)
    try:
        document = read_yaml(body)
    except TableError as error:
        return (Misplaced(str(file), 1, 1, "the file", f"{error}.", "examples/knowledge/golden.yaml shows one."),)
    try:
        read = GoldenSet.model_validate(document)
    except ValidationError as error:
        return _placed(file, body, map(_of_model, _told(error.errors(include_url=False))))
    if found := _placed(file, body, _slips(read, document, bundle)):
        return found
    return ReadGolden(file.stem, digest_of(read.model_dump(mode="json")), read.questions, read.askers)


def unknown_documents(file: Path, documents: Mapping[str, Collection[str]]) -> tuple[Misplaced, ...]:
    """
    Documents that a golden set names and that its askers' tenants do not have.

    Args:
        file: of a set that `read_golden` read.
        documents: by tenant, the names of those that may be found by somebody.
    """
    body = file.read_bytes()
    read = GoldenSet.model_validate(read_yaml(body))
    return _placed(file, body, _unknown(read, documents))


def _unknown(read: GoldenSet, documents: Mapping[str, Collection[str]]) -> Iterator[Slip]:
    for index, one in enumerate(read.questions):
        known = documents.get(read.askers[one.asker].subject.tenant, ())
        path = ("questions", str(index))
        for at, target in enumerate(one.must_find):
            if target.document not in known:
                yield _no_document((*path, "must_find", str(at), "document"), target.document, known)
        for at, name in enumerate(one.must_not_find):
            if name not in known:
                yield _no_document((*path, "must_not_find", str(at)), name, known)


def _no_document(path: tuple[str, ...], name: str, known: Collection[str]) -> Slip:
    return Slip(path, f"there is no document {name[:60]}.", hint(name, known))


def _slips(read: GoldenSet, document: Any, bundle: Bundle) -> Iterator[Slip]:  # noqa: ANN401 - YAML
    known = vocabulary(bundle)
    for name, told in members(document["askers"]):
        yield from _asker_slips(("askers", name), told, known)
    seen: set[str] = set()
    for index, one in enumerate(read.questions):
        path = ("questions", str(index))
        if one.id in seen:
            yield Slip((*path, "id"), f"the id {one.id} stands twice.", "Give each question one of its own.")
        seen.add(one.id)
        if one.asker not in read.askers:
            yield Slip((*path, "asker"), f"{one.asker[:60]} is none of the askers.", hint(one.asker, read.askers))
        both = {target.document for target in one.must_find} & {*one.must_not_find}
        for name in sorted(both):
            text = f"{name[:60]} must be found and must not."
            yield Slip((*path, "must_not_find"), text, "Take it out of one of the two.")


def _asker_slips(path: tuple[str, ...], told: Any, known: Mapping[str, frozenset[str]]) -> Iterator[Slip]:  # noqa: ANN401 - YAML
    named = [((*path, "agent"), "agent", told["agent"]), ((*path, "purpose"), "purpose", told["purpose"])]
    named += [((*path, "jurisdictions", at), "jurisdiction", word) for at, word in members(told["jurisdictions"])]
    subject = told["subject"]
    named += [((*path, "subject", word), kind, subject[word]) for word, kind in _WORDS.items()]
    for word, kind in _LISTS.items():
        named += [((*path, "subject", word, at), kind, name) for at, name in members(subject.get(word))]
    for where, kind, name in named:
        if kind in known and name not in known[kind]:
            yield Slip(where, f"{str(name)[:60]} is no {kind} of the bundle.", hint(name, known[kind]))


def _told(found: Sequence[Any]) -> Iterator[Any]:
    """Errors of pydantic, but for lists that it calls too short only because an entry of theirs is wrong."""
    for error in found:
        above = error["loc"]
        inside = any(len(one["loc"]) > len(above) and one["loc"][: len(above)] == above for one in found)
        if not (error["type"] == "too_short" and inside):
            yield error


def _of_model(error: Any) -> Slip:  # noqa: ANN401 - an error of pydantic
    path = tuple(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return Slip(
            path, f"`{path[-1][:60]}` is no word of a golden set.", "docs/schemas/golden.json lists them.", key=True
        )
    if error["type"] == "missing":
        return Slip(path, f"`{path[-1][:60]}` is missing.", "Write it as the other entries do.")
    text = error["msg"].removeprefix("Value error, ")
    return Slip(path, f"{text[:1].lower()}{text[1:200]}.", "docs/knowledge.md says what an entry may be.")


def _placed(file: Path, body: bytes, slips: Iterator[Slip]) -> tuple[Misplaced, ...]:
    places: Places | None = None
    found: list[Misplaced] = []
    for slip in slips:
        places = places or Places(body)
        line, column = places.of(slip.path, key=slip.key)
        found.append(Misplaced(str(file), line, column, "/".join(slip.path) or "the file", slip.message, slip.hint))
        if len(found) == MOST:
            break
    return tuple(sorted(found, key=lambda one: (one.line, one.column)))

"""
Dify's external knowledge API: what it asks and expects, in the gateway's words.

Rules held here: a question of Dify's is a request for a pack like any other, by whoever's token it brings; nothing but items of a
pack is answered; a condition that is not understood refuses the question, since to ignore one would answer with more.
"""

import json

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictFloat, StrictInt, StrictStr

from gateway.content.parsing import shaped
from gateway.errors import (
    AgentUnknownError,
    FieldInvalidError,
    GatewayError,
    IdentityError,
    IdentityMissingError,
    ModelUnknownError,
    PurposeUnknownError,
    ScopeMissingError,
)
from gateway.model import ContextPack, PackRequest
from gateway.model.pack import PackItem

SECTION: Final = "knowledge"
TOKEN_BUDGET: Final = 32_000
"""Tokens of the model's window, where the knowledge id says nothing else."""

Operator = Literal[
    "contains",
    "not contains",
    "start with",
    "end with",
    "is",
    "is not",
    "empty",
    "not empty",
    "in",
    "not in",
    "=",
    "≠",
    ">",
    "<",
    "≥",
    "≤",
    "before",
    "after",
]
"""How Dify compares metadata."""


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


class RetrievalSetting(_Asked):
    """How much Dify wants."""

    top_k: Annotated[int, Field(strict=True, ge=1, le=100)]
    """Records, at most."""

    score_threshold: Annotated[float, Field(strict=True, ge=0, le=1)] = 0
    """Least score of a record."""


class MetadataCondition(_Asked):
    """One condition on metadata."""

    name: tuple[Annotated[str, Field(max_length=200)], ...] | Annotated[str, Field(max_length=200)]
    """Of the metadata; one of several is enough."""

    comparison_operator: Operator
    """As Dify calls it."""

    value: StrictStr | StrictInt | StrictFloat | Annotated[tuple[str, ...], Field(max_length=100)] | None = None
    """What it is compared with."""


class MetadataConditions(_Asked):
    """Conditions on metadata."""

    logical_operator: Literal["and", "or"] = "and"
    """Whether all must hold, or one."""

    conditions: Annotated[tuple[MetadataCondition, ...], Field(max_length=50)] = ()
    """Each of them."""


class DifyQuestion(_Asked):
    """What Dify asks an external knowledge base."""

    knowledge_id: Annotated[str, Field(min_length=1, max_length=1000)]
    """For whom: `agent=…&purpose=…&model=…`, and as wanted `jurisdictions=SG,HK`, `entity_type=…&entity_id=…`, `token_budget=…`."""

    query: Annotated[str, Field(max_length=20_000)]
    """The question."""

    retrieval_setting: RetrievalSetting
    """How much is wanted."""

    metadata_condition: MetadataConditions | None = None
    """What records must say of themselves."""


class DifyRecord(_Asked):
    """An item of the pack, as Dify shows it."""

    content: str
    """As it stands in the pack, after its obligations were carried out."""

    score: float
    """Relevance and authority, weighed; 0 to 1."""

    title: str
    """Name of the document."""

    metadata: dict[str, JsonValue]
    """Labels of the item, and the ids of the pack and of its ruling in the ledger."""


class DifyAnswer(_Asked):
    """What Dify is answered."""

    records: tuple[DifyRecord, ...]
    """Released items alone, best first."""


_WORDS: Final = {"agent": "agent_id", "purpose": "purpose", "model": "model", "token_budget": "token_budget"}
_KNOWN: Final = {*_WORDS, "jurisdictions", "entity_type", "entity_id"}


def request_of(question: DifyQuestion) -> PackRequest:
    """
    The request for a pack that a question stands for.

    Raises:
        FieldInvalidError: the knowledge id is not of the form.
    """
    try:
        pairs = parse_qsl(question.knowledge_id, strict_parsing=True, max_num_fields=len(_KNOWN))
    except ValueError:
        pairs = []
    said = dict(pairs)
    wrong = [("knowledge_id", "must be agent=…&purpose=…&model=… and what else docs/integrations.md lists, each once")]
    if len(said) < len(pairs) or not {"agent", "purpose", "model"} <= said.keys() <= _KNOWN:
        raise FieldInvalidError("the knowledge id names no knowledge of this gateway", fields=wrong)
    document: dict[str, Any] = {name: said[word] for word, name in _WORDS.items() if word in said}
    budget = said.get("token_budget", str(TOKEN_BUDGET))
    document["token_budget"] = int(budget) if budget.isascii() and budget.isdigit() and len(budget) <= 9 else 0
    if "jurisdictions" in said:
        document["jurisdictions"] = said["jurisdictions"].split(",")
    if "entity_id" in said or "entity_type" in said:
        document["entity"] = {"type": said.get("entity_type", ""), "id": said.get("entity_id", "")}
    document |= {"query": question.query, "allow_truncation": True}
    return shaped(PackRequest, document)


def answer_of(pack: ContextPack, question: DifyQuestion) -> DifyAnswer:
    """The records of a pack that a question wants."""
    items = [item for section in pack.sections if section.type == SECTION for item in section.items]
    records = [_record(item, pack.id) for item in sorted(items, key=lambda item: -item.score)]
    # What Dify asks can only narrow what was released.
    wanted = [
        record
        for record in records
        if record.score >= question.retrieval_setting.score_threshold and _meets(record, question.metadata_condition)
    ]
    return DifyAnswer(records=tuple(wanted[: question.retrieval_setting.top_k]))


def _record(item: PackItem, pack: str) -> DifyRecord:
    said = item.provenance.model_dump(mode="json", exclude_none=True)
    labels = {name: value for name, value in said.items() if not isinstance(value, dict | list)}
    metadata = {**(item.metadata or {}), **labels, "item_id": item.id, "decision_id": item.decision_id, "pack_id": pack}
    content = item.content if isinstance(item.content, str) else json.dumps(item.content, ensure_ascii=False)
    title = item.provenance.source_id or item.id
    return DifyRecord(content=content, score=item.score, title=title, metadata=metadata)


def _meets(record: DifyRecord, wanted: MetadataConditions | None) -> bool:
    if wanted is None or not wanted.conditions:
        return True
    met = (_holds(condition, record.metadata) for condition in wanted.conditions)
    return all(met) if wanted.logical_operator == "and" else any(met)


def _holds(condition: MetadataCondition, metadata: Mapping[str, JsonValue]) -> bool:
    names = (condition.name,) if isinstance(condition.name, str) else condition.name
    return any(_compared(condition.comparison_operator, metadata.get(name), condition.value) for name in names)


def _compared(operator: str, mine: JsonValue, theirs: str | float | tuple[str, ...] | None) -> bool:
    if operator in {"empty", "not empty"}:
        return (mine in {None, ""}) == (operator == "empty")
    if mine is None or theirs is None:
        # What a record does not say meets no condition, not even that it is something else.
        return False
    if operator in {"in", "not in"}:
        among = theirs if isinstance(theirs, tuple) else str(theirs).split(",")
        return (str(mine) in {one.strip() for one in among}) == (operator == "in")
    return not isinstance(theirs, tuple) and _alone(operator, mine, theirs)


def _alone(operator: str, mine: JsonValue, theirs: str | float) -> bool:
    text, other = str(mine), str(theirs)
    of_texts = {
        "is": text == other,
        "is not": text != other,
        "contains": other in text,
        "not contains": other not in text,
        "start with": text.startswith(other),
        "end with": text.endswith(other),
        # Days and times as RFC 3339 writes them are in the order of their texts.
        "before": text < other,
        "after": text > other,
    }
    if operator in of_texts:
        return of_texts[operator]
    try:
        one, two = float(text), float(other)
    except ValueError:
        return False
    return {"=": one == two, "≠": one != two, ">": one > two, "<": one < two, "≥": one >= two, "≤": one <= two}[
        operator
    ]


_CODES: Final[tuple[tuple[type[GatewayError], int], ...]] = (
    (IdentityMissingError, 1001),
    (IdentityError, 1002),
    (ScopeMissingError, 1002),
    (AgentUnknownError, 2001),
    (PurposeUnknownError, 2001),
    (ModelUnknownError, 2001),
)


def members_of(error: GatewayError) -> dict[str, Any]:
    """
    What Dify reads of an error: its own code where it has one, else the number of ours.

    1001 the Authorization header is not of its form, 1002 it is not accepted, 2001 there is no such knowledge.
    """
    codes = [code for kind, code in _CODES if isinstance(error, kind)]
    if any(name == "knowledge_id" for name, _ in error.fields):
        codes = [2001]
    return {"error_code": next(iter(codes), int(error.code.partition("-")[2])), "error_msg": error.detail}

"""
One question of another gateway: what it would send to a model, as candidates, and the answer that their rulings make.

Rules held here: whatever would reach the model is a candidate, or the question is refused; labels are the channel's and never the
message's; a text leaves as it is on record, with its redactions and its fence; what cannot be changed in place, such as the
arguments of a call, leaves only as it came.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from gateway.errors import FieldInvalidError
from gateway.model import Candidate, PackRequest, Provenance, Ruling, RulingsAnswer, utc_text
from gateway.model.sources.channels import AUTHORS, Author, Channel
from gateway.prompt.fence import fenced

_TEXT: Final = "text/plain"
_JSON: Final = "application/json"

_READ: Final = frozenset({"role", "content", "tool_calls", "tool_call_id", "name"})
"""Members of a message of which it is known what they say; any other one would reach the model unread."""

_LONGEST_NAME: Final = 128


@dataclass(frozen=True, slots=True)
class Part:
    """Something that would reach the model."""

    author: Author
    content: JsonValue
    """A text, or a JSON value that cannot be changed in place."""

    @property
    def changeable(self) -> bool:
        """Whether another text may stand in its place."""
        return isinstance(self.content, str)


@dataclass(frozen=True, slots=True)
class GuardrailVerdict:
    """What the other gateway is to do."""

    reason: str | None
    """Why nothing may be sent; None where it may."""

    texts: tuple[str, ...]
    """What is to be sent in place of the texts that came, in their order; those that came where nothing changes."""

    changed: bool


def author_of(role: object) -> Author:
    """Who wrote a message of that role."""
    return AUTHORS.get(role, "other") if isinstance(role, str) else "other"


def texts_of(message: Mapping[str, JsonValue], place: int) -> list[str]:
    """
    The texts of a chat message.

    Raises:
        FieldInvalidError: it has a part that nobody could screen, such as an image.
    """
    # What is read is listed, and not what is refused: an API that gets another member must not carry text past us.
    if unread := sorted(name for name, value in message.items() if name not in _READ and value is not None):
        raise _unread(place, f"{len(unread)} members that are not known")
    for name in ("name", "tool_call_id"):
        if not _is_plain(message.get(name)):
            raise _unread(place, f"{name} is no plain word")
    content = message.get("content")
    if content is None or isinstance(content, str):
        return [] if content is None else [content]
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    if len(texts) != len(parts):
        raise _unread(place, "a part that is no text")
    return [text if isinstance(text, str) else _refused(place) for text in texts]


def _refused(place: int) -> str:
    raise _unread(place, "a text that is none")


def _unread(place: int, problem: str) -> FieldInvalidError:
    return FieldInvalidError(
        "what would reach the model cannot be screened", fields=[(f"messages.{place}", f"has {problem}")]
    )


def _is_plain(value: JsonValue) -> bool:
    if value is None:
        return True
    plain = isinstance(value, str) and value.isascii() and len(value) <= _LONGEST_NAME
    return plain and all(character.isalnum() or character in "_-" for character in str(value))


def request_of(channel: Channel, parts: Sequence[Part], now: datetime) -> PackRequest:
    """
    The parts as candidates, labelled as the channel says.

    Raises:
        FieldInvalidError: the channel takes nothing of an author.
    """
    return PackRequest(
        agent_id=channel.agent,
        purpose=channel.purpose,
        jurisdictions=channel.jurisdictions,
        model=channel.model,
        token_budget=1,  # no pack is made, so that nothing has to fit
        items=tuple(_candidate(channel, number, part, now) for number, part in enumerate(parts)),
    )


def _candidate(channel: Channel, number: int, part: Part, now: datetime) -> Candidate:
    role = channel.roles.get(part.author)
    if role is None:
        raise FieldInvalidError("the channel takes no such text", fields=[(f"texts.{number}", part.author)])
    labels = Provenance(
        source_id=f"channel:{channel.id}",
        source_type=role.source_type,
        owner=channel.id,
        fetched_at=utc_text(now),
        ttl_seconds=channel.ttl_seconds,
        data_classification=channel.data_classification,
        jurisdiction=channel.jurisdiction,
        domain=channel.domain,
    )
    media_type = _TEXT if part.changeable else _JSON
    return Candidate(
        id=_name(number), section=role.section, content=part.content, media_type=media_type, provenance=labels
    )


def _name(number: int) -> str:
    return f"part-{number}"


def verdict_of(parts: Sequence[Part], answer: RulingsAnswer, rulings: Sequence[Ruling]) -> GuardrailVerdict:
    """What the rulings on the parts come to; items that sources added are not the other gateway's."""
    ruled = {ruling.item.id: ruling for ruling in rulings}
    stubs = {report.item_id: report.stub for report in answer.rulings}
    names = [_name(number) for number in range(len(parts))]
    left = [_left(part, ruled.get(name), stubs.get(name)) for part, name in zip(parts, names, strict=True)]
    came = tuple(part.content for part in parts if isinstance(part.content, str))
    # An answer with a hole in it is not what was asked, so one part that may not be sent refuses the whole.
    refused = [ruled.get(name) for name, one in zip(names, left, strict=True) if one is None]
    if refused:
        return GuardrailVerdict(_reason(refused, answer), came, changed=False)
    texts = tuple(one for part, one in zip(parts, left, strict=True) if part.changeable and one is not None)
    return GuardrailVerdict(None, texts, changed=texts != came)


def _left(part: Part, ruling: Ruling | None, stub: str | None) -> str | None:
    """What may stand in the place of a part; None where nothing may."""
    if ruling is None:
        return None
    if not part.changeable:
        return "" if ruling.usable and ruling.content == part.content else None
    if ruling.outcome == "quarantined":
        return stub
    handed = fenced(ruling.content, ruling.fence) if ruling.usable else None
    return handed if isinstance(handed, str) else None


def _reason(refused: Sequence[Ruling | None], answer: RulingsAnswer) -> str:
    codes = sorted({code for ruling in refused if ruling is not None for code in ruling.codes})
    said = ", ".join(codes) or "a part that may not stand as it is and cannot be changed in place"
    return f"ctxgate refuses: {said}; request {answer.request['request_id']}"

"""Small requests in which lines of the registry matter that matter in none of the bundled stories."""

import json

from typing import Any, Final

from gateway.settings import HOME
from tests.support.tokens import EVERY_AGENT

Document = dict[str, Any]
Story = tuple[Document, list[Document]]
"""Who asks, as the claims of a token, and for what, turn by turn."""


def read(story: str, file: str) -> Any:
    """A file of a bundled story."""
    return json.loads((HOME / "examples" / story / f"{file}.json").read_text())


def points(about: str) -> str:
    """A text of its own, too long to be left as it is by the library."""
    said = (
        f"Point {n} of {about}: {n * 7} days after {about} {n} the desk reports {about} once more." for n in range(45)
    )
    return " ".join(said)


EXAMPLES: Final = {
    name: f"{number + 2} trades of {name} size, so the rating is {name}. {points(name)[:700]}"
    for number, name in enumerate(("plain", "edge", "golden"))
}
"""Few-shot examples, by the label that the overflow order may prefer; `registry_stories` puts them in the prompt library."""

ACTING: Final = "[INST] and <|im_end|> and <video> and [this](https://another/page) stood in the letter."
"""What would act where it is rendered, one of each kind."""

_ANALYST: Final = {**read("npa-risk", "subject"), "agents": EVERY_AGENT}
_SHORT: Final = {"token_budget": 3000, "allow_truncation": True}
_WHOLE: Final = read("npa-risk", "request")
_TURN: Final = {"session_id": "s-small", "turn": 1}


def small() -> list[Story]:
    """All of them."""
    analyst = [*([request] for request in (*_short_of_room(), *_kinds(), *_texts())), _two_turns()]
    return [*((_ANALYST, turns) for turns in analyst), *_of_others()]


def _short_of_room() -> list[Document]:
    examples = [
        _item(name, "few_shot", text, "reference_data", source_id=f"golden:{name}", doc_section=name)
        for name, text in EXAMPLES.items()
    ]
    notes = [_item(f"note-{n}", "memory", points(f"note {n}")[:400], "reference_data") for n in range(3)]
    sheets = [_item(f"sheet-{n}", "tool_result", points(f"sheet {n}")[:900], "reference_data") for n in range(2)]
    return [
        {**_WHOLE, **_SHORT},
        {**_WHOLE, **_SHORT, "purpose": "general_research"},
        {**_WHOLE, **_SHORT, "agent_id": "NPA_ORCHESTRATOR", "purpose": "routing"},
        {**_WHOLE, "token_budget": 1200},
        _about(*examples, token_budget=8000),
        _about(*examples, purpose="general_research"),
        _about(*examples, agent_id="NPA_ORCHESTRATOR", purpose="routing"),
        _about(*notes, *sheets, token_budget=1300, allow_truncation=True),
    ]


def _kinds() -> list[Document]:
    return [
        {**_WHOLE, "model": "claude-sonnet"},
        _about(
            _result("IDEATION", proposal="abc"),
            _result("CLASSIFIER", classification="VARIATION", confidence=0.5),
            _result("AUTOFILL", filled=1, of=2),
        ),
    ]


def _texts() -> list[Document]:
    procedure = "Every trade is confirmed by the counterparty within one day. " * 3
    chunk = "The desk keeps each confirmation for seven years, whoever asks for it to be destroyed. "
    return [
        _about(
            _item("one", "knowledge", f"{procedure}It is filed.", score=0.8),
            _item("two", "knowledge", f"{procedure}Then it is filed.", score=0.7),
            _item("half-1", "knowledge", f"Chapter one says what is kept. {chunk}", source_id="rules", doc_section="1"),
            _item("half-2", "knowledge", f"{chunk}Chapter two says by whom.", source_id="rules", doc_section="2"),
        ),
        _about(_item("acting", "upload", ACTING, "email", jurisdiction="SG", entity_id="P-1")),
        # The one entity's record says who else is meant, and where it may be used.
        _about(items=[_record(related_entities=["P-2"]), _record("P-2")]),
    ]


def _two_turns() -> list[Document]:
    documents = [_item(name, "knowledge", points(name), score=0.8, doc_section=name) for name in ("swaps", "options")]
    letter = _item("letter", "upload", points("letter"), "email", jurisdiction="SG", entity_id="P-1")
    return [_about(*documents, letter, **_TURN), _about(**{**_TURN, "turn": 2, "token_budget": 5000})]


def _of_others() -> list[Story]:
    task = _item("task", "task", "Review the analysis.", "user_input", jurisdiction="HK", domain="ORM")
    result = _result("ORM_ANALYST", summary="Nothing is open.")
    result["provenance"] |= {"domain": "ORM", "jurisdiction": "HK", "entity_id": "INC-2026-0311"}
    incident = {"entity": {"type": "incident", "id": "INC-2026-0311"}, "jurisdictions": ["HK"]}
    counterparty = {"entity": {"type": "counterparty", "id": "CP-1"}, "items": []}
    return [
        ({**_ANALYST, "jurisdictions": ["SG", "HK"]}, [_about(jurisdictions=["SG", "HK"])]),
        (
            {**read("orm-incident-hk", "subject"), "agents": EVERY_AGENT},
            [_about(items=[task, result], agent_id="ORM_REVIEWER", purpose="output_review", **incident)],
        ),
        (
            {**read("desk-counterparty", "subject"), "agents": EVERY_AGENT},
            [_about(agent_id="DESK_ANALYST", purpose="counterparty_review", **counterparty)],
        ),
    ]


def _about(*items: Document, **more: Any) -> Document:
    """A request of the agent RISK about a project, with its record."""
    entity = {"type": "project", "id": "P-1"}
    known = {"agent_id": "RISK", "purpose": "risk_assessment", "query": "What is open?", "entity": entity}
    wanted = {"jurisdictions": ["SG"], "model": "gpt-4o", "token_budget": 16000, "items": [_record(), *items]}
    return {**known, **wanted, **more}


def _record(project: str = "P-1", **said: Any) -> Document:
    content = {"project_id": project, "status": "IN_REVIEW", "jurisdictions": ["SG"], **said}
    labels = {"source_id": "SoR:npa_projects", "entity_id": project, "ttl_seconds": 60, "doc_section": "record"}
    return _item(project, "entity", content, "system_of_record", None, **labels)


def _result(author: str, **said: Any) -> Document:
    """What an agent concluded."""
    labels = {"source_id": f"agent:{author}", "owner": author, "entity_id": "P-1"}
    return _item(author, "prior_result", {"agent": author, **said}, "agent_output", None, **labels)


def _item(
    name: str, section: str, content: Any, kind: str = "bank_sop", score: float | None = None, **labels: Any
) -> Document:
    """An item with the labels that everything needs."""
    common = dict.fromkeys(("entity_id", "doc_section")) | {"effective_date": "2025-01-01", "owner": "somebody"}
    fresh = {"version": "1", "fetched_at": "2026-03-01T09:15:00Z", "ttl_seconds": 86400}
    where = {"source_id": name, "source_type": kind, "jurisdiction": "GLOBAL", "domain": "NPA"}
    said = {**common, **fresh, **where, "data_classification": "INTERNAL", **labels}
    media = "text/plain" if isinstance(content, str) else "application/json"
    scored = {} if score is None else {"score": score}
    return {"id": name, "section": section, "content": content, "media_type": media, "provenance": said, **scored}


def two_alike(section: str) -> Story:
    """A request with two items of one text in a section, which say the same to whoever compares them."""
    text = two_said(section)
    kinds = {"upload": "email", "task": "user_input", "user": "user_input", "conversation": "user_input"}
    kind = kinds.get(section, "bank_sop" if section == "knowledge" else "reference_data")
    where: Document = {"jurisdiction": "SG", "entity_id": "P-1"} if section in {"upload", "entity"} else {}
    items = [_item(f"golden:{section}-{n}", section, text, kind, **where) for n in ("one", "two")]
    if section == "prior_result":
        items = [{**_result("IDEATION", proposal=text), "id": f"{section}-{n}"} for n in ("one", "two")]
    return _ANALYST, [_about(*items)]


def two_said(section: str) -> str:
    """The text of those two items."""
    return f"This stands in the section {section}, and it is said twice."

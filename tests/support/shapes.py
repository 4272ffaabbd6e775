"""Sets of released items in the shapes that cost most where each is held against each."""

from gateway.model.session import Session
from gateway.sourcing.calling import Gathered
from gateway.stages.rank import KnownOfSet, rank
from tests.support.packing import REGISTRY, case_of, ruling

FIELDS = ("credit_limit", "classification", "risk_level", "notional_usd", "counterparty")
LONG = "x" * 200
"""A label at its longest."""


def chunks(count):
    """Of one document, without a section."""
    return [_item(n, source_id="SOP", version="1", effective_date="2025-01-01") for n in range(count)]


def documents(count):
    """As many documents as items, each with a section, a version and a date of its own."""
    return [
        _item(n, source_id=f"S{n}", version=str(n), doc_section="4", effective_date=_day(n), entity_id="E")
        for n in range(count)
    ]


def versions(count):
    """One section of one document in as many versions."""
    return [
        _item(n, source_id=LONG, version=str(n), doc_section=LONG, effective_date=_day(n), jurisdiction="SG")
        for n in range(count)
    ]


def records(count):
    """JSON records of one entity with a hundred fields, no two with the same value."""
    return [
        _item(
            n,
            section="tool_result",
            content=dict.fromkeys(FIELDS, n) | {f"f{field}": f"{n} {field}" for field in range(95)},
            source_type="system_of_record",
            source_id="SoR",
            version="live",
            entity_id="NPA-1",
        )
        for n in range(count)
    ]


def mails(count):
    """Of one mailbox, all undated."""
    return [_item(n, source_type="email", source_id="inbox", version=str(n)) for n in range(count)]


def rivals(count):
    """What the record of an entity and many mails say of one section, half and half."""
    kinds = ("system_of_record", "email")
    return [
        _item(n, source_type=kinds[n % 2], source_id=f"s{n}", version="1", doc_section="4", entity_id="E")
        for n in range(count)
    ]


SHAPES = (chunks, documents, versions, records, mails, rivals)


def _day(number):
    return f"{2000 + number // 300}-{number // 25 % 12 + 1:02}-{number % 25 + 1:02}"


def _item(number, *, section="knowledge", content=None, source_type="bank_sop", **source):
    # Of few words in common: what is nearly the same is looked for, and none of this is.
    text = " ".join(f"w{(number * 31 + place * 7) % 9973}" for place in range(20))
    one = ruling(f"i{number}", section, text if content is None else content, **source)
    return one.model_copy(update={"taken_as": source_type, "attested_by": "the-source"})


def needed():
    """What the agent's contract asks for beside."""
    result = {"source_type": "system_of_record", "source_id": "calc", "entity_id": "NPA-1"}
    return [_item(-1, section="task", source_type="user_input"), _item(-2, section="tool_result", **result)]


async def ranked(rulings, policy, likeness):
    """What becomes of a set."""
    case = case_of()
    rulings = [*needed(), *rulings]
    known = KnownOfSet(Gathered(), (), FIELDS)
    options = {"known": known, "policy": policy, "budgets": REGISTRY.budgets, "likeness": likeness}
    return await rank(rulings, case, Session(), **options)

"""What contradicts, and what gives way."""

from gateway.model import PackRequest, Subject
from gateway.model.policy_answer import SetDrop, SetYield
from gateway.pipeline import Asked
from gateway.selection.conflicts import MOST_CONTRARY, contradictions, rivals, without, yielding
from tests.support.clock import NOW
from tests.support.packing import pieces, ruling
from tests.support.packs import items_of


async def test_a_field_of_the_record_stands(gateway, story, subject):
    """
    Where an agent's result gives a field of the entity another value than the system of record, the record's stands and
    the result goes without it; fields that are not in the table, or that the record has not set, are left alone.
    """
    request = story("npa-risk", "request")
    wanted = {"npa-record", "sop-4.2.1"}
    items = [item for item in request["items"] if item["id"] in wanted]
    record = next(item for item in items if item["id"] == "npa-record")
    record["content"] = {"credit_limit": 50_000_000, "remark": "a", "risk_level": None}
    result = {
        **record,
        "id": "result",
        "section": "prior_result",
        "content": {"agent": "RISK", "summary": "s", "credit_limit": 40_000_000, "remark": "b", "risk_level": "HIGH"},
        "provenance": {
            **record["provenance"],
            "source_type": "agent_output",
            "source_id": "agent:RISK",
            "doc_section": "x",
        },
    }
    body = PackRequest.model_validate({**request, "items": [*items, result]})
    pack = await gateway.pipeline.assemble(Asked(body, Subject.model_validate(subject), NOW))
    contents = {item.id: item.content for section in pack.sections for item in section.items}
    assert contents["npa-record"] == {"credit_limit": 50_000_000, "remark": "a", "risk_level": None}
    assert contents["result"] == {"agent": "RISK", "summary": "s", "remark": "b", "risk_level": "HIGH"}
    [warning] = [warning for warning in pack.warnings if warning.code == "FIELD-CONFLICT"]
    assert set(warning.items) == {"npa-record", "result"}


async def test_undecided_conflicts_are_flagged_for_a_person(gateway, ask, small):
    """
    Where no rule decides between two sources both stay, with a warning that names them.
    """
    sop = next(item for item in small["items"] if item["id"] == "sop-4.2.1")
    rival = {
        **sop,
        "id": "rival",
        "content": "Something else.",
        "provenance": {**sop["provenance"], "version": "3.2b"},
    }
    pack = await gateway.pipeline.assemble(ask({**small, "items": [*small["items"], rival]}))
    told = [(w.code, w.items) for w in pack.warnings if w.code == "CONFLICT"]
    assert told == [("CONFLICT", ("sop-4.2.1", "rival"))]
    assert {"sop-4.2.1", "rival"} <= set(items_of(pack))


def test_who_speaks_of_the_same():
    """
    Rivals are of one section of one source, or of one section on one entity; turns of a conversation are nobody's rivals.
    """
    some = pieces(
        ruling("a", source_id="SOP", doc_section="4", version="1"),
        ruling("b", source_id="SOP", doc_section="4", version="2"),
        ruling("c", source_id="SOP", doc_section="5", entity_id="E"),
        ruling("d", source_id="SOR", doc_section="5", entity_id="E"),
        ruling("e", "conversation", source_id="SOP", doc_section="4"),
    )
    assert [group["items"] for group in rivals(some, [])] == [["a", "b"], ["c", "d"]]


def test_the_contrary_are_rivals_too():
    """
    Texts that nearly say the same with other figures are rivals, once each, in the order of their places.
    """
    some = pieces(*(ruling(name, source_id=name) for name in "abc"))
    assert [group["items"] for group in rivals(some, [("c", "a"), ("a", "c"), ("a", "gone")])] == [["a", "c"]]


def test_of_many_contrary_pairs_the_strongest_are_told():
    """
    However many texts contradict each other, policy is told of so many pairs, those of the highest authority first.
    """
    some = pieces(*(ruling(f"i{n}", source_id=f"s{n}", tier=1 if n > 97 else 4) for n in range(100)))
    told = rivals(some, [(f"i{n}", f"i{n + 1}") for n in range(99)])
    assert len(told) == MOST_CONTRARY
    assert ["i98", "i99"] in [group["items"] for group in told]


def test_chunks_of_one_document_are_no_rivals():
    """
    Items with the same labels are parts of one thing, however many they are; one with another label makes a group, in which
    they stand together.
    """
    chunks = [ruling(f"c{n}", source_id="SOP", version="1", effective_date="2025-01-01") for n in range(30)]
    assert rivals(pieces(*chunks), []) == []
    newer = ruling("new", source_id="SOP", version="2", effective_date="2026-01-01")
    [group] = rivals(pieces(*chunks, newer), [])
    assert group["lots"] == [
        {
            "source_type": None,
            "effective_date": "2026-01-01",
            "sides": [{"says": 1, "jurisdiction": None, "items": ["new"]}],
        },
        {
            "source_type": None,
            "effective_date": "2025-01-01",
            "sides": [{"says": 0, "jurisdiction": None, "items": [f"c{n}" for n in range(30)]}],
        },
    ]


def test_many_values_under_the_same_labels_are_few_sides():
    """
    Of values that nobody else gives two are told apart, and the rest as one that differs; the values are not told.
    """
    some = pieces(*(ruling(f"r{n}", content={"limit": 4711 + n, "x": 1}, entity_id="E") for n in range(30)))
    [group] = contradictions(some, ["limit", "x"])
    [lot] = group["lots"]
    assert [side["says"] for side in lot["sides"]] == [0, 1, None]
    assert lot["sides"][2]["items"] == [f"r{n}" for n in range(2, 30)]
    assert "4711" not in str(group)


def test_fields_that_contradict():
    """
    Two JSON items on one entity contradict in fields of plain values alone; what is not set yet contradicts nothing.
    """
    some = pieces(
        ruling("a", content={"limit": 1, "risk": None, "list": [1], "same": "x"}, entity_id="E"),
        ruling("b", content={"limit": 2, "risk": "HIGH", "list": [2], "same": "x"}, entity_id="E"),
        ruling("c", content={"limit": 3}, entity_id="F"),
        ruling("d", content="limit 4", entity_id="E"),
    )
    [group] = contradictions(some, ["limit", "risk", "list", "same"])
    assert (group["field"], group["items"]) == ("limit", ["a", "b"])


def test_fields_that_nobody_compares():
    """
    A field that policy does not name is not looked at, whatever it holds.
    """
    some = pieces(ruling("a", content={"limit": 1}, entity_id="E"), ruling("b", content={"limit": 2}, entity_id="E"))
    assert contradictions(some, ["risk"]) == []


def test_a_field_that_gives_way_is_gone_from_its_item_alone():
    """
    An item goes without the fields that give way; others, and what is no object, stay as they are.
    """
    some = pieces(
        ruling("a", content={"limit": 1, "x": 2}), ruling("b", content={"limit": 1}), ruling("c", content="text")
    )
    yields = [SetYield(item=name, field="limit", in_favour_of="b") for name in ("a", "c", "stranger")]
    assert [piece.content for piece in yielding(some, yields)] == [{"x": 2}, {"limit": 1}, "text"]


def test_losers_go_with_a_reason():
    """
    Every piece stays or is lost, and the lost say in whose favour.
    """
    drops = [
        SetDrop(item="b", reason="conflict", in_favour_of="a"),
        SetDrop(item="c", reason="contract", in_favour_of=None),
        SetDrop(item="stranger", reason="conflict", in_favour_of="a"),
    ]
    kept, lost = without(pieces(ruling("a"), ruling("b"), ruling("c")), drops)
    assert [piece.ruling.item.id for piece in kept] == ["a"]
    assert [(loss.piece.ruling.item.id, loss.reason, loss.in_favour_of) for loss in lost] == [
        ("b", "conflict", "a"),
        ("c", "contract", None),
    ]

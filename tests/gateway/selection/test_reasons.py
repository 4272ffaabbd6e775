"""Why a whole request is refused, source by source."""

from gateway.model import Ruling
from gateway.model.policy_answer import Denial
from gateway.model.request import Fetched
from gateway.selection.reasons import MOST_CODES, MOST_SOURCES, reasons_by_source
from tests.support.packing import ruling


def denied(name, source, *codes):
    refused = ruling(name, source_id=source)
    return refused.model_copy(
        update={"outcome": "denied", "denials": tuple(Denial(code=code, message="m") for code in codes)}
    )


def test_the_most_frequent_reasons_of_each_source():
    """
    Each source that the caller named has its number of refusals, and its codes with the most frequent first.
    """
    rulings = [
        denied("a", "kb", "JUR-001"),
        denied("b", "kb", "JUR-001", "FRS-002"),
        denied("c", "mail", "TRU-001"),
        ruling("d", source_id="kb"),
        denied("e", None, "CLS-002"),
    ]
    assert reasons_by_source(rulings) == [
        ("sources[kb]", "2 refused: JUR-001 (2), FRS-002 (1)"),
        ("sources[mail]", "1 refused: TRU-001 (1)"),
    ]


def test_what_the_gateway_found_itself_is_not_told():
    """
    Of an item that the caller did not bring, not even that there is one.
    """
    refused = denied("a", "kb", "CLS-001")
    fetched = refused.model_copy(update={"item": Fetched.of(refused.item, "kb")})
    assert isinstance(fetched, Ruling)
    assert reasons_by_source([fetched]) == []


def test_a_long_list_is_cut():
    """
    Of many sources and many codes the most frequent are told, those that are equal in the order of their names.
    """
    many = [denied(f"{source}", f"s{source}", *(f"C-{code}" for code in range(9))) for source in range(9)]
    told = reasons_by_source(many)
    assert [field for field, _ in told] == [f"sources[s{source}]" for source in range(MOST_SOURCES)]
    assert all(message.count("(1)") == MOST_CODES for _, message in told)

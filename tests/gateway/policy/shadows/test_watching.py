"""What a shadow has seen is counted by rule and by group, whatever labels callers write."""

from gateway.policy.shadows.watching import Watching


def test_what_disagrees_is_told_by_rule_and_group():
    """
    An officer sees how often which rule differed, and for whom, the most frequent first.
    """
    seen = Watching("2026-03-01T09:15:00.000000Z")
    facts = {
        "subject": {"role": "analyst", "department": "RMG"},
        "agent": {"id": "RISK"},
        "item": {"jurisdiction": None},
    }
    seen.disagreed(facts, ["TRU-003"])
    seen.disagreed(facts, ["TRU-003", "JUR-001"])
    seen.disagreed({"subject": {"role": "checker"}}, [])
    told = seen.told()
    assert (told["since"], told["disagreements"]) == ("2026-03-01T09:15:00.000000Z", 3)
    assert list(told["by_code"].items()) == [("TRU-003", 2), ("JUR-001", 1)]
    assert told["by_group"]["role"] == {"analyst": 2, "checker": 1}
    assert told["by_group"]["jurisdiction"] == {"None": 2}


def test_labels_without_end_fill_no_memory():
    """
    A caller who writes another jurisdiction each time fills one row after so many, and long ones are cut.
    """
    seen = Watching()
    for number in range(2000):
        seen.disagreed({"item": {"jurisdiction": f"{number}" + "x" * 1000}}, [])
    counts = seen.told()["by_group"]["jurisdiction"]
    assert len(counts) == 501
    assert counts["(others)"] == 1500
    assert max(map(len, counts)) == 100

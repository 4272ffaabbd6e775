"""What rules do with the item and the time, read from their trees."""

import pytest

from gateway.knowledge.reading.constants import Constants
from gateway.knowledge.reading.flow import Flow
from gateway.knowledge.reading.reachable import reachable
from gateway.policy.bundle import Bundle

TABLES = {"context": {"names": ["owner", "version"], "days": 30, "rows": {"a": {"fact": "corpus"}}}}


def flow(rego: str) -> Flow:
    bundle = Bundle(
        revision="r", modules={"context/context.rego": f"package context\n\n{rego}\n"}, data=TABLES, checks={}
    )
    reached = reachable(bundle, ("context", "p"))
    return Flow(reached, Constants(reached, bundle.data)).run()


@pytest.mark.parametrize(
    ("rego", "facts"),
    [
        ('p if input.item.owner == "x"', {"owner"}),
        ("p if q\n\nq if input.item.corpus", {"corpus"}),
        ("p if data.context.q\n\nq if input.item.corpus", {"corpus"}),
        ('p if f(input.item)\n\nf(one) if one.domain == "x"', {"domain"}),
        ('p if {\n\tone := input.item\n\tone.domain == "x"\n}', {"domain"}),
        ("p if {\n\tsome name in data.context.names\n\tinput.item[name]\n}", {"owner", "version"}),
        ("p if not input.item.owner", {"owner"}),
        ("p if every one in input.item.labels { one != 1 }", {"labels"}),
        ("p if q.domain\n\nq := input.item", {"domain"}),
        ("p if [1 | input.item.owner]", {"owner"}),
        ("p if true\n\nunread if input.item.owner", set()),
        ("p if false else := input.item.owner", {"owner"}),
    ],
)
def test_facts_are_found_wherever_they_are_read(rego, facts):
    """
    A fact counts where a rule that the answer depends on reads it, under whatever name the item goes there.
    """
    found = flow(rego)
    assert found.facts == facts
    assert not found.whole
    assert found.foreseen


@pytest.mark.parametrize(
    "rego",
    [
        "p if input.item[input.request.purpose]",
        "p if input.item == {}",
        "p if json.marshal(input.item) == data.context.days",
        "p if some _, value in input.item",
        "p if input[x].owner",
        "p if walk(input, [_, _])",
        "p if q with input as {}\n\nq if input.item.owner",
        "p if {\n\tsome name in input.request.names\n\tinput.item[name]\n}",
        "p if {\n\tsome name in data.context.names\n\tname := input.agent.id\n\tinput.item[name]\n}",
        "p if f([input.item])\n\nf(list) if list[0].owner",
    ],
)
def test_what_is_not_understood_reads_everything(rego):
    """
    Where it cannot be told which facts are read, all count.
    """
    assert flow(rego).whole


@pytest.mark.parametrize(
    "rego",
    [
        "p if input.item.age_seconds % 2 == 0",
        "p if input.item.age_seconds * 2 > input.item.ttl_seconds",
        "p if input.item.age_seconds < input.item.ttl_seconds * 2",
        "p if input.item.age_seconds < count(input.item.labels)",
        "p if input.item.age_seconds == input.item.attestation.age_seconds",
        "p if time.parse_rfc3339_ns(input.now) > 0",
        "p if time.now_ns() > 0",
        'p if regex.match("^2026", input.now)',
        'p if startswith(input.now, "2026")',
        "p if f(input.item.age_seconds)\n\nf(age) if age / 2 > 1",
        "p if q > 7\n\nq := input.item.age_seconds + 1",
        "p if data.context.rows[input.now]",
        "p if [input.now] == [1]",
        "p if {\n\tsome record in input.records\n\trecord.age_seconds - 1 > 2\n}",
        "p if -input.item.age_seconds < 0",
    ],
)
def test_time_that_is_not_foreseen(rego):
    """
    Whatever else than a comparison is done with a time, and whatever it is compared with that was computed, is not foreseen.
    """
    assert not flow(rego).foreseen


@pytest.mark.parametrize(
    ("rego", "numbers"),
    [
        ("p if input.item.age_seconds <= data.context.days", set()),
        ("p if input.item.age_seconds <= data.context.days * 86400", {2_592_000.0}),
        ("p if input.item.age_seconds >= 0 - data.context.days", {-30.0}),
        ("p if input.item.age_seconds <= input.item.ttl_seconds", set()),
        ("p if f(input.item.age_days)\n\nf(days) if days < 30", set()),
        ('p if trim_suffix(input.now, "Z") < trim_suffix(input.item.expiry_date, "Z")', set()),
        ("p if is_number(input.item.age_seconds)", set()),
    ],
)
def test_time_that_is_compared(rego, numbers):
    """
    A time that is compared with what stands in rules, tables or facts is foreseen, and sums of these are known.
    """
    found = flow(rego)
    assert found.foreseen
    assert found.numbers == numbers

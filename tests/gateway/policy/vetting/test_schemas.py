"""What tables may say: each area's schema, beside its tables."""

import json

import pytest

from gateway.policy.bundle import bundle_of
from gateway.policy.vetting.names import vocabulary
from gateway.policy.vetting.schemas import MOST_PARTS, checker_of, file_of, flaws_of_schemas, schema_slips
from tests.support.bundles import SHIPPED, files
from tests.support.effort import Effort

FRESHNESS = "context/freshness/data.yaml"
SCHEMA = file_of("freshness")
KNOWN = vocabulary(SHIPPED)


def slips(*changes, without=()):
    found = files(changes)
    for name in without:
        del found[name]
    bundle = bundle_of({name: text.encode() for name, text in found.items()})
    return [(slip.path, slip.message, slip.hint) for slip in schema_slips(bundle, KNOWN)]


def test_every_area_with_tables_has_a_schema_and_fits_it():
    """
    All shipped tables are described, and say what their schemas have.
    """
    areas = {name for name, table in SHIPPED.data["context"].items() if isinstance(table, dict)}
    assert {file_of(area) for area in areas} <= SHIPPED.others.keys()
    assert list(schema_slips(SHIPPED, KNOWN)) == []
    assert list(flaws_of_schemas(SHIPPED)) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "entry", "says", "meant"),
    [
        (FRESHNESS, "percent: 80", 'percent: "80%"', "warn_after_percent", "should be a whole number", "mean 80"),
        (FRESHNESS, "percent: 80", "percent: 800", "warn_after_percent", "800 is out of range", "at most 100"),
        (FRESHNESS, "percent: 80", "percent: 0", "warn_after_percent", "0 is out of range", "at least 1"),
        (FRESHNESS, "percent: 80", "percent: 80.5", "warn_after_percent", "should be a whole number", "whole"),
        (FRESHNESS, "percent: 80", "percent: true", "warn_after_percent", "`true` should be a whole number", ""),
        (FRESHNESS, "record: 300", "record: -1", "system_of_record", "-1 is out of range", "at least 1"),
        (FRESHNESS, "[user_input]", "user_input", "without_ttl", "should be a list", ""),
        (FRESHNESS, "[user_input]", "[user_input, user_input]", "without_ttl", "stands twice", "Leave one"),
        (FRESHNESS, "warn_after_percent", "warn_after_precent", "warn_after_precent", "no entry", "warn_after_percent?"),
        ("context/grounding/data.yaml", "max_tier: 2", "max_teir: 2", "max_teir", "no entry", "Did you mean max_tier?"),
        ("context/grounding/data.yaml", "parts: [version]", "parts: [verison]", "0", "none of what", "version?"),
        ("context/attestation/data.yaml", "{caller: third", "{caler: third", "caler", "none of what", "caller?"),
        ("context/trust/data.yaml", "authority_tier: 1}", "authority_tier: 9}", "authority_tier", "out of range", "at most 5"),
        ("context/pii/data.yaml", "default: 0.4", "default: 40", "default", "out of range", "at most 1"),
    ],
)  # fmt: skip
def test_what_a_table_may_not_say(name, old, new, entry, says, meant):
    """
    A number of another kind or out of range, a list that is none, a misspelt field or word: each is told with what was expected.
    """
    found = [slip for slip in slips((name, old, new)) if slip[0][-1] == entry]
    assert found
    assert says in found[0][1]
    assert meant in found[0][2]


def test_an_area_with_tables_and_no_schema_is_refused():
    """
    Whoever leaves a schema out gets no tables past it: the area is named, with the command that writes one.
    """
    [(path, message, hint)] = slips(without=[SCHEMA])
    assert path == ("context", "freshness")
    assert "have no schema" in message
    assert "ctxgate policy new schema freshness" in hint


def test_a_bundle_kept_without_its_checks_needs_no_schema():
    """
    What an earlier version kept decides what it decided: only what is brought anew must be described.
    """
    found = {
        name: text.encode()
        for name, text in files().items()
        if not name.endswith(("cases.yaml", "cases.base.yaml", "invariants.yaml", "_test.rego"))
    }
    found = {name: body for name, body in found.items() if not name.endswith("schema.json")}
    assert list(schema_slips(bundle_of(found), KNOWN)) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "it is not JSON"),
        ('{"type": "object", "pattern": "(a+)+"}', "`pattern` is no word"),
        ('{"$ref": "http://example.invalid/schema.json"}', "`$ref` is no word"),
        ('{"properties": {"a": {"anyOf": []}}}', "`anyOf` is no word"),
        ('{"type": "text"}', "input should be"),
        ('{"x-names": "colour"}', "`x-names: colour` is no kind of name"),
        ('{"items": ' * 20 + "{}" + "}" * 20, "nested more than"),
        (json.dumps({"properties": {f"p{n}": {} for n in range(MOST_PARTS)}}), "more than"),
        ("[" * 1_000 + "]" * 1_000, "nested too deep"),
    ],
)
def test_a_schema_of_other_words_is_refused(text, says):
    """
    No pattern, reference or combination stands in a schema, so that what checking costs does not depend on who wrote it.
    """
    bundle = bundle_of({name: body.encode() for name, body in {**files(), SCHEMA: text}.items()})
    [(file, slip), *_] = flaws_of_schemas(bundle)
    assert file == SCHEMA
    assert says in slip.message


def test_an_area_of_ones_own_names_what_the_bundle_lists():
    """
    `x-names` in a schema holds keys and values to the bundle's own words, in an area that the gateway knows nothing of.
    """
    checker = checker_of(
        {
            "properties": {"by": {"propertyNames": {"x-names": "role"}, "additionalProperties": {"x-names": "domain"}}},
            "type": "object",
        }
    )
    found = [(slip.path, slip.key, slip.hint, fault) for slip, fault in checker.slips({"by": {"anlyst": "NAP"}}, KNOWN)]
    assert (("by", "anlyst"), True, "Did you mean analyst?", "anlyst") in found
    assert (("by", "anlyst"), False, "Did you mean NPA?", "NAP") in found
    assert list(checker.slips({"by": {"analyst": "NPA"}}, KNOWN)) == []


def test_a_day_or_a_time_in_utc_is_a_date():
    """
    A date is one that there is; a day written in another way is told back as it should be.
    """
    checker = checker_of({"type": "object", "additionalProperties": {"type": "string", "format": "date"}})
    assert list(checker.slips({"a": "2026-06-30", "b": "2026-06-30T10:00:00Z"}, KNOWN)) == []
    [(slip, _)] = checker.slips({"a": "30/06/2027"}, KNOWN)
    assert "Did you mean 2027-06-30?" in slip.hint


def test_a_schema_is_part_of_what_decides():
    """
    Whoever changes what a table may say changes the revision, which two officers answer for.
    """
    changed = files([(SCHEMA, '"maximum": 100', '"maximum": 1000')])
    assert bundle_of({name: text.encode() for name, text in changed.items()}).revision != SHIPPED.revision


def test_the_cost_grows_with_the_table():
    """
    Twenty thousand rows, each wrong, cost some passes.
    """
    rows = "".join(f"  s{n}: x\n" for n in range(20_000))
    found = files([(FRESHNESS, "live_within_seconds:\n", f"live_within_seconds:\n{rows}")])
    bundle = bundle_of({name: text.encode() for name, text in found.items()})
    Effort().within(60, lambda: sum(1 for _ in schema_slips(bundle, KNOWN)))

"""A first schema for an area's tables."""

import json
import shutil

import pytest

from gateway.errors import FieldInvalidError, NotFoundError
from gateway.policy.bundle import load_bundle
from gateway.policy.vetting.check import misplaced
from gateway.policy.vetting.names import vocabulary
from gateway.policy.vetting.schemas import checker_of
from gateway.workbench.publishing.table_schemas import inferred, text_of, write_schema
from gateway.workbench.scaffold import new_area
from tests.support.bundles import POLICIES, SHIPPED

KNOWN = vocabulary(SHIPPED)


@pytest.fixture
def policies(tmp_path):
    shutil.copytree(POLICIES, tmp_path / "policies")
    return tmp_path / "policies"


@pytest.mark.parametrize(
    "area", sorted(name for name, table in SHIPPED.data["context"].items() if isinstance(table, dict))
)
def test_tables_fit_what_is_inferred_from_them(area):
    """
    Whatever an officer's tables say today is what the first schema allows.
    """
    table = SHIPPED.data["context"][area]
    assert list(checker_of(inferred(area, table)).slips(table, KNOWN)) == []


def test_what_is_inferred_refuses_a_slip():
    """
    A misspelt table, a text where numbers stand and a field that no other line has are refused.
    """
    table = {
        "limits": {"a": 1, "b": 2},
        "ends": "2026-01-01",
        "rows": [{"id": "x", "most": 1}, {"id": "y"}],
        "none": [],
    }
    checker = checker_of(inferred("mine", table))

    def slips(**changes):
        return [slip.path[0] for slip, _ in checker.slips({**table, **changes}, KNOWN)]

    assert slips() == []
    assert slips(limit={}) == ["limit"]
    assert slips(limits={"a": "80%"}) == ["limits"]
    assert slips(ends="31/12/2026") == ["ends"]
    assert slips(rows=[{"id": "x", "msot": 1}]) == ["rows"]


def test_it_is_written_once(policies):
    """
    An area has one schema; replacing it must be said; an area without tables, or outside the bundle, has none.
    """
    with pytest.raises(FieldInvalidError, match="--anew"):
        write_schema(policies, "freshness")
    (policies / "context/freshness/schema.json").unlink()
    assert [one.file for one in misplaced(load_bundle(policies))] == ["context/freshness/data.yaml"]
    assert write_schema(policies, "freshness").is_file()
    assert misplaced(load_bundle(policies)) == []
    write_schema(policies, "freshness", anew=True)
    for area in ("nowhere", "../registry", "required"):
        with pytest.raises(NotFoundError):
            write_schema(policies, area)


def test_a_new_area_has_one(policies):
    """
    A table that an officer adds to a new area is refused until its schema says what it may hold.
    """
    new_area(policies, "retention", "Retention", "Records Office")
    assert misplaced(load_bundle(policies)) == []
    (policies / "context/retention/data.yaml").write_text("years: 7\n")
    assert any(
        "no entry `years`" in one.message or "nothing reads" in one.message for one in misplaced(load_bundle(policies))
    )


def test_as_it_stands_in_its_file():
    """
    What is written is the same document, short parts on one line.
    """
    schema = inferred("mine", {"a": {"b": 1}})
    assert json.loads(text_of(schema)) == schema
    assert '{"type": "integer"}' in text_of(schema)

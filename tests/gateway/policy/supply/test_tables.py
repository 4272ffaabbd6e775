"""What a table may hold: a closed list of types, nothing that stands for something else, and no more than can be read."""

import contextlib

import pytest

from gateway.policy.supply.tables import TableError, read_json, read_yaml
from tests.support.effort import Effort

BOMB = "a0: &a0 [1, 1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
"""A few lines that stand for more values than there is memory."""


def test_what_a_table_may_hold():
    """
    Text, numbers, truth values, null, lists and maps come as they are written.
    """
    text = "t: text\ni: -7\nf: 1.5\nb: true\nz: null\nl: [a, {m: 1}]\nm: {1: one}\nq: '2026-03-01'\n"
    wanted = {"t": "text", "i": -7, "f": 1.5, "b": True, "z": None, "l": ["a", {"m": 1}], "m": {1: "one"}}
    assert read_yaml(text) == {**wanted, "q": "2026-03-01"}
    assert read_json('{"t": [1, 2.5, null, "x", false]}') == {"t": [1, 2.5, None, "x", False]}


def test_a_date_is_a_text():
    """
    A day or a time without quotes is the text that stands there, as OPA reads it.
    """
    text = "a: 2026-03-01\nb: [2026-03-01T10:00:00Z, 2026-13-45, 31/12/2020]\n2026-01-01: {c: 2026-03-01 10:00:00}\n"
    wanted = {"a": "2026-03-01", "b": ["2026-03-01T10:00:00Z", "2026-13-45", "31/12/2020"]}
    assert read_yaml(text) == {**wanted, "2026-01-01": {"c": "2026-03-01 10:00:00"}}


def test_numbers_and_truth_values_that_every_reader_takes_for_the_same():
    """
    Decimal numbers, true and false, and words that hold others, need no quotes.
    """
    text = "[0, -7, +7, 0.40, 1.0.0, 2b, true, False, none, Norway, 'NO', \"1e3\", 4.1.2, 1-2, on_record]"
    wanted = [0, -7, 7, 0.4, "1.0.0", "2b", True, False, "none", "Norway", "NO", "1e3", "4.1.2", "1-2", "on_record"]
    assert read_yaml(text) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &x [1]\nb: *x\n", "line 1, column [0-9]+ has an anchor"),
        ("a: &x [*x]\n", "an anchor"),
        ("base: {a: 1}\nb: {<<: {a: 2}}\n", "not YAML"),
        (BOMB, "line 1, column [0-9]+ has an anchor"),
        ("a:\n  SG: 1\n  NO: 2\n", 'line 3, column 3 has NO, which YAML takes for a truth value; write "NO" in quotes'),
        ("clearance: yes", "line 1, column 12 has yes, which YAML takes for a truth value"),
        ("a: [y]", "line 1, column 5 has y,"),
        ("N: 1", "line 1, column 1 has N,"),
        ("a: 1e3", "line 1, column 4 has 1e3, which two readers of YAML take for two values"),
        ("a: 08", "line 1, column 4 has 08,"),
        ("a: 010", "has 010,"),
        ("a: 9:30:00", "has 9:30:00,"),
        ("a: 1_000", "has 1_000,"),
        ("a: 0x1F", "has 0x1F,"),
        ("a: .5", "has .5,"),
        ("a: {b: 1,\n    b: 2}", "line 2, column 5: it is not YAML: the key b stands twice, first in line 1"),
        ("a: 1\nb\nc: 2", "line 3, column 1: it is not YAML"),
        ("a:\n\tb: 1", "line 2, column 1: it is not YAML"),
        ("a: !!binary aGk=", "has a tag"),
        ("a: !!set {a, b}", "has a tag"),
        ("a: !!python/object:os.system {}", "has a tag"),
        ("a: !x 1", "has a tag"),
        ("a: .nan", "at a: a number is not finite"),
        ("a: -.inf", "not finite"),
        ("a: 9007199254740993", "too large to be exact"),
        ("a: " + "9" * 500, "too many digits"),
        ("a: " + "1:" * 300 + "1", "too many digits"),
        ("{1: a, '1': b}", "a key stands twice"),
        ("a: 1\na: 2", "twice"),
        ("{true: a}", "neither text nor a whole number"),
        ("? [a]\n: 1", "not YAML"),
        ("[" * 60 + "]" * 60, "nested too deeply"),
        ("- " * 60 + "1", "nested too deeply"),
        ("a: ]", "not YAML"),
        ("a: \x00", "not YAML"),
        ("a: 1\n--- \nb: 2", "not YAML"),
        ("x: " + "y" * 2_000_001, "more than 2000000 bytes"),
    ],
)
def test_what_no_table_may_hold(text, message):
    """
    Each is refused with a reason that says where, and before anything is built from what would not fit.
    """
    with pytest.raises(TableError, match=message):
        read_yaml(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": NaN}', "not finite"),
        ('{"a": 1e999}', "not finite"),
        ('{"a": 9007199254740993}', "too large to be exact"),
        ('{"a": 1, "a": 2}', "twice"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ("[" * 60 + "]" * 60, "nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        ("{", "not JSON"),
    ],
)
def test_what_no_json_table_may_hold(text, message):
    """
    JSON is held to the same list.
    """
    with pytest.raises(TableError, match=message):
        read_json(text)


def test_what_was_kept_is_read_as_it_was_then():
    """
    A table that was taken in before may have aliases, so that the past can be decided again; they count as what they stand for.
    """
    assert read_yaml("a: &x [1]\nb: *x\n", kept=True) == {"a": [1], "b": [1]}
    with pytest.raises(TableError, match="too many values"):
        read_yaml(BOMB, kept=True)


def test_reading_costs_in_proportion():
    """
    Many keys, many levels and long numbers are read once each, whatever they look like.
    """
    for text in ("".join(f"k{n}: {n}\n" for n in range(20_000)), "a: " + "1:" * 100_000, "[" * 100_000):
        Effort().within(60, lambda text=text: _tried(text))


def _tried(text):
    with contextlib.suppress(TableError):
        read_yaml(text)

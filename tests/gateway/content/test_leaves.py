"""Content leaf by leaf: what is screened, and what stays whole when leaves are changed."""

import json

import pytest

from hypothesis import given
from hypothesis import strategies as st

from gateway.content.leaves import OF_NAME, escaped, is_document, leaves, names, replace_leaves
from gateway.model.content import content_bytes, content_digest, content_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text("ab/~01@", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~@", max_size=3), inner, max_size=3),
    max_leaves=10,
)


def found(content):
    return [(leaf.path, leaf.text, leaf.key) for leaf in leaves(content)]


def test_text_is_one_leaf():
    """
    A text is one leaf, without a path.
    """
    assert found("Dear Kelvin") == [("", "Dear Kelvin", "")]


def test_json_has_a_leaf_for_each_string_and_number():
    """
    Strings and numbers are leaves with their pointer and the field's name; booleans and null say nothing to screen.
    """
    content = {"a": ["x", 7, True, None], "b/c": {"d~": 1.5}}
    assert found(content) == [("/a/0", "x", "a"), ("/a/1", "7", "a"), ("/b~1c/d~0", "1.5", "d~")]


def test_every_name_of_a_field_is_found_once():
    """
    Names are apart from values, each that differs once with the path of its first field, however deep it stands.
    """
    content = {"a": [{"b c": True}, {"b c": {"d/": 1}}], "d/": 2}
    assert names(content) == {"a": f"/a{OF_NAME}", "b c": f"/a/0/b c{OF_NAME}", "d/": f"/a/1/b c/d~1{OF_NAME}"}
    assert names("text") == {}


@pytest.mark.parametrize(
    ("content", "document"), [({"a": 1}, True), ([], True), (1, True), ('{"a": 1}', True), ("{a", False), ("x", False)]
)
def test_what_a_content_is_is_seen_and_not_believed(content, document):
    """
    A JSON value is one, and so is a text that spells an object or a list; whatever else is said of it, other text is text.
    """
    assert is_document(content) == document


@pytest.mark.parametrize("text", ['{"a": "x"}', ' [{"a": "x"}]'])
def test_a_text_that_spells_json_is_read_as_that(text):
    """
    Sensitive values in JSON that came as text are found under their names.
    """
    assert [leaf.key for leaf in leaves(text)] == ["a"]


@pytest.mark.parametrize("text", ['{"a": "x", "a": "y"}', "{not json", "[" * 100_000])
def test_a_text_that_would_lose_something_as_json_is_plain_text(text):
    """
    A name that stands twice, what is no JSON, and what is too deep are screened as one text, so that nothing is overlooked.
    """
    assert found(text) == [("", text, "")]


@given(VALUES)
def test_replacing_nothing_changes_nothing(content):
    """
    Where no leaf is changed the content is what it was.
    """
    assert replace_leaves(content, lambda path, text: None) == content


@given(VALUES)
def test_every_leaf_can_be_replaced_at_its_path(content):
    """
    What `leaves` finds is what `replace_leaves` offers: no leaf that was screened can escape its redaction.
    """
    offered = set()
    replace_leaves(content, lambda path, text: offered.add((path, text)))
    assert {(leaf.path, leaf.text) for leaf in leaves(content)} <= offered


def test_a_text_that_spells_json_stays_a_text():
    """
    A redacted document that came as text goes out as text, and is a document still.
    """
    changed = replace_leaves('{"nric": "S8421753F", "n": 1}', lambda path, _: "<X>" if path == "/nric" else None)
    assert json.loads(changed) == {"nric": "<X>", "n": 1}


def test_no_member_takes_anothers_place():
    """
    Two names that become the same, or one that becomes another's, lose neither value.
    """
    content = {"a@b": 1, "c@d": 2, "<N>": 3}
    changed = replace_leaves(content, lambda path, _: "<N>" if path.endswith(OF_NAME) and "@" in path else None)
    assert sorted(changed.values()) == [1, 2, 3]


def test_the_digest_tells_text_from_json():
    """
    A text and the JSON value that it spells are two contents.
    """
    assert content_digest("1") != content_digest(1)
    assert content_digest({"b": 1, "a": 2}) == content_digest({"a": 2, "b": 1})


def test_text_and_bytes_of_a_document():
    """
    A model reads JSON compact and in its own order; what is hashed is canonical.
    """
    assert content_text({"b": 1, "a": "é"}) == '{"b":1,"a":"é"}'
    assert content_bytes({"b": 1, "a": "é"}) == '{"a":"é","b":1}'.encode()


@given(st.lists(st.text("a/~", max_size=4), max_size=4))
def test_pointers_are_told_apart(names):
    """
    No two paths of names are written the same way.
    """
    pointer = "".join(f"/{escaped(name)}" for name in names)
    back = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    assert back == names


class TestLeaves:
    def test_replacing_keeps_the_shape(self):
        """
        Every leaf has its own pointer, and a change touches that leaf alone.
        """
        content = {"a/b": [1, "x", {"c~d": None, "e": True}], "f": 2.5}
        assert [leaf.path for leaf in leaves(content)] == ["/a~1b/0", "/a~1b/1", "/f"]
        changed = replace_leaves(content, lambda path, text: "***" if path == "/a~1b/0" else None)
        assert changed == {"a/b": ["***", "x", {"c~d": None, "e": True}], "f": 2.5}


def test_a_text_whose_paths_would_be_far_longer_than_itself_is_plain_text():
    """
    A text that spells a name of 100 KB above 20,000 values is one leaf: their paths would take gigabytes.
    """
    text = json.dumps({"n" * 100_000: list(range(20_000))})
    [leaf] = leaves(text)
    assert (leaf.text, leaf.path) == (text, "")
    assert replace_leaves(text, lambda path, _: "gone" if path == "" else None) == "gone"

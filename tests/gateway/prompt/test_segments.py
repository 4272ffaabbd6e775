"""What an item is called in every turn of its session."""

from gateway.model import Candidate
from gateway.prompt.segments import segment_id


def item(content="text", **source):
    return Candidate.model_validate({"id": "x", "section": "knowledge", "content": content, "provenance": source})


def test_the_source_and_its_section():
    """
    A source names its items, with the section where there is one.
    """
    assert segment_id(item(source_id="SOP")) == "SOP"
    assert segment_id(item(source_id="SOP", doc_section="4.2")) == "SOP#4.2"


def test_the_version_is_no_part_of_the_name():
    """
    A newer version of a document takes the place of the older one.
    """
    assert segment_id(item("old", source_id="SOP", version="1")) == segment_id(
        item("new", source_id="SOP", version="2")
    )


def test_without_a_source_the_content_names_it():
    """
    What has no source is named by its content: the same content the same, other content otherwise.
    """
    assert segment_id(item("a")) == segment_id(item("a"))
    assert segment_id(item("a")) != segment_id(item("b"))
    assert segment_id(item("a")).startswith("sha256:")

"""What stands beside a file."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from gateway.errors import GatewayError
from gateway.knowledge.beside import DescribedFiles, front_of, media_type_of, sidecar_of


@pytest.mark.parametrize(
    ("body", "front"),
    [
        (b"---\na: 1\n---\nText", (b"a: 1\n", b"Text")),
        (b"---\r\na: 1\r\n---\r\nText", (b"a: 1\r\n", b"Text")),
        (b"---\n---\nText", (b"", b"Text")),
        (b"---\na: 1\n---", (b"a: 1\n", b"")),
        (b"---\na: 1\n", (None, b"---\na: 1\n")),
        (b"---\na: 1\n---- no end\n", (None, b"---\na: 1\n---- no end\n")),
        (b"Text\n---\n", (None, b"Text\n---\n")),
    ],
)
def test_the_lines_at_the_beginning(body, front):
    """What stands between two lines of `---` at the beginning is said of the text, and no part of it."""
    assert front_of(body) == front


@given(st.binary(max_size=200).map(lambda some: b"---\n" + some))
def test_whatever_stands_there_is_read_or_refused(body):
    """Any bytes are a table, no table, or an error of the gateway's own."""
    try:
        said, rest = DescribedFiles({}, ()).said_of("a.md", "text/markdown", body, None)
    except GatewayError:
        return
    assert isinstance(said, dict)
    assert body.endswith(rest)


def test_the_file_beside():
    """A file beside has the whole name with `.yaml`, or the name with it in the place of its ending."""
    assert sidecar_of("a/b.md", {"a/b.md.yaml", "a/b.yaml"}) == "a/b.md.yaml"
    assert sidecar_of("a/b.md", {"a/b.yaml"}) == "a/b.yaml"
    assert sidecar_of("b.yaml", {"b.yaml"}) is None
    assert media_type_of("A.PDF") == "application/pdf"
    assert media_type_of("a") == "application/octet-stream"

"""A bundle, its content and its revision."""

import pytest
import yaml

from gateway.errors import BundleInvalidError, BundleTooCostlyError
from gateway.policy.bundle import bundle_of, files_of, load_bundle
from tests.support.bundles import POLICIES, SHIPPED
from tests.support.effort import Effort


def test_content_and_revision_belong_together():
    """
    A bundle's content holds all that decides, and nothing else.
    """
    again = bundle_of(files_of(SHIPPED.content))
    assert again == SHIPPED
    assert not [name for name in files_of(SHIPPED.content) if name.endswith("_test.rego") or "cases" in name]


@pytest.mark.parametrize("content", [b"x", b"5:ab", b"3:abc", b"999999999999:"])
def test_damaged_content(content):
    """
    Bytes that are no bundle are refused.
    """
    with pytest.raises(BundleInvalidError):
        files_of(content)


BOMB = b"a0: &a0 [1, 1]\n" + b"".join(b"a%d: &a%d [*a%d, *a%d]\n" % (n, n, n - 1, n - 1) for n in range(1, 40))
"""A few lines that stand for more values than there is memory."""

FILES = {
    ".manifest": b'{"roots": ["a"]}',
    "a/a.rego": b"package a",
    "a/data.yaml": b"x: 1",
    "a/b/data.json": b'{"y": 2}',
}


def test_tables_lie_where_their_folders_say():
    """
    A table's path is its folder, and two tables of nested folders grow into one document.
    """
    assert bundle_of(FILES).data == {"a": {"x": 1, "b": {"y": 2}}}


def test_the_revision_is_of_all_that_decides_and_nothing_else():
    """
    A changed byte of a rule, a table or a name is another revision; a test, a case, a page or the stated revision is none.
    """
    revision = bundle_of(FILES).revision
    for name, body in (
        ("a/a.rego", b"package a\n"),
        ("a/data.yaml", b"x: 2"),
        ("a/c.rego", b"package c"),
        ("a/x.cedar", b""),
    ):
        assert bundle_of({**FILES, name: body}).revision != revision, name
    stated = {".manifest": b'{"revision": "sha256:1", "roots": ["a"]}'}
    other = {"a/a_test.rego": b"package a_test", "a/cases.yaml": b"[]", "README.md": b"x", "a/other.yaml": b"z: 1"}
    assert bundle_of({**FILES, **stated, **other}).revision == revision


def test_names_and_bytes_do_not_run_together():
    """
    Moving a letter from a file's name to its content, or to the next file, is another revision.
    """
    one = bundle_of({**FILES, "ab.rego": b"c"})
    assert (
        len(
            {
                one.revision,
                bundle_of({**FILES, "a.rego": b"bc"}).revision,
                bundle_of({**FILES, "ab.rego": b"c "}).revision,
            }
        )
        == 3
    )


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a/a.rego", b"\xff"),
        ("a/a.rego", b"package a\nx := " + b"[" * 20 + b"]" * 20),
        ("a/a_test.rego", b"package a\nx := " + b"{1: (" * 10 + b")}" * 10),
        ("a/b/data.json", b"{"),
        ("a/b/data.json", b'{"y": 1, "y": 2}'),
        ("a/b/data.json", b'{"y": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"),
        ("a/data.yaml", b"y: " + b"[" * 5000 + b"]" * 5000),
        ("a/data.yaml", b"y: &x [*x]"),
        ("a/data.yaml", b"y: 2026-03-01"),
        ("a/data.yaml", b"y: !!binary aGk="),
        ("a/data.yaml", b"y: !!set {a, b}"),
        ("a/data.yaml", b"y: {1: a, '1': b}"),
        ("a/data.yaml", b"y: {true: a}"),
        ("a/data.yaml", BOMB),
        ("a/data.yaml", b"y: &x [1]\nz: *x"),
        ("a/data.yaml", b"y: .inf"),
        ("a/a.rego", b"package a\n#" + b"x" * 500_000),
        (".manifest", b"[" * 100_000),
        (".manifest", b'{"serial": 3}'),
        ("../data.yaml", b"x: 1"),
        ("/etc/data.yaml", b"x: 1"),
        ("a/\x1b[2J.rego", b"package a"),
        (".manifest", b"[]"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(name, body):
    """
    Whoever brings a bundle with a file that is none learns which.
    """
    with pytest.raises(BundleInvalidError) as caught:
        bundle_of({**FILES, name: body})
    assert repr(name)[1:-1] in caught.value.detail


@pytest.mark.parametrize(
    ("name", "body"), [("a/data.json", b'{"x": 2}'), ("a/data.json", b'{"b": {"y": 3}}'), ("data.yaml", b"a: 7")]
)
def test_one_entry_in_two_files(name, body):
    """
    No file takes the place of what stands in another one, whichever is read first.
    """
    with pytest.raises(BundleInvalidError):
        bundle_of({**FILES, name: body})


def test_brackets_in_texts_and_comments_are_none():
    """
    What only looks like brackets within brackets is no reason to refuse a module.
    """
    text = b'package a\nx := "' + b"[" * 20 + b'\\"[["\ny := `' + b"[" * 20 + b"`\n# " + b"[" * 20 + b"\n"
    assert bundle_of({**FILES, "a/a.rego": text}).modules["a/a.rego"].encode() == text


def test_cases_and_tests_travel_with_it():
    """
    What a bundle must answer comes with it, apart from what decides.
    """
    assert "context/trust/cases.yaml" in SHIPPED.checks
    assert load_bundle(POLICIES).checks == SHIPPED.checks
    assert not any(name in SHIPPED.modules for name in SHIPPED.checks)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "manifest"),
        ({".manifest": "{}"}, "no Rego"),
        ({".manifest": "{}", "a.rego": b"\xff"}, "UTF-8"),
        ({".manifest": "{}", "a.rego": "package a", "data.yaml": "[1]"}, "not a table"),
        ({".manifest": "{}", "a.rego": "package a", "data.yaml": "a: ]"}, "cannot be read"),
        ({".manifest": "{}", "a.rego": "package a", "data.json": "{"}, "cannot be read"),
    ],
)
def test_folders_that_are_no_bundle(tmp_path, files, message):
    """
    Each thing that a bundle folder can lack has its own message.
    """
    for name, body in files.items():
        path = tmp_path / name
        path.write_bytes(body) if isinstance(body, bytes) else path.write_text(body)
    with pytest.raises(BundleInvalidError, match=message):
        load_bundle(tmp_path)


def test_what_was_read_is_whoever_s_who_read_it():
    """
    Tables that somebody changed are read as they stand in the file when they are read again.
    """
    once = load_bundle(POLICIES)
    once.data["registry"]["budgets"]["library"]["sections"].append("task")
    once.data["context"]["trust"].clear()
    assert load_bundle(POLICIES).data == SHIPPED.data


def test_what_did_not_change_is_not_parsed_again(monkeypatch):
    """
    Of a bundle that was read before, only the tables that are others now are parsed.
    """
    files = {path.relative_to(POLICIES).as_posix(): path.read_bytes() for path in POLICIES.rglob("*") if path.is_file()}
    load, texts = yaml.load, []
    monkeypatch.setattr("yaml.load", lambda body, loader: texts.append(body) or load(body, loader))
    bundle_of(files)
    texts.clear()
    models = files["registry/models/data.yaml"] + b"# one more line\n"
    bundle_of({**files, "registry/models/data.yaml": models})
    assert texts == [models]


def test_reading_rego_costs_in_proportion():
    """
    A text that never ends, full of quotes that do not end it, is read once and not from each of them.
    """
    rego = ('package a\nx := "' + '\\"' * 100_000).encode()
    Effort().within(20, lambda: bundle_of({**FILES, "a/a.rego": rego}))


def test_a_bundle_has_a_size():
    """
    Too many files, or too many bytes in all, are refused before one of them is read.
    """
    for files in ({f"{n}.rego": b"" for n in range(2001)}, {f"{n}.rego": b"x" * 400_000 for n in range(21)}):
        with pytest.raises(BundleTooCostlyError):
            bundle_of(files)


def test_what_was_kept_is_read_as_it_was_then():
    """
    A bundle that decided before may have aliases in its tables, and is read with them; a new one may not.
    """
    files = {**FILES, "a/data.yaml": b"x: &x [1]\ny: *x"}
    assert bundle_of(files, kept=True).data["a"]["y"] == [1]
    with pytest.raises(BundleInvalidError):
        bundle_of(files)


def test_reading_what_was_kept_costs_in_proportion():
    """
    Many small files are taken out of a bundle's content one after the other, without copying the rest each time.
    """
    content = b"".join(b"8:%08d4096:" % n + bytes(4096) for n in range(1500))
    Effort().within(20, lambda: files_of(content))

"""`ctxgate policy`: what the commands print of bundles, and with which status they end."""

import gzip
import json

from datetime import UTC, datetime, timedelta

import pytest

from cryptography.hazmat.primitives.asymmetric import ec
from typer.testing import CliRunner

from adapters.policy.bundle_keys import BundleKey
from gateway.cli import application
from gateway.cli.checking.exits import MAY_NOT_DECIDE
from gateway.errors import FieldInvalidError
from gateway.policy.archive import read
from tests.support.bundles import POLICIES, SHIPPED, write_keys


@pytest.fixture
def run():
    """The commands, in this process."""
    runner, app = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1"}), application(["policy"])
    return lambda *arguments: runner.invoke(app, ["policy", *map(str, arguments)])


def test_check_names_file_line_and_hint(run, policies):
    """
    A bundle that may not decide ends with 1, and with the file, the line and what to write instead.
    """
    assert SHIPPED.revision in run("check").stdout
    path = policies / "context/trust/trust.rego"
    path.write_text(path.read_text().replace("#   code: TRU-001", "#   code: TRU-777", 1))
    done = run("check", policies)
    assert done.exit_code == MAY_NOT_DECIDE
    assert "context/trust/trust.rego:" in done.stdout
    assert "Write the same code in both places." in done.stdout


def test_an_archive_that_the_gateway_reads(run, tmp_path):
    """
    `build` writes the bundle of the folder, signed where there is a key, and nothing where a check fails.
    """
    private, public = write_keys(tmp_path, ec.generate_private_key(ec.SECP256R1()), "key")
    out = tmp_path / "bundle.tar.gz"
    assert "not signed" in run("build", "--out", out).stdout
    assert read(out.read_bytes(), None).revision == SHIPPED.revision
    assert run("build", "--out", out, "--sign", private).exit_code == 0
    assert read(out.read_bytes(), BundleKey(public)).revision == SHIPPED.revision
    assert gzip.decompress(out.read_bytes())


def test_an_archive_says_how_new_it_is(run, tmp_path):
    """
    `build` writes a serial that rises by itself, or the one that is asked for, and an expiry after so many days.
    """
    out = tmp_path / "bundle.tar.gz"
    said = run("build", "--out", out, "--serial", 7, "--days", 2).stdout
    first = read(out.read_bytes(), None).numbering
    assert first.serial == 7
    assert f"Serial 7, expires {first.expires}" in said
    assert timedelta(days=1) < first.until - datetime.now(UTC) <= timedelta(days=2)
    run("build", "--out", out)
    assert read(out.read_bytes(), None).numbering.serial > 1_700_000_000


def test_no_archive_of_what_may_not_decide(run, policies, tmp_path):
    """
    A bundle that fails a check is not written.
    """
    path = policies / "context/trust/trust.rego"
    path.write_text(path.read_text() + "\nbad if count(deny) == 0\n")
    out = tmp_path / "bundle.tar.gz"
    assert run("build", policies, "--out", out).exit_code != 0
    assert not out.exists()


def test_differences_in_words(run, policies):
    """
    Two folders that decide alike differ in nothing; a changed row is a sentence.
    """
    assert run("diff", POLICIES, policies).stdout == "Nothing that decides differs.\n"
    data = policies / "context/trust/data.yaml"
    data.write_text(data.read_text().replace("web_purposes: [general_research]", "web_purposes: [routing]", 1))
    assert "routing is added" in run("diff", POLICIES, policies).stdout


def test_differences_name_the_cases_that_are_gone(run, policies):
    """
    An officer who compares two folders sees which cases the new one does without, though nothing that decides differs.
    """
    cases = policies / "context/classification/cases.yaml"
    text = cases.read_text()
    gone = '  - case: "no classification"\n    change: {item: {data_classification: null}}\n    codes: [CLS-001, CLS-002]\n'
    cases.write_text(text.replace(gone, ""))
    assert text != cases.read_text()
    said = run("diff", POLICIES, policies).stdout
    assert "no classification: nothing checks any more that it is refused with CLS-001, CLS-002." in " ".join(
        said.split()
    )


def test_facts_as_json(run, policies):
    """
    Areas and differences are one document each for another program.
    """
    listed = json.loads(run("areas", "--json").stdout)
    assert {"name", "title", "asked_by"} <= listed[0].keys()
    cases = policies / "context/classification/cases.yaml"
    cases.write_text(
        cases.read_text().replace(
            "analyst: [allowed, allowed, allowed, CLS-001]", "analyst: [allowed, allowed, allowed, allowed]"
        )
    )
    document = json.loads(run("diff", POLICIES, policies, "--json").stdout)
    assert document["old"] == document["new"] == SHIPPED.revision
    assert document["differences"] == []
    assert [one["kind"] for one in document["cases"]] == ["weakened"]


def test_explain_needs_something_to_explain(run):
    """
    Without an item and a person, or a decision, there is nothing to explain.
    """
    done = run("explain")
    assert isinstance(done.exception, FieldInvalidError)
    assert done.exception.fields[0][0] == "--item"

"""What reports on the command line have in common."""

import json

import pytest

from gateway.cli.report.making import write
from gateway.errors import ReportNotWrittenError
from tests.support.reports import HOSTILE, sample


def test_what_is_printed_is_not_painted(capsys):
    """
    A title or a sentence moves no cursor and paints nothing, whoever wrote it.
    """
    write(sample(*HOSTILE), None, None, as_json=False)
    out = capsys.readouterr().out
    assert HOSTILE[0] in out
    assert not {"\x1b", "\u202e", "\x00"} & set(out)


def test_json_alone_is_printed(capsys, tmp_path):
    """
    A program that asks for JSON gets nothing else, whatever files are written beside.
    """
    write(sample("x"), tmp_path / "x.html", tmp_path / "x.pdf", as_json=True)
    assert json.loads(capsys.readouterr().out)["report"] == "sample"
    assert (tmp_path / "x.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF-")


def test_a_file_that_cannot_be_written(tmp_path):
    """
    A folder that is not there is an error with a code.
    """
    with pytest.raises(ReportNotWrittenError):
        write(sample("x"), tmp_path / "none/x.html", None, as_json=False)

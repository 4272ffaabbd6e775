"""Fixtures of the commands' tests: a folder to run them in, with or without a ledger."""

import shutil

import pytest

from tests.support.commands import in_folder, process_in


@pytest.fixture
def run(tmp_path):
    """The command, in a folder of its own."""
    return in_folder(tmp_path)


@pytest.fixture
def process(tmp_path):
    """The same as a process."""
    return process_in(tmp_path)


@pytest.fixture(scope="session")
def told(tmp_path_factory):
    """A folder with the ledger of the bundled story."""
    folder = tmp_path_factory.mktemp("told")
    done = in_folder(folder)("demo")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def ledger(told, tmp_path):
    """The same in a folder of its own."""
    shutil.copytree(told, tmp_path, dirs_exist_ok=True)
    return in_folder(tmp_path)

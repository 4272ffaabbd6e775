"""`ctxgate ledger evidence`: a pack had again as a file, which every verifier accepts."""

import json

import pytest

from gateway.settings import HOME
from tests.support.commands import VERIFY, in_folder, verify_export
from tests.support.erasing import forget_by_command
from tests.support.services import need


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The command in a folder with the story's pack, whose content is kept."""
    folder = tmp_path_factory.mktemp("kept")
    run = in_folder(folder)
    assert run("demo", CTXGATE_KEEP_CONTENT="1").returncode == 0
    return folder, run


def test_a_pack_had_again_verifies(kept):
    """
    The file is the pack as it was handed over; our verifier and that of one file accept it, and change one byte and neither does.
    """
    folder, run = kept
    given = json.loads((folder / "pack.json").read_text())
    assert run("ledger", "evidence", given["id"], "--out", "again.json").returncode == 0
    assert json.loads((folder / "again.json").read_text()) == given
    assert run("ledger", "verify-receipt", "again.json").returncode == 0
    assert run("ledger", "export", "out").returncode == 0
    assert verify_export(folder / "out", "--pack", folder / "again.json").returncode == 0
    (folder / "again.json").write_text(json.dumps({**given, "created_at": "2027-01-01T00:00:00.000000Z"}))
    assert run("ledger", "verify-receipt", "again.json").returncode != 0
    assert verify_export(folder / "out", "--pack", folder / "again.json").returncode == 1
    assert run(*VERIFY).returncode == 0
    assert "MATCH 46" in run("ledger", "replay").stdout


def test_a_pack_and_an_item_are_shown(kept):
    """
    Without a file the pack is shown with its prompt, and an item with what it released; there is no file of an item.
    """
    folder, run = kept
    given = json.loads((folder / "pack.json").read_text())
    shown = json.loads(run("ledger", "evidence", given["id"]).stdout)
    assert shown["pack"] == given
    assert shown["prompt"]["messages"]
    item = given["sections"][0]["items"][0]["decision_id"]
    assert json.loads(run("ledger", "evidence", item).stdout)["released"]
    assert run("ledger", "evidence", item, "--out", "item.json").returncode == 1


def test_after_a_rotation_the_receipt_is_of_the_present_key(kept):
    """
    With another signing key the receipt is issued again under it, and holds; the pack is the same.
    """
    folder, run = kept
    given = json.loads((folder / "pack.json").read_text())
    assert run("ledger", "keygen", "--rotate").returncode == 0
    assert run("ledger", "evidence", given["id"], "--out", "after.json").returncode == 0
    after = json.loads((folder / "after.json").read_text())
    assert after.pop("receipt")["key"] != given.pop("receipt")["key"]
    assert after == given
    assert run("ledger", "verify-receipt", "after.json").returncode == 0


def test_where_nothing_is_kept(ledger, tmp_path):
    """
    By default there is nothing to show, and the refusal says which setting keeps it.
    """
    name = json.loads((tmp_path / "pack.json").read_text())["id"]
    done = ledger("ledger", "evidence", name)
    assert done.returncode == 1
    assert "CTXGATE_KEEP_CONTENT" in done.stderr


def test_postgres(run, postgres, tmp_path):
    """
    On PostgreSQL the pack comes back from the database as it was handed over, and not after its person is erased.
    """
    need(postgres is not None, "PostgreSQL")
    name = postgres.new_ledger()
    database = {"CTXGATE_LEDGER_URL": postgres.url(name, "gateway"), "CTXGATE_KEEP_CONTENT": "1"}
    assert run("demo", **database).returncode == 0
    given = json.loads((tmp_path / "pack.json").read_text())
    again = ("ledger", "evidence", given["id"], "--out", "again.json")
    assert run(*again, **database).returncode == 0
    assert json.loads((tmp_path / "again.json").read_text()) == given
    person = json.loads((HOME / "examples/npa-risk/subject.json").read_text())
    done = forget_by_command(
        run,
        tmp_path,
        person["sub"],
        **database,
        CTXGATE_LEDGER_ERASER_URL=postgres.url(name, "eraser"),
        CTXGATE_LEDGER_OWNER_URL=postgres.url(name),
    )
    assert done.returncode == 0, done.stderr
    gone = run(*again, **database)
    assert (gone.returncode, "GW-171" in gone.stderr) == (1, True)
    assert run(*VERIFY, **database).returncode == 0

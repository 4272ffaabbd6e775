"""`ctxgate source`."""

import json

import yaml

from gateway.settings import Settings
from tests.support import records_bank as bank


def at(tmp_path, **changes):
    made = bank.calling(Settings(state_dir=tmp_path / "state"), tmp_path, **changes)
    return {"CTXGATE_POLICIES_DIR": str(made.policies_dir), "CTXGATE_CONNECTIONS": str(made.connections)}


def test_list_and_check(run, tmp_path):
    """
    Sources with their tools; a query whose tables are there is as accepted.
    """
    where = at(tmp_path)
    listed = run("source", "list", **where)
    [line] = [line for line in listed.stdout.splitlines() if "sor-records" in line]
    assert "sql" in line
    assert "yes" in line
    checked = run("source", "check", "--json", "sor-records", **where)
    assert (checked.returncode, checked.stderr) == (0, "")
    found = {one["tool"]: one["finding"] for one in json.loads(checked.stdout)}
    assert found == dict.fromkeys(bank.TOOLS, "accepted")


def test_a_pin_is_shown_whole(run, tmp_path):
    """
    On the narrowest of screens the pin that an officer is to accept can be read to its end.
    """
    where = at(tmp_path, tools={"form": bank.TOOLS["get_form_data"]})
    [one] = [one for one in json.loads(run("source", "check", "--json", **where).stdout) if one["tool"] == "form"]
    shown = run("source", "check", **where, COLUMNS="80").stdout
    cells = [line.split("│")[-2].strip() for line in shown.splitlines() if line.startswith("│")]
    assert one["pin"] in "".join(cells)


def test_check_fails_where_something_is_not_as_accepted(run, tmp_path):
    """
    A source without a connection, and a query that its database cannot answer.
    """
    where = at(tmp_path)
    (tmp_path / "records.sqlite").unlink()
    for _ in range(2):
        checked = run("source", "check", **where)
        assert checked.returncode == 1
        assert "unreachable" in checked.stdout
        (tmp_path / "connections.yaml").write_text(yaml.safe_dump({"sources": {}}))
    unknown = run("source", "check", "sor-record", **where)
    assert (unknown.returncode, "Did you mean sor-records?" in unknown.stderr) == (1, True)


def test_call(run, tmp_path):
    """
    How long it took and what it is made of; what it says is shown when asked for alone.
    """
    where = at(tmp_path)
    asked = ("source", "call", "get_npa_by_id", "--argument", f"project={bank.PROJECT}")
    quiet = run(*asked, **where)
    assert (quiet.returncode, quiet.stdout) == (0, "")
    assert "members: project_id, title, jurisdiction, jurisdictions" in " ".join(quiet.stderr.split())
    shown = json.loads(run(*asked, "--show", **where).stdout)
    assert shown["title"] == "FX target redemption forward"
    assert run("source", "call", "nothing", **where).returncode == 1
    assert "GW-267" in run("source", "call", "get_npa_by_id", "--argument", "other=1", **where).stderr
    assert "GW-267" in run("source", "call", "get_npa_by_id", "--argument", "project=142", **where).stderr
    text = run("source", "call", "get_npa_by_id", "--argument", f'project="{bank.PROJECT}"', **where)
    assert (text.returncode, "members: project_id" in text.stderr) == (0, True)
    assert "GW-900" in run("source", "call", "get_npa_by_id").stderr

"""Bundles from an officer's own machine: proposed by one, looked at and activated by another, taken back by one alone."""

import json

from tests.support.bundles import OFFICER, SHIPPED, WEB_FOR_RISK, files
from tests.support.commands import officer
from tests.support.serving import served


def written(folder, changes):
    """A bundle folder with changes, as an officer edits it."""
    for name, text in files(changes).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_from_proposal_to_rollback_at_a_gateway_elsewhere(run, tmp_path):
    """
    Two officers with a token each bring a bundle from a folder to decide: the second sees who proposed it and which cases go, and
    acknowledges exactly these; one takes it back alone, and is told that this is flagged.
    """
    changed = written(tmp_path / "changed", WEB_FOR_RISK)
    with served(tmp_path) as server:
        ann, ben = (officer(run, tmp_path, name, OFFICER) for name in ("ann", "ben"))

        def desk(who, *arguments):
            return run("policy", *arguments, "--server", server, "--token-file", who)

        proposed = desk(ann, "propose", changed)
        assert proposed.returncode == 0, proposed.stderr
        revision = proposed.stdout.split()[1]
        assert "risk_assessment is added" in proposed.stdout
        assert "TRU-003" in proposed.stdout

        assert f"candidate {revision}" in desk(ben, "review").stdout
        shown = desk(ben, "review", revision[:20])
        assert "proposed by ann at " in shown.stdout
        assert "weakened context/trust/cases.yaml: " in shown.stdout
        as_json = json.loads(desk(ben, "review", revision, "--json").stdout)
        assert as_json["acknowledge"] in shown.stdout

        blind = desk(ben, "activate", revision)
        assert (blind.returncode, "GW-235" in blind.stderr) == (1, True), blind.stderr
        assert desk(ben, "activate", revision, "--accept-removed-cases", "sha256:00000000").returncode == 1
        own = desk(ann, "activate", revision, "--accept-removed-cases", as_json["acknowledge"])
        assert "GW-154" in own.stderr
        done = desk(ben, "activate", revision, "--accept-removed-cases", as_json["acknowledge"][:20])
        assert done.stdout == f"Decides from now on: {revision}\n", done.stderr

        assert desk(ben, "rollback").stdout.splitlines() == [SHIPPED.revision, f"{revision} decides"]
        back = desk(ben, "rollback", SHIPPED.revision)
        assert "BREAK-GLASS" in back.stdout, back.stderr
        assert "Proposed" in desk(ben, "rollback", revision).stdout

        watched = desk(ann, "shadow", revision)
        assert f"{revision} watches since 20" in watched.stdout, watched.stderr
        assert "0 requests, 0 questions, 0 answered otherwise." in watched.stdout
        assert desk(ann, "shadow", "--stop").stdout == "No bundle watches.\n"


def test_a_bad_candidate_is_told_with_its_places(run, tmp_path):
    """
    An officer whose candidate fails a check or a case reads the file and the line of each problem; the token stands nowhere.
    """
    change = [("context/trust/data.yaml", "web_purposes: [general_research]", "web_purposes: [nothing_known]")]
    with served(tmp_path) as server:
        ann = officer(run, tmp_path, "ann", OFFICER)
        told = run("policy", "propose", written(tmp_path / "bad", change), "--server", server, "--token-file", ann)
        assert told.returncode == 1
        assert "GW-203" in told.stderr
        assert "context/trust/data.yaml:" in told.stderr
        assert ann.read_text().strip() not in told.stderr + told.stdout
        given = {"CTXGATE_SERVER": server, "CTXGATE_TOKEN": ann.read_text()}
        assert run("policy", "review", **given).stdout == "Nothing waits for a second officer.\n"

"""`ctxgate dev`."""

import json


def test_jwks_can_be_handed_over(run, tmp_path):
    """
    The development key can be written as a JWK set, without its private part.
    """
    assert run("dev", "jwks", "--out", tmp_path / "jwks.json").returncode == 0
    [key] = json.loads((tmp_path / "jwks.json").read_text())["keys"]
    assert "d" not in key
    assert run("dev", "jwks").stdout


def test_a_claims_file_says_its_agents(run, tmp_path, subject):
    """
    A claims file without agents is refused with what to add to it, for a token as for a pack; where the gateway is set to
    believe requests it needs none.
    """
    file = tmp_path / "subject.json"
    for agents in ({}, {"agents": []}, {"agents": None}):
        file.write_text(json.dumps({**{name: subject[name] for name in subject if name != "agents"}, **agents}))
        refused = run("dev", "token", "--as", file)
        assert refused.returncode != 0
        assert "GW-106" in refused.stderr
        assert '"agents": ["RISK"]' in " ".join(refused.stderr.split())
    believed = run("dev", "token", "--as", file, CTXGATE_AGENT_BINDING="declared")
    assert believed.returncode == 0

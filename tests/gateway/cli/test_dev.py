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

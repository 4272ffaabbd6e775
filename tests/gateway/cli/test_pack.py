"""`ctxgate pack`."""

import json

import pytest


@pytest.fixture
def saved(sealed, tmp_path):
    path = tmp_path / "pack.json"
    path.write_text(json.dumps(sealed))
    return path


async def test_show_and_render(saved, sealed, verify, tmp_path):
    """
    The panel names each source with tier, section and date, strongest first; what was cited can be shown alone; the page
    loads nothing and forges nothing; the prompt is rendered from the file alone.
    """
    from typer.testing import CliRunner

    from gateway.cli import application

    runner = CliRunner(env={"COLUMNS": "200"})
    shown = runner.invoke(application(), ["pack", "show", str(saved)])
    assert shown.exit_code == 0, shown.output
    assert "[T1] SoR:npa_projects" in shown.output
    assert "System of Record" in shown.output
    assert "prompt_library" not in shown.output.split("Layers")[0]
    assert shown.output.index("[T1]") < shown.output.index("[T2]")
    assert "Layers" in shown.output
    reply = (await verify({"text": "x", "citations": [{"item_id": "sop-4.2.1"}]})).json()
    (tmp_path / "reply.json").write_text(json.dumps(reply))
    cited = runner.invoke(application(), ["pack", "show", str(saved), "--verified", str(tmp_path / "reply.json")])
    assert "MISATTRIBUTION" in cited.output
    assert "npa_projects" not in cited.output
    told = json.loads(runner.invoke(application(), ["pack", "show", str(saved), "--json"]).output)
    assert told["sources"][0]["tier"] == 1
    assert {one["layer"] for one in told["layers"]}
    assert told["claims"] == {}
    out = tmp_path / "panel.html"
    html = runner.invoke(application(), ["pack", "show", str(saved), "--html", str(out)])
    assert html.exit_code == 0
    page = out.read_text()
    assert "default-src 'none'" in page
    assert "http://" not in page.replace("http-equiv", "")
    for provider in ("openai", "anthropic", "gemini"):
        prompt = runner.invoke(application(), ["pack", "render", str(saved), "--for", provider])
        assert json.loads(prompt.output)
    (tmp_path / "no.json").write_text("{}")
    assert runner.invoke(application(), ["pack", "show", str(tmp_path / "no.json")]).exit_code == 1

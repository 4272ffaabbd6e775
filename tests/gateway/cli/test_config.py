"""`ctxgate config`."""

import pytest


def test_a_file_and_the_environment(run, tmp_path):
    """
    A YAML file gives settings, the environment goes before it, secrets are not shown.
    """
    (tmp_path / "c.yaml").write_text("max_concurrent: 7\nmax_waiting: 5\nledger_url: postgresql://x:hunter2@y/z\n")
    shown = run("config", "show", "--changed", CTXGATE_CONFIG="c.yaml", CTXGATE_MAX_WAITING="9").stdout
    rows = {line.split("│")[1].strip(): line.split("│")[2].strip() for line in shown.splitlines() if "CTXGATE" in line}
    assert rows["CTXGATE_MAX_CONCURRENT"] == "7"
    assert rows["CTXGATE_MAX_WAITING"] == "9"
    assert "hunter2" not in shown


@pytest.mark.parametrize(
    ("text", "environment", "name"),
    [
        ("max_concurrent: many", {}, "CTXGATE_MAX_CONCURRENT"),
        ("no_such_setting: 1", {}, "CTXGATE_NO_SUCH_SETTING"),
        ("", {"CTXGATE_MAX_ITEMS": "0"}, "CTXGATE_MAX_ITEMS"),
        ("", {"CTXGATE_CONFIG": "none.yaml"}, "none.yaml"),
    ],
)
def test_mistakes(run, tmp_path, text, environment, name):
    """
    A setting that is not one is named, with a code and without a trace.
    """
    (tmp_path / "c.yaml").write_text(text)
    done = run("config", "show", **{"CTXGATE_CONFIG": "c.yaml", **environment})
    assert done.returncode == 1
    assert "GW-900" in done.stderr
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_check(run):
    """
    `check` starts everything once, and says what would not start.
    """
    assert run("config", "check", CTXGATE_DETECTOR_WORKERS="0").returncode == 0
    broken = run("config", "check", CTXGATE_DETECTOR_WORKERS="0", CTXGATE_POLICIES_DIR="nowhere")
    assert broken.returncode == 1
    assert "GW-" in broken.stderr

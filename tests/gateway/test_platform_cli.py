"""The platform engineer's commands: settings, and a running gateway at a glance."""

import io
import os
import signal
import subprocess
import sys

import pytest

from rich.console import Console

from gateway.cli.top import samples, view
from gateway.errors import NotFoundError
from gateway.settings import HOME
from tools.loopback import free_port, until_up


@pytest.fixture
def run(tmp_path):
    """`ctxgate …` in a folder of its own."""

    def command(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-c", "from gateway.cli import main; main()", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(HOME), "COLUMNS": "180", **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return command


class TestConfig:
    def test_a_file_and_the_environment(self, run, tmp_path):
        """
        A YAML file gives settings, the environment goes before it, secrets are not shown.
        """
        (tmp_path / "c.yaml").write_text("max_concurrent: 7\nmax_waiting: 5\nledger_url: postgresql://x:hunter2@y/z\n")
        shown = run("config", "show", "--changed", CTXGATE_CONFIG="c.yaml", CTXGATE_MAX_WAITING="9").stdout
        rows = {
            line.split("│")[1].strip(): line.split("│")[2].strip() for line in shown.splitlines() if "CTXGATE" in line
        }
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
    def test_mistakes(self, run, tmp_path, text, environment, name):
        """
        A setting that is not one is named, with a code and without a trace.
        """
        (tmp_path / "c.yaml").write_text(text)
        done = run("config", "show", **{"CTXGATE_CONFIG": "c.yaml", **environment})
        assert done.returncode == 1
        assert "GW-900" in done.stderr
        assert name in done.stderr
        assert "Traceback" not in done.stderr

    def test_check(self, run):
        """
        `check` starts everything once, and says what would not start.
        """
        assert run("config", "check", CTXGATE_DETECTOR_WORKERS="0").returncode == 0
        broken = run("config", "check", CTXGATE_DETECTOR_WORKERS="0", CTXGATE_POLICIES_DIR="nowhere")
        assert broken.returncode == 1
        assert "GW-" in broken.stderr


class TestServing:
    def test_top_and_an_accepted_rollback(self, run, tmp_path):
        """
        `serve --accept-rollback` goes on from an older copy, which is recorded; `top` shows the gateway that runs.
        """
        assert run("demo").returncode == 0
        state = tmp_path / ".ctxgate"
        copies = {path.name: path.read_bytes() for path in state.glob("ledger.sqlite*")}
        assert run("ledger", "query").returncode == 0
        for path in state.glob("ledger.sqlite*"):
            path.unlink()
        for name, body in copies.items():
            (state / name).write_bytes(body)
        port = free_port()
        command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(port)]
        environment = {**os.environ, "PYTHONPATH": str(HOME), "CTXGATE_DETECTOR_WORKERS": "0"}
        given = {"cwd": tmp_path, "env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        assert subprocess.run(command, **given, check=False, timeout=120).returncode != 0
        process = subprocess.Popen([*command, "--accept-rollback", "restored on 2 March"], **given)
        url = f"http://127.0.0.1:{port}"
        try:
            until_up(process, f"{url}/readyz")
            first = samples(url)
            out = io.StringIO()
            Console(file=out, width=100).print(view(first, samples(url), 1.0))
            assert "log of" in out.getvalue()
            assert run("top", "--url", url, "--every", "0.1", "--looks", "2").returncode == 0
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) in {0, -signal.SIGTERM}
        assert "ROLLBACK-ACCEPTED" in run("ledger", "query", "--kind", "lane.opened").stdout

    def test_no_gateway(self):
        """
        Where there is no gateway `top` says so.
        """
        with pytest.raises(NotFoundError):
            samples("http://127.0.0.1:9")

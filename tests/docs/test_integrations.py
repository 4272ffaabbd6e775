"""The page about integrations: what is pasted from it works."""

import os
import re
import subprocess

from gateway.settings import HOME
from tests.support.services import need
from tools.loopback import free_port

PAGE = (HOME / "docs/integrations.md").read_text()


def block(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]


def test_a_first_governed_answer(tmp_path):
    """
    From an empty folder the lines of the page give the question without the NRIC; the Python is four lines.
    """
    need((HOME / ".venv/bin/activate").is_file(), "the .venv of `make install`")
    assert block("python").partition("\n\n")[2].count("\n") == 4
    port = str(free_port())
    (tmp_path / "first.py").write_text(block("python").replace("8080", port))
    script = f"trap 'kill $(jobs -p)' EXIT\n{block('bash')}\npython first.py\n".replace("8080", port)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={
            **os.environ,
            "PATH": f"{HOME / '.venv/bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(HOME / "sdk/ctxgate_client"),
            "CTXGATE_DETECTOR_WORKERS": "1",
        },
    )
    assert done.returncode == 0, done.stderr
    assert "S1234567D" not in done.stdout
    assert "<SG_NRIC_FIN>" in done.stdout
    assert "redact:replace" in done.stdout

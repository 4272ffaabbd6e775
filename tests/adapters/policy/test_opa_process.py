"""OPA servers of our own: one a bundle, started when it is first asked, and gone at the end."""

import json
import os

from pathlib import Path

import pytest

from adapters.policy.opa_process import OpaProcesses
from gateway.errors import ConfigurationError, PolicyUnavailableError
from gateway.policy.bundle import bundle_of
from tests.support.services import OPA, need


@pytest.fixture(autouse=True)
def _path(monkeypatch):
    need(OPA is not None, "opa")
    monkeypatch.setenv("PATH", f"{Path(str(OPA)).parent}:{os.environ['PATH']}")


def bundle(answer):
    return bundle_of(
        {
            ".manifest": b'{"roots": ["context"], "rego_version": 1}',
            "context/a.rego": f"package context\n\nadmit := {answer}\n\nodd := to_number(input.text)\n".encode(),
        }
    )


def test_each_revision_has_its_own_server():
    """
    Bundles decide side by side, each started once, and answer for every input in order; what is undefined has no value.
    """
    asked = []
    kept = {"one": bundle('{"n": input.n}'), "two": bundle("{}")}
    with OpaProcesses(lambda revision: asked.append(revision) or kept[revision]) as opa:
        inputs = [json.dumps({"n": n}).encode() for n in (1, 2)]
        assert opa.ask("one", "context/admit", inputs) == [{"n": 1}, {"n": 2}]
        assert opa.ask("two", "context/admit", inputs) == [{}, {}]
        assert opa.ask("one", "context/nothing", inputs[:1]) == [None]
        assert asked == ["one", "two"]
        with pytest.raises(PolicyUnavailableError, match="did not answer"):
            opa.ask("one", "context/odd", [b'{"text": "no number"}'])
        with pytest.raises(PolicyUnavailableError):
            opa.ask("one", "context/admit", [b"{"])


def test_nothing_is_left():
    """
    At the end the servers are killed and their folders are gone.
    """
    with OpaProcesses(lambda _: bundle("{}")) as opa:
        opa.ask("one", "context/admit", [b"{}"])
        [folder] = [Path(one) for one in _folders()]
        assert len(_servers(folder)) == 1
    assert not folder.exists()
    assert _servers(folder) == []


def _servers(folder):
    """Processes whose command names the folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder) in path.read_text():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def _folders():
    """Folders of servers that this process started."""
    ours = f"/proc/{os.getpid()}/task/{os.getpid()}/children"
    for child in Path(ours).read_text().split():
        for part in Path(f"/proc/{child}/cmdline").read_text().split("\0"):
            if part.startswith("unix://"):
                yield Path(part.removeprefix("unix://")).parent


def test_without_the_binary(monkeypatch):
    """
    Where there is no `opa` the error says so, before anything is started.
    """
    monkeypatch.setenv("PATH", "/nowhere")
    with OpaProcesses(lambda _: bundle("{}")) as opa, pytest.raises(ConfigurationError, match="opa"):
        opa.ask("one", "context/admit", [b"{}"])


def test_a_bundle_that_does_not_compile(monkeypatch):
    """
    A server that ends at its start is told as one that did not start.
    """
    monkeypatch.setattr("adapters.policy.opa_process._START_SECONDS", 0.3)
    with OpaProcesses(lambda _: bundle("broken(")) as opa, pytest.raises(PolicyUnavailableError, match="start"):
        opa.ask("one", "context/admit", [b"{}"])

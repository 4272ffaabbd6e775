"""
docs/auditors.md, line by line: each command of the page is run, in its order, against a ledger of 1,000 records.

The keys hold plus signs and slashes, the pack lies above index 256, and a witness answers over HTTP.
"""

import json
import os
import re
import shlex
import shutil
import string
import subprocess
import sys
import threading
import time

from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from adapters.ledger.ed25519 import Ed25519Verifier, make_signing_key
from gateway.bootstrap.key_files import make_keys
from gateway.bootstrap.keys import read_signer
from gateway.settings import HOME, Settings
from ledger.erasable import commit_person
from ledger.lane import LaneWriter
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.tlog.note import COSIGNATURE
from ledger.tlog.witness import Witness, WitnessState
from tests.support.commands import in_folder, officer
from tests.support.strategies import REPLICA, ruling, uid, write

ORIGIN = "ctxgate.local/ledger"
PAGE = (HOME / "docs/auditors.md").read_text()
LINES = [
    line[2:]
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def awkward_key(name, path, algorithm=1):
    """A new key whose Base64 holds both a plus sign and a slash."""
    while True:
        made = make_signing_key(name, path, algorithm)
        if {"+", "/"} <= set(str(made.key).split("+", 2)[2]):
            return made
        path.unlink()


class Http(BaseHTTPRequestHandler):
    """A witness as its protocol has it over HTTP."""

    witness: Witness

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.answer(self.witness.add_checkpoint(body))

    def do_GET(self):
        self.answer(self.witness.head(self.path.removeprefix("/checkpoint/")))

    def answer(self, answer):
        body = answer.body.encode()
        self.send_response(answer.status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def witness(tmp_path):
    signer = awkward_key("audit.example", tmp_path / "w.skey", COSIGNATURE)
    made = Witness(signer, {}, WitnessState(tmp_path / "witness.sqlite"), lambda: int(time.time()))
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Http,), {"witness": made}))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    made.state.close()


QUICKSTART = HOME / "examples/quickstart"


def fill(settings):
    """999 records of another tenant, under a checkpoint that somebody keeps."""
    store = SqliteStore(settings.ledger_file)
    own = read_signer(settings.signing_key)
    lane = LaneWriter(store, ORIGIN, REPLICA, own)
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    person = store.person("other", "ann", b"key of ann")
    asker = {"tenant": "other", "subject": person.token, "person": commit_person(person.salt, "other", "ann")}
    for _ in range(37):
        request = uid()
        drafts = [ruling(request, f"item-{n}", at=at, **asker) for n in range(27)]
        write(lane, *drafts, sealed=[b"sealed"] * len(drafts))
    published = Sequencer(store, ORIGIN, [own], lambda: [Ed25519Verifier(own.key)]).run()
    store.close()
    return published.note


def told(run, *arguments):
    done = run(*arguments)
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture
def desk(tmp_path, witness, monkeypatch):
    """A folder as an auditor would have it, with a ledger of 1,000 records whose policy asks for the witness."""
    made, url = witness
    folder = tmp_path / "desk"
    settings = Settings(state_dir=folder / ".ctxgate", origin=ORIGIN)
    make_keys(settings)
    settings.signing_key.unlink()
    key = awkward_key(ORIGIN, settings.signing_key).key
    settings.verifier_keys.write_text(f"{key}\n")
    made.logs[ORIGIN] = (Ed25519Verifier(key),)
    (folder / "mine.tlog").write_text(f"log {key}\nwitness audit {made.signer.key} {url}\nquorum audit\n")
    (folder / "kept").write_text(fill(settings))
    monkeypatch.setenv("CTXGATE_TRUST_POLICY", str(folder / "mine.tlog"))
    monkeypatch.setenv("CTXGATE_KEEP_CONTENT", "true")
    monkeypatch.setenv("CTXGATE_DETECTOR_WORKERS", "0")
    run = in_folder(folder)
    (folder / "request.json").write_text(told(run, "dev", "request", QUICKSTART / "request.json"))
    (folder / "signed.json").write_text(told(run, "dev", "sign", "request.json"))
    told(run, "assemble", "signed.json", "--as", QUICKSTART / "subject.json", "--out", "pack.json")
    told(run, "ledger", "checkpoint")
    shutil.copy(HOME / "tools/verify_ledger.py", folder)
    for name in ("officer", "second"):
        officer(run, folder, name, "erasure:write")
    person = json.loads((QUICKSTART / "subject.json").read_text())
    named = {"POLICY": "mine.tlog", "WITNESS": url, "KEPT": "kept", "NAME": person["sub"], "TENANT": person["tenant"]}
    return folder, run, named


def shell(line, folder, named, given=""):
    """What a line gives in a shell."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env={**os.environ, **named, "PATH": path},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (line, done.stdout, done.stderr)
    return done.stdout


def carried_out(line, folder, run, named):
    """What a line of the page gives; `ctxgate` runs in this process, and what it writes goes on in the shell."""
    if assigned := re.fullmatch(r"([A-Z]+)=(.*)", line):
        named[assigned[1]] = shell(f"printf %s {assigned[2]}", folder, named)
        return ""
    if not line.startswith("ctxgate "):
        return shell(line, folder, named)
    command, *rest = re.split(r" (?=[>|] )", line, maxsplit=1)
    said = told(run, *(shlex.split(string.Template(command).substitute(named))[1:]))
    if erased := re.search(r"Erased what stood behind ([0-9a-f-]{36})", said):
        named["TOKEN"] = erased[1]
    if asked := re.search(r"ERQ-[0-9a-f]{16}", said):
        named["ID"] = asked[0]
    return shell(f"cat {rest[0]}", folder, named, said) if rest else said


def test_every_line_of_the_page(desk):
    """
    Each line of docs/auditors.md works as written, in its order, and the lines made by hand agree with one another.
    """
    folder, run, named = desk
    assert len(LINES) > 20
    said = {line: carried_out(line, folder, run, named) for line in LINES}
    assert int(named["INDEX"]) > 999
    [hashed] = [text for line, text in said.items() if line.endswith("| sha256sum")]
    [in_tile] = [text for line, text in said.items() if line.startswith("xxd ")]
    assert hashed.split()[0] == in_tile.strip()
    [verdict] = [text for line, text in said.items() if line.startswith("openssl ")]
    assert "Signature Verified Successfully" in verdict
    verified = [text for line, text in said.items() if "verify_ledger.py" in line]
    assert all(text.startswith("OK ctxgate.local/ledger: 1") and "a quorum of witnesses" in text for text in verified)
    assert not [text for text in verified if "was not asked" in text or "from the export itself" in text]


def test_every_option_and_file_is_on_the_page(desk):
    """
    The page names every option of the verifier and every file and folder of an export.
    """
    folder, run, _ = desk
    told(run, "ledger", "export", "out")
    options = re.findall(r"(?m)^  (--[a-z]+)", shell("python3 verify_ledger.py --help", folder, {}))
    assert set(options) > {"--policy", "--fresh", "--witness", "--apart"}
    assert not [option for option in options if f"`{option}" not in PAGE]
    assert not [path.name for path in (folder / "out").iterdir() if f"`{path.name}" not in PAGE]

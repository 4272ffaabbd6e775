"""The evaluation harness: what it generates, what it measures, and a model behind it."""

import json
import re
import threading

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from adapters.packing.tiktoken import TiktokenTokenizer
from bench.context_rot import BASELINES, NEEDLES, Kept, draw, figures_of, filled, measured, world


class Stub(BaseHTTPRequestHandler):
    """An OpenAI-compatible model that knows exactly what stands in its prompt."""

    asked: list[dict[str, object]] = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(body)
        prompt, question = (message["content"] for message in body["messages"])
        number, topic = re.search(r"window (\d+) of (\w+)", question).groups()
        found = re.search(rf"Window {number} of {topic} closes at (\S+)", prompt)
        content = found[1] if found else "I do not know."
        answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.fixture
def endpoint():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_the_world():
    """
    A world holds its needles, is the same for the same seed, and another for another.
    """
    some = world(60, 3)
    assert len(some.items) == 60
    assert set(some.needles) <= {item["id"] for item in some.items}
    assert [item["id"] for item in world(60, 3).items] == [item["id"] for item in some.items]
    assert [item["id"] for item in world(60, 4).items] != [item["id"] for item in some.items]


def test_baselines_keep_the_budget():
    """
    Baselines take whole items and never more than there is room for.
    """
    some = world(80, 1)
    for order in BASELINES.values():
        kept = filled(some, order, TiktokenTokenizer(), 1500)
        assert 0 < sum(kept.tokens) <= 1500


def test_figures_tell_good_from_bad():
    """
    All needles first and nothing else is as good as can be; nothing but an outdated one is as bad.
    """
    some = world(40, 1)
    good = figures_of(some, Kept(list(some.needles), [10] * NEEDLES, 1.0, ""))
    assert (good["recall"], good["distractor_share"], good["outdated_kept"]) == (1.0, 0.0, 0.0)
    bad = figures_of(some, Kept(["noise-30", *some.outdated], [10] * (1 + len(some.outdated)), 1.0, ""))
    assert (bad["recall"], bad["outdated_kept"]) == (0.0, 1.0)
    assert bad["distractor_share"] > 0


async def test_through_the_gateway_and_a_model(endpoint, tmp_path):
    """
    Through the real pipeline no outdated needle survives and none of the current ones is lost; a model asked with that prompt
    answers rightly; the curves are drawn.
    """
    curves = await measured((70,), (1,), endpoint, "stub")
    ours = curves["ctxgate"][70]
    assert (ours["recall"], ours["outdated_kept"], ours["answers"]) == (1.0, 0.0, 1.0)
    assert curves["relevance alone"][70]["outdated_kept"] > 0
    assert curves["in the order given"][70]["answers"] < 1.0
    assert {body["model"] for body in Stub.asked} == {"stub"}
    assert ours["tokens"] <= 4000
    draw(curves, tmp_path)
    assert (tmp_path / "context_rot.png").read_bytes().startswith(b"\x89PNG")

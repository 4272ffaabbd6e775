"""Sealed packs looked at again: a leak that policy lets through is seen, and nothing is passed over in silence."""

import json
import shutil
import threading

from datetime import datetime

import pytest
import structlog

from prometheus_client import CollectorRegistry

from gateway.bootstrap.gateway import running
from gateway.observability import rechecks
from gateway.observability.rechecks import Rechecks
from gateway.settings import HOME
from tests.support.bundles import POLICIES, edit
from tests.support.clock import NOW
from tests.support.oracle import records
from tests.support.packing import case_of
from tests.support.requests import asked

STORIES = sorted(path.parent.name for path in (HOME / "examples").glob("*/expected.json"))


def events(registry):
    return registry.get_sample_value("jurisdiction_leakage_events_total")


def done(registry, result):
    return registry.get_sample_value("ctxgate_jurisdiction_rechecks_total", {"result": result})


@pytest.fixture
def doctored(settings, tmp_path):
    """Settings with policies that let items of every jurisdiction through."""
    shutil.copytree(POLICIES, tmp_path / "policies")
    for rule in ("within_request", "within_requester"):
        edit(
            tmp_path / "policies",
            "jurisdiction/jurisdiction.rego",
            f"{rule} if _applies_everywhere",
            f"{rule} if is_string(input.item.jurisdiction)",
        )
    rego = "jurisdiction/jurisdiction.rego"
    edit(
        tmp_path / "policies", rego, "corpus_open if input.item.corpus == null", "corpus_open if is_object(input.item)"
    )
    return settings.model_copy(update={"policies_dir": tmp_path / "policies"})


async def test_a_leak_through_doctored_policies_is_seen(doctored, story, subject):
    """
    A circular of another region that a doctored bundle admits is counted, and the log names the pack alone.
    """
    async with running(doctored, clock=lambda: NOW) as gateway:
        with structlog.testing.capture_logs() as logged:
            pack = await gateway.pipeline.assemble(asked(story("npa-risk", "request"), subject))
            gateway.observer.rechecks.settle()
        [leaked] = records(gateway, kind="item.ruled", item_id="hkma-circular")
        assert leaked.outcome in {"released", "redacted"}
        packed = [item for section in pack.sections for item in section.items]
        assert events(gateway.observer.registry) == sum(
            item.provenance.jurisdiction not in {"SG", "GLOBAL"} for item in packed
        )
        assert events(gateway.observer.registry) >= 1
    [line] = [one for one in logged if one["event"] == "jurisdiction_leakage"]
    assert (line["pack_id"], line["items"]) == (pack.id, events(gateway.observer.registry))
    assert "hkma" not in json.dumps(line)


@pytest.mark.parametrize("name", STORIES)
async def test_no_story_leaks(settings, story, name):
    """
    Over the bundled stories the check agrees with policy: every pack is looked at, and none is objected to.
    """
    folder = HOME / "examples" / name / "sources"
    chosen = settings.model_copy(update={"sources_dir": folder if folder.is_dir() else None})
    now = datetime.fromisoformat(story(name, "clock")["now"])
    async with running(chosen, clock=lambda: now) as gateway:
        call = asked(story(name, "request"), story(name, "subject"))
        await gateway.pipeline.assemble(type(call)(call.request, call.subject, now))
        gateway.observer.rechecks.settle()
        assert (events(gateway.observer.registry), done(gateway.observer.registry, "checked")) == (0, 1)


class Slow:
    """A pack whose reading waits until it may go on."""

    id = "pack_1"

    def __init__(self):
        self.begun, self.go = threading.Event(), threading.Event()

    def model_dump(self, **_):
        self.begun.set()
        self.go.wait()
        return {"sections": [{"items": [{"id": "a", "provenance": {"jurisdiction": None}}]}]}


def test_a_full_queue_is_counted_and_keeps_nobody_waiting():
    """
    While one pack is looked at and the queue is full, a further pack is counted as missed at once; the others are looked at.
    """
    registry = CollectorRegistry()
    checks, slow = Rechecks(registry, most=1), Slow()
    checks.offer(slow, case_of())
    slow.begun.wait()
    checks.offer(slow, case_of())
    checks.offer(slow, case_of())
    assert (done(registry, "missed"), done(registry, "checked")) == (1, 0)
    slow.go.set()
    checks.close()
    assert (done(registry, "missed"), done(registry, "checked"), events(registry)) == (1, 2, 2)


def test_a_check_that_fails_is_counted_and_not_the_last(monkeypatch):
    """
    A pack that cannot be read again is counted as failed, and the next one is looked at.
    """
    registry = CollectorRegistry()
    checks, slow = Rechecks(registry), Slow()
    slow.go.set()
    real = rechecks.leaks
    monkeypatch.setattr(rechecks, "leaks", lambda *_: 1 / 0)
    checks.offer(slow, case_of())
    checks.settle()
    monkeypatch.setattr(rechecks, "leaks", real)
    checks.offer(slow, case_of())
    checks.close()
    assert (done(registry, "failed"), done(registry, "checked"), events(registry)) == (1, 1, 1)


def test_every_series_is_there_before_its_first_event():
    """
    Each series stands at 0 from the start, without which no alert would see the first event.
    """
    registry = CollectorRegistry()
    Rechecks(registry).close()
    assert events(registry) == 0
    assert [done(registry, result) for result in ("checked", "missed", "failed")] == [0, 0, 0]

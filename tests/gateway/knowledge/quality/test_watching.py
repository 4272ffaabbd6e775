"""Golden sets that are asked again after each change of the index, and once a day."""

import shutil

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from gateway.errors import IndexUnavailableError
from gateway.knowledge.quality.baseline import store
from gateway.knowledge.quality.evaluation import evaluate
from gateway.knowledge.quality.watching import QualityWatch, baseline_file
from gateway.observability.retrieval_quality import RetrievalQuality
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from tests.support.golden import GOLDEN, SmallFinder, golden

BUNDLE = load_bundle(HOME / "policies")


class Watched:
    """A watch over the shipped set with a clock and an index that a test moves."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copy(GOLDEN, folder / "golden.yaml")
        self.now = datetime(2026, 3, 1, 9, 15, tzinfo=UTC)
        self.registry = CollectorRegistry()
        self.finder = SmallFinder(BUNDLE, second=None)
        self.watch = QualityWatch(
            folder, self.finder, lambda: BUNDLE, RetrievalQuality(self.registry), lambda: self.now, hour=2, seconds=60
        )

    def change(self, index):
        self.finder.searchable = replace(self.finder.searchable, index=index)

    def value(self, name, **labels):
        return self.registry.get_sample_value(name, labels)

    @property
    def runs(self):
        return self.value("rag_golden_runs_total", result="measured"), self.value(
            "rag_golden_runs_total", result="failed"
        )


@pytest.fixture
def watched(tmp_path):
    return Watched(tmp_path)


async def test_after_each_change_once_it_stands_still(watched):
    """
    While the index changes nothing is asked; once it stands still everything is, once.
    """
    assert [await watched.watch.turn() for _ in range(3)] == [False, True, False]
    watched.change("index-2")
    assert await watched.watch.turn() is False
    watched.change("index-3")
    assert [await watched.watch.turn() for _ in range(3)] == [False, True, False]
    assert watched.runs == (2, 0)
    assert 0 < watched.value("rag_retrieval_recall", set="golden") < 1
    assert watched.value("rag_leakage_total", set="golden") == 0
    assert watched.value("rag_golden_run_timestamp_seconds", set="golden") == watched.now.timestamp()


async def test_once_a_day(watched):
    """
    In its hour everything is asked once, changed or not, and the next day again.
    """
    for _ in range(2):
        await watched.watch.turn()
    for day in (2, 3):
        watched.now = datetime(2026, 3, day, 2, 10, tzinfo=UTC)
        assert [await watched.watch.turn() for _ in range(2)] == [True, False]
        watched.now = datetime(2026, 3, day, 3, 10, tzinfo=UTC)
        assert await watched.watch.turn() is False
    assert watched.runs == (3, 0)


async def test_drift_and_leaks_are_told(watched):
    """
    A fall below the baseline and a leak are metrics and lines of the log, which name questions and no document's text.
    """
    measured = await evaluate(golden(), watched.finder, 8)
    best = replace(
        measured, questions=tuple(replace(one, figures=dict.fromkeys(one.figures, 1.0)) for one in measured.questions)
    )
    store(best, baseline_file(watched.folder / "golden.yaml"))
    text = GOLDEN.read_text().replace("must_not_find: [fraud-playbook-hk]", "must_not_find: [outsourcing-policy]", 1)
    (watched.folder / "leaking.yaml").write_text(
        text.replace("do we have to go through", "must the provider's contract grant access before")
    )
    with capture_logs() as logs:
        await watched.watch.ask()
    assert watched.value("rag_retrieval_drift", set="golden") >= 4
    assert watched.value("rag_leakage_total", set="leaking") == 1
    told = {one["golden"]: one for one in logs}
    assert (told["golden"]["event"], told["leaking"]["event"]) == ("golden_poor", "golden_leak")
    assert told["leaking"]["questions"] == ["first-time-booking"]


@pytest.mark.parametrize("fault", ["unreadable", "unknown document", "broken baseline", "no index"])
async def test_what_cannot_be_asked_is_counted(watched, fault):
    """
    A set that cannot be read or asked is counted and logged, leaves no figure, and the next turn goes on.
    """
    file = watched.folder / "golden.yaml"
    if fault == "unreadable":
        file.write_text("askers: [")
    elif fault == "unknown document":
        file.write_text(GOLDEN.read_text().replace("document: npa-approval-sop", "document: npa-aproval-sop", 1))
    elif fault == "broken baseline":
        baseline_file(file).write_text("{}")
    else:

        async def find(*_, **__):
            raise IndexUnavailableError("gone")

        watched.finder.find = find
    with capture_logs() as logs:
        await watched.watch.turn()
        assert await watched.watch.turn() is True
    assert watched.runs == (0, 1)
    assert watched.value("rag_retrieval_recall", set="golden") is None
    assert logs[-1]["event"] == "golden_not_asked"
    assert logs[-1]["kind"] == ("GW-710" if fault == "no index" else logs[-1]["kind"])

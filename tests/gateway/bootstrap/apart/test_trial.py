"""Bundles tried in a process of their own: what is wrong with them is told, what costs too much is ended."""

import pytest

from gateway.bootstrap.apart.trial import BundleTrial, verdict
from gateway.errors import BundleInvalidError, BundleTooCostlyError
from tests.support.bundles import files


def brought(**changes):
    """The shipped files, with some of them replaced."""
    return {name: text.encode() for name, text in {**files(), **changes}.items()}


@pytest.fixture
def trial():
    return BundleTrial(seconds=60, megabytes=1024)


async def test_the_shipped_bundle_may_decide(trial):
    """
    Nothing is wrong with what ships.
    """
    tried = await trial(brought())
    assert tried.problems == ()
    assert tried.cases > 100
    assert tried.tests > 10


async def test_what_is_wrong_is_told(trial):
    """
    A failing case is a sentence, and a table that cannot be read an error that names it.
    """
    wrong = brought()
    wrong["context/trust/cases.yaml"] = wrong["context/trust/cases.yaml"].replace(b"TRU-003", b"TRU-002", 1)
    [found, *_] = (await trial(wrong)).problems
    place = wrong["context/trust/cases.yaml"].decode().split("\n")
    file, line = found.where.split(":")
    assert file == "context/trust/cases.yaml"
    assert place[int(line) - 1].split('"')[1] in found.message
    with pytest.raises(BundleInvalidError, match=r"context/trust/data.yaml"):
        await trial(brought(**{"context/trust/data.yaml": "a: &a [1]\nb: *a\n"}))


SLOW = """package context.slow_test
test_slow if {
	every a in numbers.range(1, 9000) {
		every b in numbers.range(1, 9000) { a + b > 0 }
	}
}
"""
"""Flat Rego that is not done for minutes."""

HUGE = 'package context.huge_test\ntest_huge if {\n\tcount(sprintf("%d", [count([a | some a in numbers.range(1, 100000000)])])) > 0\n}\n'
"""Flat Rego that needs more memory than there is."""


@pytest.mark.parametrize(("rego", "seconds"), [(SLOW, 3), (HUGE, 60)])
async def test_what_costs_too_much_is_ended(rego, seconds):
    """
    A bundle that would run for ever, or fill the memory, is refused as too costly, and the one after it is tried.
    """
    trial = BundleTrial(seconds=seconds, megabytes=512)
    with pytest.raises(BundleTooCostlyError):
        await trial(brought(**{"context/slow_test.rego": rego}))
    with pytest.raises(BundleInvalidError, match="no Rego"):
        await trial({})


@pytest.mark.parametrize(
    "changes",
    [
        {"data.yaml": "context: 7"},
        {"registry/agents/data.yaml": "7: {}"},
        {"registry/data.yaml": "agents: 3"},
        {"context/areas/data.yaml": "listed: 3"},
        {"context/areas/data.yaml": "[]"},
        {"context/notices/data.yaml": "incidents: {trust: 3}"},
        {"context/trust/cases.yaml": "area: trust\nallowed: [3]\nrefused: []\nnothing_known: {codes: []}"},
        {"context/trust/cases.yaml": "3"},
        {"context/cases.base.yaml": "[1]"},
        {"context/trust/trust.rego": "package context.trust\n\n# METADATA\n# 3\npermit if true\n"},
        {"context/trust/trust.rego": "package context.trust\n\n# METADATA\n# custom: [\npermit if true\n"},
        {"context/trust/trust.rego": "package context.trust\n\n# METADATA\n# related_resources: 3\npermit if true\n"},
        {"context/exceptions/data.yaml": "granted: {a: 1}"},
        {"context/injection/data.yaml": "review: 3"},
    ],
)
def test_whatever_it_holds_a_bundle_is_refused_and_no_crash(changes):
    """
    A number where a folder is, a list where a table is, a comment that is no table: each is a reason, not an accident.
    """
    code, why, tried = verdict(brought(**changes))
    assert code in {"", BundleInvalidError.code}
    assert why or tried.problems

"""Deciding again."""

import pytest

from gateway.audit.replay import MATCH, MISMATCH, replay
from gateway.bootstrap.replay import replaying
from ledger.query import Filter
from tests.support.oracle import catch_up
from tests.support.requests import asked
from tests.support.services import OPA, need


@pytest.mark.parametrize("engine", ["embedded", "opa"])
async def test_every_ruling_of_the_story(gateway, story, engine, monkeypatch):
    """
    Both engines decide each past ruling again as it was decided.
    """
    if engine == "opa":
        need(OPA is not None, "opa")
        monkeypatch.setenv("PATH", str(OPA).rpartition("/")[0], prepend=":")
    await gateway.pipeline.assemble(asked(story("npa-risk", "request"), story("npa-risk", "subject")))
    catch_up(gateway)
    with replaying(gateway.settings, engine) as ask:
        result = replay(gateway.ledger.parts.evidence, ask, Filter())
    assert dict(result.counts) == {MATCH: 46}


async def test_what_does_not_match(gateway, subject, small):
    """
    A bundle that decides otherwise, an input that is not the one committed to, and an erased one are told apart.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    catch_up(gateway)
    evidence = gateway.ledger.parts.evidence
    with replaying(gateway.settings, "embedded") as ask:
        lying = replay(
            evidence,
            lambda *question: [{**ask(*question)[0], "denials": [{"code": "X-1", "message": "x"}]}],
            Filter(),
        )
        assert set(lying.counts) == {MISMATCH}
        one = replay(evidence, ask, Filter(), limit=1)
        assert one.counts.total() == 1
        swapped = type("Swapped", (), {"store": evidence.store})()
        swapped.erasables = lambda names: turned(evidence.erasables(names))
        assert replay(swapped, ask, Filter()).counts[MISMATCH] > 0


def turned(erasables):
    """Each decision with what was kept aside of the next one."""
    names = sorted(erasables)
    return {name: erasables[other] for name, other in zip(names, names[1:] + names[:1], strict=True)}

"""What counts most, and what policy says of the set."""

from dataclasses import replace

import pytest

from gateway.errors import ContextStarvationError, EntityDataEmptyError, NoCandidatesError, PackRefusedError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.clock import NOW
from tests.support.fakes import AnsweringPolicy
from tests.support.oracle import records
from tests.support.requests import with_items


async def test_older_turns_are_worth_less(gateway, story, subject):
    """
    Each turn of a conversation is worth a part of the one after it.
    """
    request = PackRequest.model_validate(story("npa-risk", "request"))
    pack = await gateway.pipeline.assemble(Asked(request, Subject.model_validate(subject), NOW))
    [turns] = [section.items for section in pack.sections if section.type == "conversation"]
    users = [turn.score for turn in turns if turn.provenance.source_type == "user_input"]
    assert users == sorted(users)
    assert users[0] < users[-1]


class TestTheSet:
    @pytest.mark.parametrize(
        ("kept", "changes", "error"),
        [
            (["sop-4.2.1", "turn-01"], {}, EntityDataEmptyError),
            (["npa-record", "sop-4.2.1"], {"query": None}, ContextStarvationError),
            ([], {}, NoCandidatesError),
        ],
    )
    async def test_starvation_fails_fast(self, gateway, ask, small, kept, changes, error):
        """
        Without what the contract requires there is no pack; the error names it and is on record.
        """
        with pytest.raises(error) as caught:
            await gateway.pipeline.assemble(ask(with_items(small, *kept, **changes)))
        assert caught.value.fields
        assert records(gateway, kind="request.opened", outcome="denied")

    async def test_other_refusals_of_the_set(self, gateway, ask, small):
        """
        Any other refusal of the set is an error too.
        """

        def refuse(answers):
            return [{**a, "allow": False, "denials": [{"code": "CTR-003", "message": "x"}]} for a in answers]

        broken = replace(gateway.pipeline, policy=AnsweringPolicy(gateway.pipeline.policy, "context/pack", refuse))
        with pytest.raises(PackRefusedError):
            await broken.assemble(ask(small))

    async def test_missing_knowledge_is_a_warning(self, gateway, ask, small):
        """
        A worker without documents goes on, and is told to say so.
        """
        pack = await gateway.pipeline.assemble(ask(with_items(small, "npa-record")))
        assert [warning.code for warning in pack.warnings] == ["KB-EMPTY", "SRC-MISSING"]

    async def test_stale_items_are_flagged(self, gateway, ask, small):
        """
        An item near the end of its time to live is released with a warning.
        """
        sop = next(item for item in small["items"] if item["id"] == "sop-4.2.1")
        sop["provenance"]["fetched_at"] = "2026-02-28T10:00:00Z"
        pack = await gateway.pipeline.assemble(ask(small))
        assert [(w.code, w.items) for w in pack.warnings] == [("SRC-MISSING", ()), ("STALE-SOON", ("sop-4.2.1",))]

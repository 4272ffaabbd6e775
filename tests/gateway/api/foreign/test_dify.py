"""What Dify asks, in the gateway's words."""

import pytest

from gateway.api.foreign.dify import DifyQuestion, MetadataCondition, _holds, members_of, request_of
from gateway.content.parsing import shaped
from gateway.errors import (
    AgentUnknownError,
    FieldInvalidError,
    IdentityMissingError,
    NoCandidatesError,
    TokenInvalidError,
)


def question(knowledge_id="agent=a&purpose=p&model=m", **more):
    return DifyQuestion.model_validate(
        {
            "knowledge_id": knowledge_id,
            "query": "why?",
            "retrieval_setting": {"top_k": 3, "score_threshold": 0.5},
            **more,
        }
    )


class TestRequests:
    def test_a_knowledge_id_says_for_whom(self):
        """The id that an administrator of Dify types names agent, purpose and model, and what else is wanted."""
        asked = request_of(
            question(
                "agent=a%201&purpose=p&model=m&jurisdictions=SG,HK&entity_type=project&entity_id=N-1&token_budget=900"
            )
        )
        assert (asked.agent_id, asked.jurisdictions, asked.entity.id, asked.token_budget) == (
            "a 1",
            ("SG", "HK"),
            "N-1",
            900,
        )
        assert asked.query == "why?"
        assert request_of(question()).jurisdictions == ()

    @pytest.mark.parametrize(
        "knowledge_id",
        [
            "kb",
            "agent=a&purpose=p",
            "agent=a&purpose=p&model=m&agent=b",
            "agent=a&purpose=p&model=m&tenant=other",
            "agent=&purpose=p&model=m",
            "agent=a&purpose=p&model=m&token_budget=-1",
            "agent=a&purpose=p&model=m&token_budget=" + "9" * 900,
            "agent=a&purpose=p&model=m&entity_id=N-1",
            "agent=a&purpose=p&model=m&jurisdictions=S G",
            "agent=a%00&purpose=p&model=m",
            "&" * 900,
        ],
    )
    def test_other_ids_are_refused(self, knowledge_id):
        """An id that does not say so, says a thing twice, or one that there is not, asks for nothing."""
        with pytest.raises(FieldInvalidError):
            request_of(question(knowledge_id))

    def test_a_condition_that_is_not_understood_refuses(self):
        """Nothing is answered beside a condition that was not looked at."""
        for condition in (
            {"name": ["a"], "comparison_operator": "like", "value": "x"},
            {"name": ["a"]},
            {"nested": []},
        ):
            document = question().model_dump() | {"metadata_condition": {"conditions": [condition]}}
            with pytest.raises(FieldInvalidError):
                shaped(DifyQuestion, document)


class TestConditions:
    @pytest.mark.parametrize(
        ("operator", "value", "holds"),
        [
            ("is", "sops", True),
            ("is", "so", False),
            ("is not", "x", True),
            ("contains", "op", True),
            ("not contains", "op", False),
            ("start with", "so", True),
            ("end with", "so", False),
            ("in", ["x", "sops"], True),
            ("in", "x, sops", True),
            ("not in", ["sops"], False),
            ("empty", None, False),
            ("not empty", None, True),
            ("is", None, False),
            ("is", ["sops"], False),
            (">", 1, False),
        ],
    )
    def test_of_texts(self, operator, value, holds):
        """Operators mean what Dify means by them."""
        condition = {"name": ["corpus"], "comparison_operator": operator, "value": value}
        assert _holds(MetadataCondition.model_validate(condition), {"corpus": "sops"}) is holds

    @pytest.mark.parametrize(
        ("operator", "value", "holds"),
        [("=", 60, True), ("≠", "60", False), (">", 59, True), ("<", 60, False), ("≥", 60, True), ("≤", "61.5", True)],
    )
    def test_of_numbers(self, operator, value, holds):
        """Numbers are compared as numbers, in whichever way they are written."""
        condition = {"name": "ttl", "comparison_operator": operator, "value": value}
        assert _holds(MetadataCondition.model_validate(condition), {"ttl": 60}) is holds

    def test_of_days_and_of_what_is_not_said(self):
        """Days are compared as days; what a record does not say meets no condition, not even a negation."""
        before = MetadataCondition(name="day", comparison_operator="before", value="2026-02-01")
        assert _holds(before, {"day": "2026-01-31"})
        assert not _holds(before, {})
        assert not _holds(MetadataCondition(name="x", comparison_operator="is not", value="y"), {})
        assert _holds(MetadataCondition(name="x", comparison_operator="empty"), {})


def test_codes_of_dify():
    """Errors say what Dify knows of them: a header, a key, a knowledge base; else the number of ours."""
    kinds = (IdentityMissingError, TokenInvalidError, AgentUnknownError, NoCandidatesError)
    assert [members_of(kind("x"))["error_code"] for kind in kinds[:3]] == [1001, 1002, 2001]
    assert members_of(NoCandidatesError("x")) == {"error_code": int(NoCandidatesError.code[3:]), "error_msg": "x"}

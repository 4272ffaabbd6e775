"""OpenID AuthZEN Authorization API 1.0: questions written from the specification, and what must be answered."""

import copy

import pytest

from tests.support.oracle import check_ledger, records

LABELS = {
    "source_id": "SOP",
    "source_type": "bank_sop",
    "version": "3.2",
    "effective_date": "2025-11-01",
    "owner": "Product Control",
    "fetched_at": "2026-03-01T09:15:00Z",
    "ttl_seconds": 86400,
    "data_classification": "INTERNAL",
    "jurisdiction": "SG",
    "domain": "NPA",
}
QUESTION = {
    "subject": {"type": "user", "id": "sarah.lim"},
    "action": {"name": "risk_assessment"},
    "resource": {"type": "item", "id": "sop-4.2.1", "properties": LABELS},
    "context": {"agent_id": "RISK", "jurisdictions": ["SG"], "entity": {"type": "project", "id": "NPA-1"}},
}


def changed(path, value, question=QUESTION):
    """The question with one part changed."""
    copied = copy.deepcopy(question)
    *folders, name = path.split(".")
    inner = copied
    for folder in folders:
        inner = inner[folder]
    inner[name] = value
    return copied


def no_agent():
    """The question without an agent, about an item that is of no single domain."""
    question = changed("resource.properties.domain", "ALL")
    del question["context"]["agent_id"]
    return question


TABLE = [
    ("everything in order", QUESTION, True, []),
    ("more than the standard's fields is ignored", {**QUESTION, "extra": {"a": 1}}, True, []),
    (
        "properties of the action are allowed",
        changed("action", {"name": "risk_assessment", "properties": {"x": 1}}),
        True,
        [],
    ),
    ("another jurisdiction", changed("resource.properties.jurisdiction", "HK"), False, ["JUR-001", "JUR-002"]),
    (
        "above clearance",
        changed("resource.properties.data_classification", "RESTRICTED"),
        False,
        ["CLS-001", "ENT-006"],
    ),
    ("expired", changed("resource.properties.expiry_date", "2026-01-01"), False, ["FRS-004"]),
    ("hearsay", changed("resource.properties.source_type", "hearsay"), False, ["TRU-001"]),
    ("no properties", changed("resource.properties", {}), False, None),
    ("somebody else", changed("subject.id", "edwin.cheung"), False, ["AZN-001"]),
    ("no agent, and the item is of no agent's domain", no_agent(), False, ["GW-120"]),
    ("an unknown purpose", changed("action.name", "fun"), False, ["GW-141"]),
    ("an agent of others", changed("context.agent_id", "NOBODY"), False, ["GW-143"]),
    ("an unknown label", changed("resource.properties", {**LABELS, "trust_class": "TRUSTED"}), False, ["GW-121"]),
    ("a label that is none", changed("resource.properties.jurisdiction", "FR"), False, ["GW-120"]),
]


@pytest.mark.parametrize(("name", "question", "decision", "codes"), TABLE, ids=[row[0] for row in TABLE])
async def test_evaluation(post, client, name, question, decision, codes):
    """
    Each question has the decision and the reasons that the policies give, and is on record.
    """
    response = await post("/access/v1/evaluation", question)
    assert response.status_code == 200
    answer = response.json()
    assert answer["decision"] is decision
    if codes is not None:
        assert sorted(reason["code"] for reason in answer["context"]["reasons"]) == codes
    [record] = records(client.app.state.gateway, kind="item.ruled")
    assert record.outcome == (None if decision else "denied")
    check_ledger(client.app.state.gateway)


@pytest.mark.parametrize(
    "part", ["subject", "action", "resource", "subject.type", "subject.id", "action.name", "resource.id"]
)
async def test_a_question_with_a_part_missing(post, part):
    """
    What the standard requires and is missing is an error of the request.
    """
    question = copy.deepcopy(QUESTION)
    inner = question
    *folders, name = part.split(".")
    for folder in folders:
        inner = inner[folder]
    del inner[name]
    response = await post("/access/v1/evaluation", question)
    assert (response.status_code, response.json()["code"]) == (422, "GW-120")


class TestBatch:
    GOOD = {"resource": QUESTION["resource"]}
    BAD = {"resource": changed("resource.properties.jurisdiction", "HK")["resource"]}
    DEFAULTS = {name: QUESTION[name] for name in ("subject", "action", "context")}

    @pytest.mark.parametrize(
        ("semantic", "questions", "decisions"),
        [
            (None, [GOOD, BAD, GOOD], [True, False, True]),
            ("execute_all", [BAD, GOOD], [False, True]),
            ("deny_on_first_deny", [GOOD, BAD, GOOD], [True, False]),
            ("permit_on_first_permit", [BAD, GOOD, BAD], [False, True]),
        ],
    )
    async def test_semantics(self, post, semantic, questions, decisions):
        """
        Defaults are filled in, and the semantic says where the answers end.
        """
        body = {**self.DEFAULTS, "evaluations": questions}
        if semantic:
            body["options"] = {"evaluations_semantic": semantic}
        answer = (await post("/access/v1/evaluations", body)).json()
        assert [one["decision"] for one in answer["evaluations"]] == decisions

    async def test_a_question_may_override_a_default(self, post):
        """
        What a question says itself holds over the default.
        """
        body = {**self.DEFAULTS, "evaluations": [{**self.GOOD, "action": {"name": "fun"}}, self.GOOD]}
        answer = (await post("/access/v1/evaluations", body)).json()
        assert [one["decision"] for one in answer["evaluations"]] == [False, True]

    async def test_without_a_list(self, post):
        """
        Without a list the batch call answers as the single one.
        """
        assert (await post("/access/v1/evaluations", QUESTION)).json() == {
            "decision": True,
            "context": {"reasons": [], "taken_as": "third_party_api"},
        }

    async def test_an_unknown_semantic(self, post):
        """
        A semantic that the standard does not have is an error.
        """
        body = {**self.DEFAULTS, "evaluations": [self.GOOD], "options": {"evaluations_semantic": "guess"}}
        assert (await post("/access/v1/evaluations", body)).json()["code"] == "GW-120"


async def test_identity_and_request_id(client, token, post):
    """
    Nobody is answered without a token and a scope, and the caller's request id comes back.
    """
    assert (await client.post("/access/v1/evaluation", json=QUESTION)).status_code == 401
    assert (await post("/access/v1/evaluation", QUESTION, scope="")).status_code == 403
    headers = {"authorization": f"Bearer {token()}", "x-request-id": "bfe9eb29-ab87"}
    response = await client.post("/access/v1/evaluation", json=QUESTION, headers=headers)
    assert response.headers["x-request-id"] == "bfe9eb29-ab87"

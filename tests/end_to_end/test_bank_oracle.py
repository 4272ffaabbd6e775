"""
Questions about the bundled bank by people of five roles, answered by the whole gateway with its real servers: what is released is
what plain SQL over the rows and the officers' tables allows, byte for byte.
"""

import json

from collections import Counter
from random import Random

import pytest

from gateway.bootstrap.gateway import running
from gateway.errors import GatewayError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.bank_oracle import BankOracle, as_bytes
from tests.support.bank_questions import ROLES, TYPES, Draw
from tests.support.bank_servers import served_bank
from tests.support.clock import NOW
from tests.support.oracle import check_ledger

SEED = 20260301
HIDDEN = ("personal_data", "injection")


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with served_bank(tmp_path_factory.mktemp("bank")) as bank:
        yield bank


def entities(oracle):
    found = {}
    for domain, name, place in oracle._db.execute("SELECT domain, name, jurisdiction FROM places ORDER BY rowid"):
        found.setdefault(domain, {}).setdefault(name, []).append(place)
    return found


async def released(gateway, question):
    """By tool, the bytes of what the gateway released; the code of its refusal where it released nothing."""
    subject = Subject.model_validate(question["subject"])
    asked = {name: value for name, value in question.items() if name not in {"subject", "jurisdictions"}}
    if question["jurisdictions"] is not None:
        asked["jurisdictions"] = question["jurisdictions"]
    request = PackRequest.model_validate(
        {**asked, "query": "Say what is known.", "model": "gpt-4o", "token_budget": 128_000}
    )
    try:
        pack = await gateway.pipeline.assemble(Asked(request, subject, NOW))
    except GatewayError as error:
        return {}, error.code
    items = [item for section in pack.sections for item in section.items]
    assert not pack.drop_report
    return {
        item.id.removeprefix("tool:"): as_bytes(item.content) for item in items if item.id.startswith("tool:")
    }, None


@pytest.mark.signatures
@pytest.mark.parametrize(
    ("part", "count"), [(0, 60), *(pytest.param(part, 250, marks=pytest.mark.soak) for part in range(1, 9))]
)
async def test_what_is_released_is_what_sql_allows(settings, bank, part, count):
    """
    Of 60 questions, and at full length of 2,000 in eight parts, each is answered with the facts that the oracle allows and with no
    other byte; among them are answers for every role that has any, answers in part, refusals, and values that were redacted.
    """
    oracle = BankOracle(bank.folder / "bank.sqlite", bank.folder / "planted.json", bank.bank.policies)
    listed = [one for one in json.loads((bank.folder / "planted.json").read_text()) if one["kind"] in HIDDEN]
    planted = {one["text"].encode(): one["kind"] for one in listed}
    named = {domain: [one["entity_id"] for one in listed if one["domain"] == domain] for domain in TYPES}
    draw, seen = Draw(Random(SEED + part), entities(oracle), named), Counter()
    async with running(bank.settings(settings), clock=lambda: NOW) as gateway:
        for _ in range(count):
            question = draw.question()
            expected, (found, code) = oracle.expected(question), await released(gateway, question)
            assert sorted(found) == sorted(expected), (question, code)
            for tool, facts in expected.items():
                assert found[tool] == facts, (question, tool)
                assert not [text for text, kind in planted.items() if kind == "injection" and text in facts]
                seen["redacted"] += any(
                    mark in facts for mark in (b"*****", b"<SG_", b"<HK_", b"<IN_", b"<TW_", b"<ID_")
                )
            seen[question["subject"]["role"] if expected else code] += 1
            seen["facts"] += len(expected)
        check_ledger(gateway)
    assert all(seen[role] for role in ROLES if role != "admin")
    assert not seen["admin"]
    assert seen["facts"] > count
    assert seen["redacted"]
    assert len(seen) >= 8, seen

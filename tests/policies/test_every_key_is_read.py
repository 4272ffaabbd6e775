"""
No key of a table that nobody reads: what is changed, something answers otherwise.

The rows of one table count as one key, and are changed all at once.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import pytest

from gateway.errors import GatewayError
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.settings import HOME
from gateway.workbench.checks import check
from gateway.workbench.pages import policies_page
from tests.support.changed_tables import Tables, keys_of, others
from tests.support.requests import asked

BUNDLE: Final = load_bundle(HOME / "policies")
KEYS: Final = keys_of(BUNDLE.data)

HELD_ELSEWHERE: Final = {
    "context/attestation/tenants": "empty as shipped: attestation_test.rego",
    "context/exceptions/granted/*/rollback_trigger": "words for officers: ctxgate exception list",
    "context/exceptions/granted/*/reason": "words for officers: ctxgate exception list",
    "context/exceptions/granted/*/owner": "words for officers: ctxgate exception list",
    "context/exceptions/granted/*/codes": "exceptions_test.rego",
    "context/exceptions/waivable": "exceptions_test.rego, and `ctxgate exception grant`",
    "context/scoping/release_modes/sequenced": "empty as shipped: scoping_test.rego",
    "context/scoping/release_modes/witnessed": "empty as shipped: scoping_test.rego",
}
"""Keys whose reader is none of those asked here, with what holds them."""


def in_packs(key: str) -> bool:
    """Whether a key is of a table that only packs and their checks read, and not rules."""
    return key.split("/")[1] in {"agents", "budgets", "domains", "models", "purposes", "sources"} and key.startswith(
        "registry/"
    )


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables(BUNDLE)


def shown(data: Any) -> tuple[str, str]:
    """What is shown of a bundle with these tables: its page of codes, and what is wrong with it."""
    bundle = replace(BUNDLE, data=data)
    return policies_page(bundle), str(check(bundle))


BEFORE: Final = shown(BUNDLE.data)


def is_shown(data: Any) -> bool:
    """Whether pages and checks say something else; a bundle that is refused says nothing of who reads the key."""
    with suppress(GatewayError):
        return shown(data) != BEFORE
    return False


@pytest.mark.parametrize("table", sorted({"/".join(key.split("/")[:2]) for key in KEYS if not in_packs(key)}))
def test_every_key_that_rules_or_pages_read(table, tables):
    """
    Each key of the table, changed or taken away in all rows, changes what policy answers to a case of the officers, or what
    the pages and checks of the bundle show.
    """
    dead = []
    for key in (key for key in KEYS if key.startswith(f"{table}/") and key not in HELD_ELSEWHERE):
        first = tables.areas_reading(KEYS[key][0])
        if not any(is_shown(data) or tables.answer_otherwise(data, first) for data in others(BUNDLE.data, KEYS[key])):
            dead.append(key)
    assert dead == []


def requests(story: Any) -> list[dict[str, Any]]:
    """A story with room for everything, with too little, and for a model whose tokens are estimated."""
    whole = story("npa-risk", "request")
    return [
        whole,
        {**whole, "token_budget": 7_000, "allow_truncation": True},
        {**whole, "token_budget": 1_500},
        {**whole, "model": "claude-sonnet", "purpose": "general_research", "token_budget": 20_000},
    ]


async def answered(pipeline: Any, request: dict[str, Any], subject: dict[str, Any]) -> list[object]:
    """What a caller gets, without the ids that the revision goes into."""
    try:
        pack = await pipeline.assemble(asked(request, subject))
    except (ArithmeticError, LookupError, RuntimeError, ValueError) as error:
        # The tables are no such ones as are ever active; that it fails over them shows that the key is read.
        return [type(error).__name__]
    except GatewayError as error:
        return [error.code, error.detail, error.fields, error.reasons]
    sections = [
        (
            section.type,
            section.token_budget,
            section.selection_reason,
            [(item.id, item.tokens, item.score) for item in section.items],
        )
        for section in pack.sections
    ]
    return [sections, pack.budget_report, pack.warnings, pack.drop_report, pack.scope_metadata]


async def test_every_key_that_packs_read(gateway, story, subject, tables):
    """
    Each key of agents, budgets, domains, models, purposes and sources, changed or taken away in all rows, changes a pack or its
    refusal, what policy answers to a case, or what the pages and checks of the bundle show.
    """
    wanted = requests(story)
    before = [await answered(gateway.pipeline, request, subject) for request in wanted]

    async def packs_differ(data: Any) -> bool:
        with suppress(GatewayError):
            pipeline = replace(gateway.pipeline, registry=registry_of(replace(BUNDLE, data=data)))
            for request, was in zip(wanted, before, strict=True):
                if await answered(pipeline, request, subject) != was:
                    return True
        return False

    dead = []
    for key in (key for key in KEYS if in_packs(key) and key not in HELD_ELSEWHERE):
        first = tables.areas_reading(KEYS[key][0])
        for data in others(BUNDLE.data, KEYS[key]):
            if is_shown(data) or await packs_differ(data) or tables.answer_otherwise(data, first):
                break
        else:
            dead.append(key)
    assert dead == []


def test_what_is_held_elsewhere_is_there():
    """
    The list of exceptions names keys that exist.
    """
    assert HELD_ELSEWHERE.keys() <= KEYS.keys()

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
from gateway.settings import HOME
from gateway.workbench.checks import check
from gateway.workbench.pages import policies_page
from tests.support.changed_tables import Tables, keys_of, others

BUNDLE: Final = load_bundle(HOME / "policies")
KEYS: Final = keys_of(BUNDLE.data)

HELD_ELSEWHERE: Final = {
    "context/areas/list/*/name": "a list of other areas is refused: tests/gateway/policy/test_areas.py",
    "context/detokenization/across_sessions": "empty as shipped: detokenization_test.rego",
    "context/detokenization/raised_by_gateway/DTK-000/message": "the vault's answer: tests/gateway/privacy",
    "context/entitlement/raised_by_gateway/ENT-900/message": "two engines that disagree: tests/adapters/policy/test_cedar.py",
    "context/injection/refused_signs/TRUSTED": "empty as shipped, so that nothing is refused for it",
    "context/injection/review/days": "how long a release lasts: tests/gateway/workbench/test_quarantine.py",
    "context/pii/floors/*": "empty for jurisdictions without one",
    "context/pii/profiles/default": "which screening: tests/gateway/stages/test_screen.py",
    "context/scoping/raised_by_gateway/AZN-001/message": "the AuthZEN answer: tests/gateway/api",
    "registry/contracts/*/agent": "a contract of another agent is refused: tests/gateway/model/test_registry.py",
    "registry/prompts/grant/corpora": "empty as shipped: the library claims none",
    "registry/prompts/prompts/*/sha256": "which text it is: gateway.stages.attest, held by the stories",
    "registry/contracts/*/required_sources": "empty for agents that need none",
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
    """Whether a key is of a table that the gateway reads beside the rules: of those this test says nothing."""
    return key.split("/")[1] in {
        "agents",
        "budgets",
        "domains",
        "models",
        "outputs",
        "purposes",
        "sources",
    } and key.startswith("registry/")


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


def test_what_is_held_elsewhere_is_there():
    """
    The list of exceptions names keys that exist.
    """
    assert HELD_ELSEWHERE.keys() <= KEYS.keys()

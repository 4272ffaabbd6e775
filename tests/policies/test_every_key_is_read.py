"""
No key of a table that nobody reads: what is changed, something answers otherwise.

The rows of one table count as one key, and are changed all at once.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import pytest

from gateway.errors import GatewayError
from gateway.policy.bundle import Bundle, load_bundle
from gateway.settings import HOME, Settings
from gateway.workbench.checks import check
from gateway.workbench.publishing.pages import policies_page
from tests.support.changed_tables import Tables, keys_of, others
from tests.support.registry_stories import Stories

BUNDLE: Final = load_bundle(HOME / "policies")
KEYS: Final = keys_of(BUNDLE.data)

CHANNEL_KEYS: Final = (
    "agent",
    "purpose",
    "model",
    "without_person",
    "domain",
    "jurisdiction",
    "jurisdictions",
    "data_classification",
    "ttl_seconds",
    "roles/*/section",
    "roles/*/source_type",
)
"""Keys of a channel, below its name."""

HELD_ELSEWHERE: Final = {
    "context/areas/list/*/name": "a list of other areas is refused: tests/gateway/policy/test_areas.py",
    "context/detokenization/across_sessions": "empty as shipped: detokenization_test.rego",
    "context/detokenization/raised_by_gateway/DTK-000/message": "the vault's answer: tests/gateway/privacy",
    "context/entitlement/raised_by_gateway/ENT-900/message": "two engines that disagree: tests/adapters/policy/test_cedar.py",
    "context/injection/refused_signs/TRUSTED": "empty as shipped, so that nothing is refused for it",
    "context/injection/review/days": "how long a release lasts: tests/gateway/workbench/test_quarantine.py",
    "context/pii/floors/*": "empty for jurisdictions without one",
    "context/pii/profiles/default": "which screening: tests/gateway/stages/test_screen.py",
    "context/scoping/raised_by_gateway/*/message": "the AuthZEN answer: tests/gateway/api",
    **{
        f"registry/channels/chat/{name}": "what guardrails are asked with: tests/gateway/guardrails, tests/gateway/api/routes"
        for name in CHANNEL_KEYS
    },
    "registry/contracts/*/agent": "a contract of another agent is refused: tests/gateway/model/test_registry.py",
    "registry/prompts/grant/corpora": "empty as shipped: the library claims none",
    "registry/prompts/prompts/*/sha256": "which text it is: gateway.stages.attest, held by the stories",
    "registry/queries": "empty as shipped: tests/gateway/policy/test_registry.py, tests/adapters/sources",
    "registry/contracts/*/required_sources": "empty for agents that need none",
    "context/attestation/tenants": "empty as shipped: attestation_test.rego",
    "context/exceptions/granted/*/rollback_trigger": "words for officers: ctxgate exception list",
    "context/exceptions/granted/*/reason": "words for officers: ctxgate exception list",
    "context/exceptions/granted/*/owner": "words for officers: ctxgate exception list",
    "context/exceptions/granted/*/codes": "exceptions_test.rego",
    "context/exceptions/waivable": "exceptions_test.rego, and `ctxgate exception grant`",
    "context/freshness/longest_days/by_source_type": "empty as shipped: freshness_test.rego, and tests/end_to_end/test_recipes.py",
    "registry/vocabulary/sections/*/name": "where items may stand: tests/gateway/prompt/test_sections.py",
    "registry/vocabulary/sections/*/reading_order": "the same",
    "registry/vocabulary/sections/*/layer": "where its items stand in a prompt: test_sections_of_prompts.py",
    "registry/vocabulary/sections/*/in_order": "compared or not: test_sections_of_prompts.py",
    "registry/vocabulary/labels/*/type": "what a label may say: tests/gateway/model/words/test_labels.py",
    "registry/vocabulary/labels/*/words": "the same",
    "registry/vocabulary/labels/*/source_types": "the same",
    "registry/vocabulary/labels/*/description": "words for officers: GET /v1/catalog",
    **{
        f"registry/tools/*/parameters/{name}": "what a model is told of a tool: tests/gateway/model/sources/test_offering.py"
        for name in ("type", "required", "additionalProperties", "properties/*/type", "properties/*/maxLength")
    },
    "registry/tools/*/operation": "what the source calls it: tests/gateway/sourcing/test_calling.py",
    "registry/tools/*/arguments/*": "which tools are near: tests/gateway/model/sources/test_offering.py",
    **{
        f"registry/offering/{name}": "how many tools are shown: tests/gateway/selection/test_offering.py"
        for name in ("near/least", "near/share", "others/least", "others/share", "most", "unsure")
    },
    **{
        f"registry/offering/notes/{name}": "what is said of a tool: tests/gateway/model/sources/test_offering.py"
        for name in ("reads", "writes", "personal_data", "leaves_the_bank")
    },
    **{
        f"registry/offering/labels/{name}": "what a signature is labelled with: tests/gateway/stages/test_offer.py"
        for name in ("source_id", "source_type", "data_classification", "jurisdiction", "domain", "ttl_seconds")
    },
    **{
        f"registry/corpora/*/{name}": "what the door is told: tests/gateway/knowledge/test_asking.py, test_described.py"
        for name in (
            *("owner", "authority", "source_type", "domains", "jurisdictions", "data_classifications", "mandatory"),
            *("document_types", "ttl_seconds", "retention_days"),
        )
    },
    **{
        f"registry/chunking/{name}": "how documents are cut: tests/gateway/model/knowledge/test_chunking.py"
        for name in ("profile", "encoding")
    },
    **{
        f"registry/chunking/profiles/{rule}/{name}": "the same, and tests/gateway/knowledge/chunking/test_cutting.py"
        for rule in ("*/default", "*/document_types/*")
        for name in ("method", "tokens", "overlap")
    },
    **{
        f"registry/retrieval/{name}": "how documents are found: tests/gateway/knowledge/test_ranking.py"
        for name in (
            *("stage1_top_k", "stage2_top_k", "min_relevance_score", "dedup_threshold", "max_chunk_tokens", "reranker"),
            *("reranking_enabled", "rerank_top_k", "fusion/method", "fusion/k"),
            *("fusion/weights/lexical", "fusion/weights/cosine"),
        )
    },
    **{
        f"registry/quality/{name}": "what ctxgate kb eval says: tests/gateway/knowledge/quality/test_verdict.py, test_baseline.py"
        for name in ("depth", "thresholds/*/target", "thresholds/*/alarm")
    },
    **{
        f"registry/quality/falls/{name}": "how far a figure may fall: tests/gateway/knowledge/quality/test_baseline.py"
        for name in ("recall", "precision", "ndcg", "map", "mrr", "hit_rate")
    },
    "registry/quality/label_tuples": "the alert: tests/gateway/observability/test_retrieval_quality.py",
    "context/scoping/release_modes/sequenced": "empty as shipped: scoping_test.rego",
    "context/scoping/release_modes/witnessed": "empty as shipped: scoping_test.rego",
}
"""Keys whose reader is none of those asked here, with what holds them."""


IN_PACKS: Final = ("agents", "budgets", "domains", "models", "outputs", "purposes", "rendering", "sources")
"""Tables of the registry that the gateway reads beside the rules: their keys matter in packs."""


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables(BUNDLE)


@pytest.fixture(scope="module")
def stories(tmp_path_factory) -> Iterator[Stories]:
    folder = tmp_path_factory.mktemp("stories")
    settings = Settings(state_dir=folder / "state", detector_workers=0, pin_every_seconds=0)
    asked = Stories(settings, BUNDLE, folder / "sources")
    yield asked
    asked.close()


def checked(bundle: Bundle) -> str:
    """What the checks say, without slips of the pen: that a name is none says nothing of who reads it."""
    return str([problem for problem in check(bundle) if not problem.column])


BEFORE: Final = policies_page(BUNDLE), checked(BUNDLE)


def is_shown(data: Any) -> bool:
    """Whether pages and checks say something else; a bundle that is refused says nothing of who reads the key."""
    bundle = replace(BUNDLE, data=data)
    with suppress(GatewayError):
        return policies_page(bundle) != BEFORE[0] or checked(bundle) != BEFORE[1]
    return False


def is_on_record(data: Any) -> bool:
    """Whether the page of what is on record says something else."""
    with suppress(GatewayError):
        return policies_page(replace(BUNDLE, data=data)) != BEFORE[0]
    return False


def table_of(key: str) -> str:
    return "/".join(key.split("/")[:2])


def keys_in(table: str) -> list[str]:
    """The keys of a table that are asked for here."""
    return [key for key in KEYS if table_of(key) == table and key not in HELD_ELSEWHERE]


def by_rules_or_pages(key: str, tables: Tables) -> bool:
    """Whether a case of the officers is answered otherwise, or else a page, however the key is changed; what is cheap first."""
    changed, first = list(others(BUNDLE.data, KEYS[key])), tables.areas_reading(KEYS[key][0])
    if any(tables.answer_otherwise(data, first, also_others=False) for data in changed):
        return True
    # A table of rules may be read through the rules of an area; one of the registry is read where it is named.
    if key.startswith("registry/"):
        return any(map(is_on_record, changed))
    return any(map(is_shown, changed)) or any(tables.answer_otherwise(data, first) for data in changed)


PACKED: Final = [f"registry/{name}" for name in IN_PACKS]


@pytest.mark.parametrize("table", sorted({table_of(key) for key in KEYS} - {*PACKED}))
def test_every_key_that_rules_or_pages_read(table, tables):
    """
    Each key of the table, changed or taken away in all rows, changes what policy answers to a case of the officers, or what
    the pages and checks of the bundle show.
    """
    assert [key for key in keys_in(table) if not by_rules_or_pages(key, tables)] == []


@pytest.mark.parametrize("table", PACKED)
def test_every_key_that_the_gateway_reads(table, tables, stories):
    """
    Each key of the table changes a case, a page, or what is answered to a bundled story or to a small request: the pack, or why
    there is none.
    """
    dead = [key for key in keys_in(table) if not by_rules_or_pages(key, tables)]
    assert [key for key in dead if not stories.answer_otherwise(others(BUNDLE.data, KEYS[key]))] == []


def test_answers_do_not_change_by_themselves(stories):
    """
    Asked again under the shipped tables, every request is answered as before, whatever was changed meanwhile.
    """
    assert not stories.answer_otherwise([BUNDLE.data])


def test_what_is_held_elsewhere_is_there():
    """
    The list of exceptions names keys that exist.
    """
    assert HELD_ELSEWHERE.keys() <= KEYS.keys()

"""
Which entries of a bundle's tables are names of something, and which of these things there are.

A name that names nothing is never an error to a rule: the rule finds nothing under it and holds, or does not, for ever.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, get_args

from gateway.errors import BundleInvalidError
from gateway.model.base import TrustClass
from gateway.model.policy_input import ExceptionScopeFacts, ItemFacts
from gateway.policy.annotations import annotations, refusals
from gateway.policy.areas import areas_of
from gateway.policy.bundle import Bundle
from gateway.policy.codes import GATEWAY_CODES
from gateway.policy.vetting.places import Path
from gateway.policy.vetting.words import at, defined, entries_at

BESIDE: Final = "label beside provenance"
"""A kind of which there may be none: what names one all the same is wrong."""

NAMED: Final[Mapping[str, str]] = {
    "context/attestation/channel_source_types/*": "source type",
    "context/attestation/needed_for/*": "source type",
    "context/attestation/receipts/source_type": "source type",
    "context/attestation/receipts/turns/section": "section",
    "context/attestation/tenants/*/needed_for/*": "source type",
    "context/attestation/validated_as/*": "source type",
    "context/attestation/validated_as/@": "source type",
    "context/conflicts/prevailing_source": "source type",
    "context/conflicts/versioned_source": "source type",
    "context/contract/agents/*/forbidden/*": "section",
    "context/contract/agents/@": "agent",
    "context/contract/contracts/*/allowed/*": "section",
    "context/contract/contracts/*/forbidden/*": "section",
    "context/contract/contracts/*/required/*/sections/*": "section",
    "context/contract/entity_data_for/*": "archetype",
    "context/contract/entity_section": "section",
    "context/contract/entity_source": "source type",
    "context/detokenization/across_sessions/*": "role",
    "context/detokenization/made_for/*/*": "role",
    "context/detokenization/made_for/@": "role",
    "context/detokenization/open_to/*/*": "type of personal data",
    "context/detokenization/open_to/@": "role",
    "context/entitlement/clearance/*": "classification",
    "context/entitlement/cross_domain_archetypes/*": "archetype",
    "context/entitlement/department_domains/*/*": "domain",
    "context/entitlement/domain_entitlements/@": "domain",
    "context/entitlement/domain_scoped_classifications/*": "classification",
    "context/entitlement/named_agent_classifications/*": "classification",
    "context/entitlement/named_agents/*": "agent",
    "context/entity/must_name_an_entity/*/*": "source type",
    "context/entity/must_name_an_entity/@": "section",
    "context/entity/record_types/*": "source type",
    "context/exceptions/granted/*/codes/*": "code of the list `waivable`",
    "context/exceptions/granted/*/scope/agent": "agent",
    "context/exceptions/granted/*/scope/purpose": "purpose",
    "context/exceptions/on_request/*/departments/*": "department",
    "context/exceptions/on_request/*/must_name/*": "member of a scope",
    "context/exceptions/on_request/*/one_of/*": "member of a scope",
    "context/exceptions/on_request/*/roles/*": "role",
    "context/exceptions/on_request/@": "code of a refusal that may be waived",
    "context/exceptions/waivable/*": "code of a refusal that may be waived",
    "context/exposure/exposed_fields/*/@": "section",
    "context/exposure/exposed_fields/@": "archetype",
    "context/freshness/live_within_seconds/@": "source type",
    "context/freshness/longest_days/by_source_type/@": "source type",
    "context/freshness/longest_days/by_label/@": BESIDE,
    "context/freshness/without_ttl/*": "source type",
    "context/grounding/claims/*/sources/*": "source type",
    "context/injection/by_source_type/@": "source type",
    "context/injection/refused_signs/@": "trust class",
    "context/injection/thresholds/@": "trust class",
    "context/jurisdiction/domain_corpora/@": "domain",
    "context/jurisdiction/must_name_a_corpus/*": "source type",
    "context/knowledge/taken_in_by/*": "role",
    "context/labels/named_after_documents/*/*": "source type",
    "context/labels/people": "type of personal data",
    "context/labels/recorded/*": "type of personal data",
    "context/labels/shown_operator": "operator",
    "context/limits/examples/section": "section",
    "context/limits/turns_section": "section",
    "context/notices/tell_the_model/*": "code",
    "context/pii/default_operator": "operator",
    "context/pii/floors/*/*": "operator",
    "context/pii/floors/*/@": "type of personal data",
    "context/pii/floors/@": "jurisdiction",
    "context/pii/no_change/*": "operator",
    "context/pii/profiles/by_source_type/@": "source type",
    "context/pii/types/*/*": "operator",
    "context/pii/types/*/@": "role",
    "context/rendering/neutralised/@": "trust class",
    "context/results/sections/*": "section",
    "context/review/independent/*": "archetype",
    "context/scoping/archetype_purposes/*/*": "purpose",
    "context/scoping/archetype_purposes/@": "archetype",
    "context/scoping/domain_entity_types/@": "domain",
    "context/scoping/history/purposes/*": "purpose",
    "context/scoping/history/roles/*": "role",
    "context/scoping/release_modes/*/*": "purpose",
    "context/sections/may_stay_outside/*": "section",
    "context/sections/routing/archetypes/*": "archetype",
    "context/sections/structured/*": "section",
    "context/standing/testers/roles/*": "role",
    "context/tools/only_for_purposes/*/*": "purpose",
    "context/tools/shown_to/*/agents/*": "agent",
    "context/tools/shown_to/*/archetypes/*": "archetype",
    "context/trust/cited/*": "source type",
    "context/trust/instructing_sections/*": "section",
    "context/trust/required_labels/*/*": "label",
    "context/trust/required_labels/@": "source type",
    "context/trust/sources/*/trust_class": "trust class",
    "context/trust/unfenced_trust_class": "trust class",
    "context/trust/web_purposes/*": "purpose",
    "context/trust/web_source": "source type",
    "registry/agents/*/archetype": "archetype",
    "registry/budgets/archetypes/@": "archetype",
    "registry/budgets/library/recoverable_sources/*": "source type",
    "registry/budgets/library/sections/*": "section",
    "registry/budgets/never_cut_sections/*": "section",
    "registry/budgets/never_cut_sources/*": "source type",
    "registry/budgets/overflow/*/section": "section",
    "registry/budgets/sections/*/sections/*": "section",
    "registry/budgets/selected/*/agents/*": "agent",
    "registry/budgets/selected/*/archetypes/*": "archetype",
    "registry/budgets/selected/*/purposes/*": "purpose",
    "registry/channels/*/data_classification": "classification",
    "registry/channels/*/jurisdiction": "jurisdiction",
    "registry/channels/*/jurisdictions/*": "jurisdiction",
    "registry/channels/*/roles/*/section": "section",
    "registry/channels/*/roles/*/source_type": "source type",
    "registry/channels/*/without_person": "role",
    "registry/corpora/*/data_classifications/*": "classification",
    "registry/corpora/*/domains/*": "domain or the shared one",
    "registry/corpora/*/jurisdictions/*": "jurisdiction",
    "registry/corpora/*/source_type": "source type",
    "registry/corpora/@": "corpus",
    "registry/domains/*/sensitivity": "classification",
    "registry/offering/labels/data_classification": "classification",
    "registry/offering/labels/domain": "domain or the shared one",
    "registry/offering/labels/jurisdiction": "jurisdiction",
    "registry/offering/labels/source_type": "source type",
    "registry/offering/section": "section",
    "registry/prompts/grant/corpora/*": "corpus",
    "registry/prompts/grant/data_classifications/*": "classification",
    "registry/prompts/grant/domains/*": "domain or the shared one",
    "registry/prompts/grant/labels/*": BESIDE,
    "registry/prompts/grant/jurisdictions/*": "jurisdiction",
    "registry/prompts/grant/source_types/*": "source type",
    "registry/prompts/prompts/*/sections/*": "section",
    "registry/sources/*/grant/corpora/*": "corpus",
    "registry/sources/*/grant/data_classifications/*": "classification",
    "registry/sources/*/grant/domains/*": "domain or the shared one",
    "registry/sources/*/grant/labels/*": BESIDE,
    "registry/vocabulary/labels/*/source_types/*": "source type",
    "registry/sources/*/grant/jurisdictions/*": "jurisdiction",
    "registry/sources/*/grant/source_types/*": "source type",
    "registry/sources/*/sections/*": "section",
    "registry/tools/*/result/data_classification": "classification",
    "registry/tools/*/result/jurisdiction": "jurisdiction",
    "registry/tools/*/result/section": "section",
    "registry/tools/*/result/source_type": "source type",
}
"""Entries that name something, by their path, in which `*` stands for every row; and what they name."""

KINDS: Final = frozenset(NAMED.values())
"""All kinds of names, also those of which a bundle has none."""


def named(data: object) -> Iterator[tuple[Path, object, bool, str]]:
    """Every entry that names something: its path, the name, whether it is a key, and of what it is the name."""
    for pattern, kind in NAMED.items():
        yield from ((path, name, key, kind) for path, name, key in entries_at(data, tuple(pattern.split("/")), ()))


def vocabulary(bundle: Bundle) -> dict[str, frozenset[str]]:
    """What there is, by kind; without the kinds whose table the bundle lacks, which is refused elsewhere."""
    known: dict[str, Iterable[object]] = {
        **defined(bundle.data),
        "trust class": get_args(TrustClass),
        "label": [*ItemFacts.__annotations__, *_keys(bundle, "registry/vocabulary/labels")],
        BESIDE: _keys(bundle, "registry/vocabulary/labels"),
        "code": all_codes(bundle),
        "agent": _keys(bundle, "registry/agents"),
        "domain": (domains := _keys(bundle, "registry/domains")),
        "domain or the shared one": [*domains, at(bundle.data, "context/entitlement/shared_domain")] if domains else (),
        "purpose": _keys(bundle, "registry/purposes"),
        "archetype": _keys(bundle, "context/contract/contracts"),
        "member of a scope": ExceptionScopeFacts.__annotations__,
        "operator": _keys(bundle, "context/pii/strictness"),
        "type of personal data": _keys(bundle, "context/pii/types"),
        "corpus": _corpora(bundle),
    }
    found = {kind: frozenset(name for name in names if isinstance(name, str)) for kind, names in known.items()}
    return {kind: names for kind, names in found.items() if names or kind == BESIDE} | _waivable(bundle)


def all_codes(bundle: Bundle) -> frozenset[str]:
    """Every code that a rule or the gateway gives."""
    try:
        given = {block.code for rego in bundle.modules.values() for block in annotations(rego) if block.code}
    except BundleInvalidError:
        return frozenset()
    return frozenset(given | GATEWAY_CODES.keys())


def _waivable(bundle: Bundle) -> dict[str, frozenset[str]]:
    """Codes of refusals of the areas whose line says that they may be waived at all, and those of them that are; both may be none."""
    try:
        areas = areas_of(bundle).listed
    except BundleInvalidError:
        return {}
    # Whatever the list says, `context.rego` asks for waivers in these areas alone, so that any other code is waived by nothing.
    texts = [bundle.modules.get(f"context/{area.name}/{area.name}.rego", "") for area in areas if area.waivable]
    codes = frozenset(code for rego in texts for refusal in refusals(rego) for code in refusal.codes)
    listed = {name for name in _list(bundle, "context/exceptions/waivable") if isinstance(name, str)}
    return {"code of a refusal that may be waived": codes, "code of the list `waivable`": codes & listed}


def _corpora(bundle: Bundle) -> list[object]:
    patterns = ("context/jurisdiction/jurisdictions/*/corpora/*", "context/jurisdiction/domain_corpora/*/*")
    return [name for pattern in patterns for _, name, _ in entries_at(bundle.data, tuple(pattern.split("/")), ())]


def _keys(bundle: Bundle, path: str) -> list[str]:
    table = at(bundle.data, path)
    return list(table) if isinstance(table, dict) else []


def _list(bundle: Bundle, path: str) -> list[object]:
    table = at(bundle.data, path)
    return table if isinstance(table, list) else []

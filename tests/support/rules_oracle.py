"""
What a request may be given, by the tables of the Context Engineering Blueprint (sections beside them), and no other code: a request
is its document with `agents`, those of its token; a signature reads `owner..good`, or is bad; a receipt `AGENT..receipt`.
"""

WORKERS = {"NPA": ["CLASSIFIER", "AUTOFILL", "RISK", "GOVERNANCE"], "ORM": ["ORM_ANALYST"], "DESK": ["DESK_ANALYST"]}
AGENTS = {  # 9.2, 9.3: archetype, and domains
    **{name: ("worker", [domain]) for domain, names in WORKERS.items() for name in names},
    **{f"{domain}_ORCHESTRATOR": ("orchestrator", [domain]) for domain in WORKERS},
}
AGENTS |= {"MASTER_COO": ("orchestrator", list(WORKERS)), "ORM_REVIEWER": ("reviewer", ["ORM"])}
PRIMARY = {"NPA": "project", "ORM": "incident", "DESK": "counterparty"}  # 9.3
SHARED = {"task", "entity", "prior_result", "memory"}  # 9.2: the sections of each archetype
SECTIONS = {"reviewer": {*SHARED, "knowledge"}, "orchestrator": {*SHARED, "conversation"}}
SECTIONS["worker"] = {*SHARED, "conversation", "knowledge", "tool_result", "upload"}
TURNS, NOT_CONVERSATIONAL, ROUTING = 4, {"AUTOFILL"}, {"routing_context", "delegation_stack"}  # 9.2
CORPORA = {  # 10.2; 6.3 and 9.3
    "SG": {"mas_notices", "sfas", "sg_banking_regs"},
    "HK": {"hkma_guidelines", "sfo", "hk_banking_regs"},
    "ALL": {"bank_sops_and_policies", "product_taxonomy"},
    "NPA": {"npa_classification_criteria", "npa_regulatory_refs", "npa_golden_templates"},
    "ORM": {"orm_policies_and_rcsa_templates", "basel_iii_or_guidelines"},
    "DESK": {"desk_sops_and_playbooks", "isda_templates_and_standards", "fatf_aml_kyc_refs"},
}
PUBLISHED = {"industry_standard", "external_official"}  # 5.1, tiers 3 and 4: of a corpus, which has to be named
DOCUMENTS, NEVER = {"bank_sop", "reference_data", *PUBLISHED}, {"social_media", "hearsay"}  # 5.2
TRUSTED = {"system_of_record", "agent_output", *DOCUMENTS}
OWNERS = {f"sor-{domain.lower()}": ({"system_of_record"}, {domain}) for domain in WORKERS}  # 5.1: who may say what
OWNERS["knowledge-base"] = DOCUMENTS, {"ALL", *WORKERS}
KYC, TWO_YEARS_AGO = "kyc_document", "2024-03-01"  # on the day of the requests, 2026-03-01
RESULTS = {f"agent:{name}": "summary" for name in ("RISK", "GOVERNANCE", "ORM_ANALYST", "DESK_ANALYST")}  # 8.2


def expected(request):
    """Whether it may be asked; of each item `denied`, `trusted`, `fenced` or `dropped`; whether there is a pack."""
    name, kind = request["agent_id"], (request["entity"] or {}).get("type")
    archetype, domains = AGENTS.get(name, (None, [None]))
    domain = next((one for one in domains if PRIMARY.get(one) == kind), domains[0])
    if name == "NPA_REVIEWER" or name not in request["agents"] or kind not in {None, PRIMARY[domain]}:
        return {"asked": False}  # 14.1: that reviewer is a draft
    own = [one for one in request["items"] if is_record(one, request["entity"], domain)]
    listed = [set(one["content"]["jurisdictions"]) for one in own if one["content"].get("jurisdictions")]
    fits = all(places.issuperset(request["jurisdictions"]) for places in listed)  # 10.1
    reach = {request["entity"]["id"]} if kind else set()
    reach |= {other for one in own for other in one["content"].get("related_entities", [])}
    corpora = set().union(*(CORPORA[one] for one in ("ALL", domain, *request["jurisdictions"])))

    def allowed(item):
        labels, section = item["provenance"], item["section"]
        widely = archetype != "worker" and labels["data_classification"] != "CONFIDENTIAL"  # 5.3
        of_somebody = taken(item) == "system_of_record"
        return (
            (section in SECTIONS[archetype] and not (section == "conversation" and name in NOT_CONVERSATIONAL))
            and (labels["doc_section"] not in ROUTING or archetype == "orchestrator")
            and (vouched(item) is not False and labels["source_type"] not in NEVER)
            and (labels["source_type"] != "general_web" or request["purpose"] == "general_research")  # 5.1, tier 5
            and labels["jurisdiction"] in {"GLOBAL", *request["jurisdictions"]}
            and (labels["domain"] in {"ALL", *domains} or widely)
            and (labels["corpus"] in corpora if labels["corpus"] else taken(item) not in PUBLISHED)
            and (labels["entity_id"] in reach if labels["entity_id"] else not of_somebody)
            and (section != "prior_result" or meets(item))
            and not (KYC in labels.get("labels", {}).values() and labels["effective_date"] < TWO_YEARS_AGO)
        )

    given = [one for one in request["items"] if fits and allowed(one)]
    pack, held = fits, {one["section"] for one in given}
    if kind and archetype != "reviewer" and name != "MASTER_COO":  # 9.2, 12.2: the coordinator only hands on (8.2)
        pack = pack and any(is_record(one, request["entity"], domain) for one in given)
    pack = pack and (archetype != "worker" or bool(held & {"entity", "tool_result"}))
    if archetype == "reviewer":
        authors = {(one["provenance"]["source_id"], vouched(one)) for one in given if one["section"] == "prior_result"}
        pack = pack and "task" in held and len(authors) == 1 and all(sure for _, sure in authors)
    turns = [one["id"] for one in given if pack and one["section"] == "conversation"][:-TURNS]
    words = {one["id"]: word_of(one) if one in given else "denied" for one in request["items"]}
    return {"asked": True, "items": words | dict.fromkeys(turns, "dropped"), "pack": pack}


def vouched(item):
    """Whether its owner vouches for it; None where nobody says so, False where that is not so or not theirs to say."""
    labels, (owner, _, word) = item["provenance"], (item["attestation"] or "").partition("..")
    if word == "receipt":
        return (labels["source_type"], labels["source_id"]) == ("agent_output", f"agent:{owner}")
    types, domains = OWNERS.get(owner, ((), ()))
    return (word == "good" and labels["source_type"] in types and labels["domain"] in domains) if owner else None


def taken(item):
    said = item["provenance"]["source_type"]
    return said if said not in TRUSTED or vouched(item) else "third_party_api"


def word_of(item):
    return "trusted" if taken(item) in TRUSTED and (taken(item) != "agent_output" or meets(item)) else "fenced"


def is_record(item, entity, domain):
    labels, wanted = item["provenance"], ("entity", "system_of_record", (entity or {}).get("id"), domain)
    return (item["section"], taken(item), labels["entity_id"], labels["domain"]) == wanted


def meets(item):
    return isinstance(item["content"], dict) and bool(item["content"].get(RESULTS.get(item["provenance"]["source_id"])))

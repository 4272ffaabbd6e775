"""
Requests drawn at random, of which nothing is wrong but what the oracle of rules (`rules_oracle.py`) is to see.

Everything is fresh, and no two items say the same, so that no item is lost to another one.
"""

from tests.support.clock import NOW

WORDS = ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jetty", "koala", "larch"]
OTHER = "OTHER-1"
RELATED = "RELATED-1"
ENTITIES = {"NPA": ("project", "NPA-1"), "ORM": ("incident", "INC-1"), "DESK": ("counterparty", "CP-1")}
RECORDS = {"NPA": "SoR:npa_projects", "ORM": "SoR:orm_incidents", "DESK": "SoR:desk_counterparties"}
AGENTS = {
    "NPA": ["CLASSIFIER", "AUTOFILL", "RISK", "GOVERNANCE", "NPA_ORCHESTRATOR", "NPA_REVIEWER"],
    "ORM": ["ORM_ANALYST", "ORM_ORCHESTRATOR", "ORM_REVIEWER", "ORM_REVIEWER"],
    "DESK": ["DESK_ANALYST", "DESK_ANALYST", "DESK_ORCHESTRATOR"],
}
PURPOSES = {"REVIEWER": ["output_review"], "ORCHESTRATOR": ["routing", "general_research"], "COO": ["routing"]}
OPEN = {"NPA": "npa_classification_criteria", "ORM": "basel_iii_or_guidelines", "DESK": "isda_templates_and_standards"}
LAWS = {"SG": "mas_notices", "HK": "hkma_guidelines"}
CORPORA = [
    *("mas_notices", "sfas", "sg_banking_regs", "hkma_guidelines", "sfo", "hk_banking_regs", "rbi_directions"),
    *("npa_regulatory_refs", "npa_golden_templates", "orm_policies_and_rcsa_templates", "desk_sops_and_playbooks"),
    *("fatf_aml_kyc_refs", "isda_templates_and_standards", "product_taxonomy", "board_minutes"),
]
TYPES = [
    *("bank_sop", "bank_sop", "industry_standard", "external_official", "reference_data", "email", "third_party_api"),
    *("uploaded_document", "user_input", "general_web", "social_media", "hearsay", "agent_output", "system_of_record"),
]
AUTHORS = ["RISK", "GOVERNANCE", "ORM_ANALYST", "DESK_ANALYST"]
LABELS = {
    "version": "1.0",
    "effective_date": "2025-01-01",
    "owner": "Product Control",
    "fetched_at": NOW.isoformat().replace("+00:00", "Z"),
    "ttl_seconds": 3600,
}


DATED = {"bank_sop", "reference_data", "industry_standard", "external_official"}
KINDS = [
    {"labels": {"document_type": "kyc_document"}, "effective_date": "2024-03-01"},
    {"labels": {"document_type": "kyc_document"}, "effective_date": "2024-02-29"},
    {"labels": {"document_type": "report"}, "effective_date": "2020-01-01"},
    {"effective_date": "2020-01-01"},
]
"""Kinds of documents of 730 days, of a day more, and of any age."""


class Draw:
    """One request after another, the same for the same source of chance."""

    def __init__(self, chance):
        self.chance = chance
        self.count = 0

    def request(self):
        """A request as a document, with `agents`: those that its token speaks for."""
        pick = self.chance.choice
        self.domain = pick(list(AGENTS))
        agent = pick(AGENTS[self.domain]) if self.mostly(9) else "MASTER_COO"
        domain = self.domain if self.mostly(19) else pick(list(ENTITIES))
        kind, self.entity = ENTITIES[domain]
        self.places = pick([["SG"], ["HK"], ["SG", "HK"]])
        entity = {"type": kind, "id": self.entity} if self.mostly(4) else None
        items = [self.own_record(), *self.wished(agent), *(self.item() for _ in range(self.chance.randint(1, 4)))]
        self.chance.shuffle(items)
        items = items[:6]
        if self.mostly(1, 3):
            items += [self.turn() for _ in range(self.chance.randint(1, 8))]
        return {
            "agent_id": agent,
            "agents": [agent, "IDEATION"] if self.mostly(19) else ["IDEATION"],
            "purpose": pick(PURPOSES.get(agent.split("_")[-1], ["document_check", "general_research"])),
            "query": "What of it?",
            "entity": entity,
            "jurisdictions": self.places,
            "model": "gpt-4o",
            "token_budget": 100000,
            "items": items,
        }

    def mostly(self, true, false=1):
        """True so many times, to so many times False."""
        return self.chance.randrange(true + false) < true

    def wished(self, agent):
        """What an archetype asks for beside its record."""
        if agent.endswith("REVIEWER"):
            author = self.chance.choice(AUTHORS)
            several = [self.result()] if self.mostly(1, 3) else []
            return [self.text("task", "user_input"), *([self.result(author)] if self.mostly(7) else []), *several]
        return [self.result()] if self.mostly(1, 2) else []

    def own_record(self):
        """The record of the request's entity, mostly as it should be."""
        said = {}
        if self.mostly(1):
            said["related_entities"] = [RELATED]
        if self.mostly(1, 2):
            said["jurisdictions"] = self.chance.choice([["SG", "HK"], ["SG", "HK"], ["SG"], ["HK"], []])
        return self.record(self.entity if self.mostly(9) else OTHER, said, self.domain if self.mostly(19) else "ORM")

    def record(self, entity, said, domain):
        labels = {"source_id": RECORDS[domain], "source_type": "system_of_record", "domain": domain}
        return self.make("entity", {**said, "note": self.words()}, **labels, entity_id=entity, corpus=None)

    def item(self):
        """Any other item."""
        return self.chance.choice([self.knowledge, self.knowledge, self.fact, self.result, self.loose, self.related])()

    def related(self):
        return self.record(self.chance.choice([RELATED, RELATED, OTHER, self.entity]), {}, self.domain)

    def fact(self):
        entity = self.chance.choice([self.entity, self.entity, RELATED, OTHER, None])
        labels = {"source_id": f"SoR:table_{self.chance.randrange(9)}", "source_type": "system_of_record"}
        return self.make("tool_result", {"note": self.words()}, **labels, entity_id=entity, corpus=None)

    def knowledge(self):
        place = self.chance.choice(self.places)
        mostly = [OPEN[self.domain], "bank_sops_and_policies", LAWS[place], None]
        corpus = self.chance.choice(mostly if self.mostly(2) else CORPORA)
        return self.text("knowledge", self.chance.choice(TYPES if self.mostly(1, 2) else TYPES[:5]), corpus=corpus)

    def loose(self):
        kinds = ["email", "uploaded_document", "user_input", "agent_output", "reference_data", "third_party_api"]
        labels = {"entity_id": self.chance.choice([None, None, self.entity, RELATED, OTHER])}
        if self.mostly(1, 4):
            labels["doc_section"] = self.chance.choice(["routing_context", "delegation_stack"])
        section = self.chance.choice(["memory", "memory", "upload", "task"])
        return self.text(section, self.chance.choice(kinds), **labels)

    def result(self, author=None):
        """What an agent concluded, mostly as its schema asks."""
        author = author or self.chance.choice([*AUTHORS, *AUTHORS, "NPA_ORCHESTRATOR", "EVIL"])
        member = "summary" if self.mostly(9) else "nothing"
        content = {"agent": author, member: self.words()}
        entity = self.chance.choice([None, None, self.entity, OTHER])
        labels = {"source_id": f"agent:{author}", "source_type": "agent_output"}
        return self.make("prior_result", content, **labels, entity_id=entity, corpus=None)

    def turn(self):
        return {**self.text("conversation", "user_input", jurisdiction="GLOBAL", domain="ALL"), "attestation": None}

    def text(self, section, kind, **labels):
        if kind == "system_of_record":
            return self.make(
                section, self.words(), **{**labels, "source_id": "SoR:ref", "source_type": kind, "corpus": None}
            )
        name = f"agent:{self.chance.choice(AUTHORS)}" if kind == "agent_output" else f"document-{self.count}"
        return self.make(section, self.words(), **{"source_id": name, "source_type": kind, "corpus": None, **labels})

    def make(self, section, content, **labels):
        """An item with the labels that everything needs, and somebody or nobody who vouches for it."""
        self.count += 1
        said = {
            "data_classification": self.chance.choice(["INTERNAL", "CONFIDENTIAL"]),
            "jurisdiction": self.chance.choice([*self.places, "GLOBAL"] if self.mostly(14) else ["SG", "HK", "IN"]),
            "domain": self.chance.choice([self.domain, "ALL"] if self.mostly(9) else list(ENTITIES)),
            "doc_section": f"section-{self.count}",
            "entity_id": None,
            **LABELS,
            **labels,
        }
        if said["source_type"] == "system_of_record" and said["domain"] == "ALL":
            said["domain"] = self.domain
        if said["source_type"] in DATED and self.count % 3 == 0:
            # By its number and not by chance, so that all else stays as it was drawn.
            said |= KINDS[self.count % len(KINDS)]
        media = "text/plain" if isinstance(content, str) else "application/json"
        made = {"id": f"i{self.count}", "section": section, "content": content, "media_type": media}
        return {**made, "provenance": said, "attestation": self.mark(said)}

    def mark(self, said):
        """Its owner's signature or receipt; seldom somebody else's, one that does not hold, or none."""
        owner = f"sor-{said['domain'].lower()}" if said["source_type"] == "system_of_record" else "knowledge-base"
        good = f"{owner}..good"
        if said["source_type"] == "agent_output":
            good = f"{said['source_id'].removeprefix('agent:')}..receipt"
        elif said["source_type"] in {"email", "user_input", "uploaded_document", "third_party_api", "general_web"}:
            return None if self.mostly(19) else good
        wrong = [None, None, f"{owner}..forged", f"{owner}..revoked", "sor-orm..good", "knowledge-base..good"]
        return good if self.mostly(7) else self.chance.choice([*wrong, "RISK..receipt"])

    def words(self):
        """Twelve words that no other item has in this order, without a figure."""
        return " ".join(self.chance.choice(WORDS) for _ in range(12))

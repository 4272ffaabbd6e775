# Written from the `cases.yaml` of each area by `make docs` and `ctxgate policy new`; edit those.
package context.cases_test

import data.context.attestation
import data.context.classification
import data.context.conflicts
import data.context.contract
import data.context.detokenization
import data.context.entitlement
import data.context.entity
import data.context.exceptions
import data.context.exposure
import data.context.fields
import data.context.freshness
import data.context.granting
import data.context.grounding
import data.context.injection
import data.context.jurisdiction
import data.context.knowledge
import data.context.labels
import data.context.limits
import data.context.notices
import data.context.pii
import data.context.record
import data.context.rendering
import data.context.required
import data.context.results
import data.context.review
import data.context.scoping
import data.context.sections
import data.context.signatures
import data.context.standing
import data.context.tools
import data.context.trust

# The input that every area permits; tests change one thing at a time.
good := {
	"now": "2026-03-01T09:15:00.000000Z",
	"subject": {
		"tenant": "gfm",
		"role": "analyst",
		"department": "RMG",
		"jurisdictions": ["SG"],
		"domains": ["NPA"],
		"entitlements": ["npa:read"],
		"agents": ["RISK", "GOVERNANCE", "NPA_REVIEWER", "ORM_ANALYST"],
	},
	"agent": {"id": "RISK", "archetype": "worker", "domains": ["NPA"]},
	"request": {
		"purpose": "risk_assessment",
		"domain": "NPA",
		"entity": {"type": "project", "id": "NPA-2026-00142"},
		"jurisdictions": ["SG"],
		"has_query": true,
		"historical": false,
	},
	"item": {
		"section": "knowledge",
		"media_type": "text/plain",
		"source_id": "SOP",
		"source_type": "bank_sop",
		"version": "3.2",
		"effective_date": "2025-11-01",
		"expiry_date": null,
		"owner": "Product Control",
		"age_seconds": 0,
		"ttl_seconds": 86400,
		"data_classification": "INTERNAL",
		"jurisdiction": "SG",
		"domain": "NPA",
		"entity_id": null,
		"doc_section": "4.2.1",
		"corpus": null,
		"labels": {},
		"labels_declared": true,
		"age_days": 120,
		"channel": "caller",
		"attestation": {
			"method": "development",
			"issuer": "development",
			"key": "development",
			"signed_at": "2026-03-01T09:15:00.000000Z",
			"age_seconds": 0,
			"verified": true,
		},
		"prompt": null,
		"meets_schema": null,
		"structured": false,
		"label_findings": [],
		"tools": null,
	},
	"records": [],
	"findings": [],
	"reviews": [],
	"exceptions": [],
	"step": "approve",
	"officer": {"role": "approver", "department": "LEGAL"},
	"exception": {
		"id": "EXR-1",
		"codes": ["JUR-001", "JUR-002"],
		"scope": {
			"agent": null,
			"purpose": null,
			"role": null,
			"department": "COO",
			"source_id": null,
			"source_type": null,
			"domain": null,
			"entity_id": "NPA-2026-00142",
			"jurisdiction": "HK",
			"classification": null,
		},
		"expires": "2026-03-31T00:00:00.000000Z",
		"until": null,
		"lasts_seconds": 2592000,
		"used_up": false,
		"while_bundle_decides": null,
		"names_requester": null,
		"asked_by": {"role": "coo", "department": "COO"},
		"approved_by": null,
	},
	"caller": {"purposes": ["risk_assessment"], "session": "s-1"},
	"token": {
		"type": "PERSON",
		"purpose": "risk_assessment",
		"origin": {"jurisdictions": ["SG"], "domain": "NPA", "session": "s-1", "role": "analyst"},
	},
	"screened": ["pii/patterns", "pii/full", "injection", "rendering"],
	"domain": "NPA",
	"claim": {"type": "classification_criteria"},
	"sources": [
		{
			"found": true,
			"source_type": "bank_sop",
			"domain": "NPA",
			"authority_tier": 2,
			"parts": ["version", "section"],
			"version_matches": true,
			"support": 1.0,
			"age_seconds": 0,
			"ttl_seconds": 86400,
			"expiry_date": null,
		},
	],
	"asked": [],
	"searches": [],
	"calls": [],
	"items": [],
	"groups": [],
	"fields": [],
	"disputes": [],
	"tools": [],
	"stage": "content",
	"document": {
		"source_id": "SOP",
		"source_type": "bank_sop",
		"version": "3.10",
		"effective_date": "2025-11-01",
		"expiry_date": null,
		"owner": "Product Control",
		"ttl_seconds": 7776000,
		"data_classification": "INTERNAL",
		"jurisdiction": "SG",
		"domain": "NPA",
		"entity_id": null,
		"corpus": "bank_sops_and_policies",
		"labels": {"document_type": "procedure"},
		"labels_declared": true,
		"metadata": ["doc_id"],
		"media_type": "text/markdown",
		"replaces": {"version": "3.9", "effective_date": "2025-01-01"},
	},
	"corpus": {
		"id": "bank_sops_and_policies",
		"status": "active",
		"source_type": "bank_sop",
		"domains": ["NPA", "ORM", "ALL"],
		"jurisdictions": ["SG", "HK", "GLOBAL"],
		"data_classifications": ["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"],
		"mandatory": ["doc_id", "version", "effective_date", "owner", "data_classification", "document_type"],
		"document_types": ["policy", "procedure"],
	},
	"tool": {"id": "get_npa_by_id", "source": "sor-npa", "domains": ["NPA"], "safety": ["reads"], "available": true},
}

test_scoping_allowed[note] if {
	some note, change in {
		"an analyst asks for a risk assessment": {},
		"without an entity": {"request": {"entity": null}},
		"group-wide only": {"request": {"jurisdictions": ["GLOBAL"]}},
		"one of several agents of the token": {"subject": {"agents": ["CLASSIFIER", "RISK"]}},
		"a gateway that is set to believe the request": {"subject": {"agents": null}},
		"an approver asks what the state was": {
			"subject": {"role": "approver"},
			"request": {"purpose": "governance_review", "historical": true},
		},
	}
	facts := object.union(good, change)
	scoping.permit with input as facts
	count(scoping.deny) == 0 with input as facts
}

test_scoping_refused[note] if {
	some note, example in {
		"unknown role": {"change": {"subject": {"role": "intern"}}, "codes": ["SCP-001"]},
		"a purpose for other agents": {"change": {"request": {"purpose": "routing"}}, "codes": ["SCP-002"]},
		"a jurisdiction not held": {"change": {"request": {"jurisdictions": ["SG", "HK"]}}, "codes": ["SCP-003"]},
		"no jurisdiction": {"change": {"request": {"jurisdictions": []}}, "codes": ["SCP-003"]},
		"a department without the domain": {"change": {"subject": {"department": "DESK"}}, "codes": ["SCP-004"]},
		"an entity of another domain": {"change": {"request": {"entity": {"type": "incident"}}}, "codes": ["SCP-005"]},
		"an agent that the token does not name": {
			"change": {"subject": {"agents": ["CLASSIFIER"]}},
			"codes": ["SCP-006"],
		},
		"a token that names no agent": {"change": {"subject": {"agents": []}}, "codes": ["SCP-006"]},
		"an agent in other letters": {"change": {"subject": {"agents": ["risk", "RISK ", "*"]}}, "codes": ["SCP-006"]},
		"jurisdictions of the request that are no list": {
			"change": {"request": {"jurisdictions": {"first": "SG"}}},
			"codes": ["SCP-003"],
		},
		"an analyst asks what the state was": {
			"change": {"request": {"purpose": "governance_review", "historical": true}},
			"codes": ["SCP-007"],
		},
		"history for a purpose that needs the present": {
			"change": {"subject": {"role": "approver"}, "request": {"historical": true}},
			"codes": ["SCP-007"],
		},
		"not known whether history is asked for": {
			"change": {
				"subject": {"role": "approver"},
				"request": {"purpose": "governance_review", "historical": null},
			},
			"codes": ["SCP-007"],
		},
	}
	facts := object.union(good, example.change)
	not scoping.permit with input as facts
	codes := {refusal.code | some refusal in scoping.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.scope.denials} with input as facts
	codes - told == set()
}

test_scoping_nothing_known if {
	not scoping.permit with input as {}
	codes := {refusal.code | some refusal in scoping.deny} with input as {}
	codes == {"SCP-001", "SCP-002", "SCP-003", "SCP-004", "SCP-005", "SCP-006", "SCP-007"}
}

test_standing_allowed[note] if {
	some note, change in {
		"a contract in force": {},
		"a draft, for a tester by role": {
			"agent": {"id": "NPA_REVIEWER", "archetype": "reviewer"},
			"subject": {"role": "admin"},
		},
		"a draft, for a tester by entitlement": {
			"agent": {"id": "NPA_REVIEWER", "archetype": "reviewer"},
			"subject": {"entitlements": ["npa:read", "contracts:test"]},
		},
	}
	facts := object.union(good, change)
	standing.permit with input as facts
	count(standing.deny) == 0 with input as facts
}

test_standing_refused[note] if {
	some note, example in {
		"a draft, for anybody else": {
			"change": {
				"agent": {"id": "NPA_REVIEWER", "archetype": "reviewer"},
				"request": {"purpose": "output_review"},
			},
			"codes": ["CTR-009"],
		},
		"a draft, where the token lists no entitlements": {
			"change": {"agent": {"id": "NPA_REVIEWER", "archetype": "reviewer"}, "subject": {"entitlements": null}},
			"codes": ["CTR-009"],
		},
		"an agent whose contract is not on record": {"change": {"agent": {"id": "NOBODY"}}, "codes": ["CTR-008"]},
	}
	facts := object.union(good, example.change)
	not standing.permit with input as facts
	codes := {refusal.code | some refusal in standing.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.scope.denials} with input as facts
	codes - told == set()
}

test_standing_nothing_known if {
	not standing.permit with input as {}
	codes := {refusal.code | some refusal in standing.deny} with input as {}
	codes == {"CTR-008", "CTR-009"}
}

test_entitlement_allowed[note] if {
	some note, change in {
		"own domain": {},
		"shared domain": {"item": {"domain": "ALL"}},
		"no narrowing in the token": {"subject": {"domains": null, "entitlements": null}},
		"confidential in the agent's domain": {"item": {"data_classification": "CONFIDENTIAL"}},
		"restricted for a named agent": {"agent": {"id": "GOVERNANCE"}, "item": {"data_classification": "RESTRICTED"}},
		"a gateway that is set to believe the request": {"subject": {"agents": null}},
		"of another domain's agent: orchestrator, PUBLIC": {
			"agent": {"archetype": "orchestrator", "domains": ["ORM"]},
			"item": {"data_classification": "PUBLIC"},
		},
		"of another domain's agent: orchestrator, INTERNAL": {
			"agent": {"archetype": "orchestrator", "domains": ["ORM"]},
			"item": {"data_classification": "INTERNAL"},
		},
		"of another domain's agent: reviewer, PUBLIC": {
			"agent": {"archetype": "reviewer", "domains": ["ORM"]},
			"item": {"data_classification": "PUBLIC"},
		},
		"of another domain's agent: reviewer, INTERNAL": {
			"agent": {"archetype": "reviewer", "domains": ["ORM"]},
			"item": {"data_classification": "INTERNAL"},
		},
	}
	facts := object.union(good, change)
	entitlement.permit with input as facts
	count(entitlement.deny) == 0 with input as facts
}

test_entitlement_refused[note] if {
	some note, example in {
		"unknown role": {"change": {"subject": {"role": "intern"}}, "codes": ["ENT-001"]},
		"domain of another department": {
			"change": {"subject": {"domains": ["DESK"], "entitlements": ["desk:read"]}, "item": {"domain": "DESK"}},
			"codes": ["ENT-002", "ENT-005"],
		},
		"unknown department": {"change": {"subject": {"department": "CATERING"}}, "codes": ["ENT-002"]},
		"shared domain, unknown department": {
			"change": {"subject": {"department": "CATERING"}, "item": {"domain": "ALL"}},
			"codes": ["ENT-002"],
		},
		"outside the token's domains": {
			"change": {
				"agent": {"domains": ["NPA", "ORM"]},
				"subject": {"entitlements": null},
				"item": {"domain": "ORM"},
			},
			"codes": ["ENT-003"],
		},
		"entitlement not held": {"change": {"subject": {"entitlements": ["orm:read"]}}, "codes": ["ENT-004"]},
		"no entitlement at all": {"change": {"subject": {"entitlements": []}}, "codes": ["ENT-004"]},
		"restricted for an agent that is not named": {
			"change": {"item": {"data_classification": "RESTRICTED"}},
			"codes": ["ENT-006"],
		},
		"no domain": {"change": {"item": {"domain": null}}, "codes": ["ENT-002", "ENT-003", "ENT-004", "ENT-005"]},
		"no classification, agent of another domain": {
			"change": {
				"agent": {"archetype": "orchestrator", "domains": ["ORM"]},
				"item": {"data_classification": null},
			},
			"codes": ["ENT-005", "ENT-006"],
		},
		"for an agent that the token does not name": {
			"change": {"subject": {"agents": ["CLASSIFIER"]}},
			"codes": ["ENT-007"],
		},
		"for a token that names no agent": {"change": {"subject": {"agents": []}}, "codes": ["ENT-007"]},
		"of another domain's agent: orchestrator, CONFIDENTIAL": {
			"change": {
				"agent": {"archetype": "orchestrator", "domains": ["ORM"]},
				"item": {"data_classification": "CONFIDENTIAL"},
			},
			"codes": ["ENT-005"],
		},
		"of another domain's agent: reviewer, CONFIDENTIAL": {
			"change": {
				"agent": {"archetype": "reviewer", "domains": ["ORM"]},
				"item": {"data_classification": "CONFIDENTIAL"},
			},
			"codes": ["ENT-005"],
		},
		"of another domain's agent: worker, PUBLIC": {
			"change": {"agent": {"domains": ["ORM"]}, "item": {"data_classification": "PUBLIC"}},
			"codes": ["ENT-005"],
		},
		"of another domain's agent: worker, INTERNAL": {
			"change": {"agent": {"domains": ["ORM"]}, "item": {"data_classification": "INTERNAL"}},
			"codes": ["ENT-005"],
		},
		"of another domain's agent: worker, CONFIDENTIAL": {
			"change": {"agent": {"domains": ["ORM"]}, "item": {"data_classification": "CONFIDENTIAL"}},
			"codes": ["ENT-005"],
		},
	}
	facts := object.union(good, example.change)
	not entitlement.permit with input as facts
	codes := {refusal.code | some refusal in entitlement.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_entitlement_nothing_known if {
	not entitlement.permit with input as {}
	codes := {refusal.code | some refusal in entitlement.deny} with input as {}
	codes == {"ENT-001", "ENT-002", "ENT-003", "ENT-004", "ENT-005", "ENT-006", "ENT-007"}
}

test_jurisdiction_allowed[note] if {
	some note, change in {
		"at home": {},
		"group-wide": {"item": {"jurisdiction": "GLOBAL"}},
		"one of several": {
			"request": {"jurisdictions": ["SG", "HK"]},
			"subject": {"jurisdictions": ["SG", "HK"]},
			"item": {"jurisdiction": "HK"},
		},
		"a corpus of the request's jurisdiction": {
			"item": {"source_type": "external_official", "corpus": "mas_notices"},
		},
		"a corpus of the request's domain": {"item": {"corpus": "npa_classification_criteria"}},
		"a corpus of one of several jurisdictions": {
			"request": {"jurisdictions": ["SG", "HK"]},
			"subject": {"jurisdictions": ["SG", "HK"]},
			"item": {"corpus": "hkma_guidelines"},
		},
	}
	facts := object.union(good, change)
	jurisdiction.permit with input as facts
	count(jurisdiction.deny) == 0 with input as facts
}

test_jurisdiction_refused[note] if {
	some note, example in {
		"a corpus of another jurisdiction": {"change": {"item": {"corpus": "hkma_guidelines"}}, "codes": ["JUR-004"]},
		"a corpus of another domain": {
			"change": {"item": {"corpus": "orm_policies_and_rcsa_templates"}},
			"codes": ["JUR-004"],
		},
		"a corpus that is not on record": {"change": {"item": {"corpus": "downloads"}}, "codes": ["JUR-004"]},
		"a regulator's text from no corpus": {
			"change": {"item": {"source_type": "external_official"}},
			"codes": ["JUR-005"],
		},
		"a standard from no corpus": {"change": {"item": {"source_type": "industry_standard"}}, "codes": ["JUR-005"]},
		"outside the request": {
			"change": {"subject": {"jurisdictions": ["SG", "HK"]}, "item": {"jurisdiction": "HK"}},
			"codes": ["JUR-001"],
		},
		"outside the requester's jurisdictions": {
			"change": {"request": {"jurisdictions": ["SG", "HK"]}, "item": {"jurisdiction": "HK"}},
			"codes": ["JUR-002"],
		},
		"a corpus that is staged, and so not in use yet": {
			"change": {
				"request": {"jurisdictions": ["TW"]},
				"subject": {"jurisdictions": ["TW"]},
				"item": {"jurisdiction": "TW", "source_type": "external_official", "corpus": "tw_banking_act"},
			},
			"codes": ["JUR-006"],
		},
		"no jurisdiction": {"change": {"item": {"jurisdiction": null}}, "codes": ["JUR-001", "JUR-002", "JUR-003"]},
		"a jurisdiction that is not on record": {
			"change": {"item": {"jurisdiction": "FR"}},
			"codes": ["JUR-001", "JUR-002", "JUR-003"],
		},
		"held and asked for, but not on record": {
			"change": {
				"request": {"jurisdictions": ["FR"]},
				"subject": {"jurisdictions": ["FR"]},
				"item": {"jurisdiction": "FR"},
			},
			"codes": ["JUR-003"],
		},
	}
	facts := object.union(good, example.change)
	not jurisdiction.permit with input as facts
	codes := {refusal.code | some refusal in jurisdiction.deny} with input as facts
	codes == {code | some code in example.codes}
}

test_jurisdiction_answers_applicable[note] if {
	some note, example in {
		"group-wide": {"change": {"item": {"jurisdiction": "GLOBAL"}}, "answer": ["SG", "GLOBAL"]},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in jurisdiction.applicable} with input as facts
	answer == {one | some one in example.answer}
}

test_jurisdiction_nothing_known if {
	not jurisdiction.permit with input as {}
	codes := {refusal.code | some refusal in jurisdiction.deny} with input as {}
	codes == {"JUR-001", "JUR-002", "JUR-003", "JUR-004", "JUR-005"}
}

test_classification_allowed[note] if {
	some note, change in {
		"internal for an analyst": {},
		"a public note of a project, for an analyst": {
			"item": {"data_classification": "PUBLIC", "entity_id": "NPA-2026-00142"},
		},
		"a group-wide item of a project, for an analyst": {"item": {"domain": "ALL", "entity_id": "NPA-2026-00142"}},
		"an internal procedure for an administrator": {"subject": {"role": "admin"}},
		"clearance: analyst, PUBLIC": {"subject": {"role": "analyst"}, "item": {"data_classification": "PUBLIC"}},
		"clearance: analyst, INTERNAL": {"subject": {"role": "analyst"}, "item": {"data_classification": "INTERNAL"}},
		"clearance: analyst, CONFIDENTIAL": {
			"subject": {"role": "analyst"},
			"item": {"data_classification": "CONFIDENTIAL"},
		},
		"clearance: checker, PUBLIC": {"subject": {"role": "checker"}, "item": {"data_classification": "PUBLIC"}},
		"clearance: checker, INTERNAL": {"subject": {"role": "checker"}, "item": {"data_classification": "INTERNAL"}},
		"clearance: checker, CONFIDENTIAL": {
			"subject": {"role": "checker"},
			"item": {"data_classification": "CONFIDENTIAL"},
		},
		"clearance: checker, RESTRICTED": {
			"subject": {"role": "checker"},
			"item": {"data_classification": "RESTRICTED"},
		},
		"clearance: approver, PUBLIC": {"subject": {"role": "approver"}, "item": {"data_classification": "PUBLIC"}},
		"clearance: approver, INTERNAL": {"subject": {"role": "approver"}, "item": {"data_classification": "INTERNAL"}},
		"clearance: approver, CONFIDENTIAL": {
			"subject": {"role": "approver"},
			"item": {"data_classification": "CONFIDENTIAL"},
		},
		"clearance: approver, RESTRICTED": {
			"subject": {"role": "approver"},
			"item": {"data_classification": "RESTRICTED"},
		},
		"clearance: coo, PUBLIC": {"subject": {"role": "coo"}, "item": {"data_classification": "PUBLIC"}},
		"clearance: coo, INTERNAL": {"subject": {"role": "coo"}, "item": {"data_classification": "INTERNAL"}},
		"clearance: coo, CONFIDENTIAL": {"subject": {"role": "coo"}, "item": {"data_classification": "CONFIDENTIAL"}},
		"clearance: coo, RESTRICTED": {"subject": {"role": "coo"}, "item": {"data_classification": "RESTRICTED"}},
		"clearance: admin, PUBLIC": {"subject": {"role": "admin"}, "item": {"data_classification": "PUBLIC"}},
		"clearance: admin, INTERNAL": {"subject": {"role": "admin"}, "item": {"data_classification": "INTERNAL"}},
		"clearance: service, PUBLIC": {"subject": {"role": "service"}, "item": {"data_classification": "PUBLIC"}},
		"clearance: service, INTERNAL": {"subject": {"role": "service"}, "item": {"data_classification": "INTERNAL"}},
	}
	facts := object.union(good, change)
	classification.permit with input as facts
	count(classification.deny) == 0 with input as facts
}

test_classification_refused[note] if {
	some note, example in {
		"a public note of a project, for an administrator": {
			"change": {
				"subject": {"role": "admin"},
				"item": {"data_classification": "PUBLIC", "entity_id": "NPA-2026-00142"},
			},
			"codes": ["CLS-003"],
		},
		"a group-wide item of a project, for an administrator": {
			"change": {"subject": {"role": "admin"}, "item": {"domain": "ALL", "entity_id": "NPA-2026-00142"}},
			"codes": ["CLS-003"],
		},
		"a note of an entity of a domain that is not on record": {
			"change": {"item": {"domain": "FX", "entity_id": "NPA-2026-00142"}},
			"codes": ["CLS-003"],
		},
		"a group-wide item of an entity, in a domain that is not on record": {
			"change": {"request": {"domain": "FX"}, "item": {"domain": "ALL", "entity_id": "NPA-2026-00142"}},
			"codes": ["CLS-003"],
		},
		"no classification": {"change": {"item": {"data_classification": null}}, "codes": ["CLS-001", "CLS-002"]},
		"a classification that is not in the taxonomy": {
			"change": {"item": {"data_classification": "SECRET"}},
			"codes": ["CLS-001", "CLS-002"],
		},
		"unknown role": {"change": {"subject": {"role": "intern"}}, "codes": ["CLS-001"]},
		"clearance: analyst, RESTRICTED": {
			"change": {"subject": {"role": "analyst"}, "item": {"data_classification": "RESTRICTED"}},
			"codes": ["CLS-001"],
		},
		"clearance: admin, CONFIDENTIAL": {
			"change": {"subject": {"role": "admin"}, "item": {"data_classification": "CONFIDENTIAL"}},
			"codes": ["CLS-001"],
		},
		"clearance: admin, RESTRICTED": {
			"change": {"subject": {"role": "admin"}, "item": {"data_classification": "RESTRICTED"}},
			"codes": ["CLS-001"],
		},
		"clearance: service, CONFIDENTIAL": {
			"change": {"subject": {"role": "service"}, "item": {"data_classification": "CONFIDENTIAL"}},
			"codes": ["CLS-001"],
		},
		"clearance: service, RESTRICTED": {
			"change": {"subject": {"role": "service"}, "item": {"data_classification": "RESTRICTED"}},
			"codes": ["CLS-001"],
		},
	}
	facts := object.union(good, example.change)
	not classification.permit with input as facts
	codes := {refusal.code | some refusal in classification.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_classification_answers_readable[note] if {
	some note, example in {
		"internal for an analyst": {"change": {}, "answer": ["PUBLIC", "INTERNAL", "CONFIDENTIAL"]},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in classification.readable} with input as facts
	answer == {one | some one in example.answer}
}

test_classification_nothing_known if {
	not classification.permit with input as {}
	codes := {refusal.code | some refusal in classification.deny} with input as {}
	codes == {"CLS-001", "CLS-002", "CLS-003"}
}

test_exceptions_allowed[note] if {
	some note, change in {
		"no exception for this item": {},
		"an exception in force": {"item": {"source_id": "GFM_Booking_Guide_2024"}},
		"a release on review": {
			"reviews": [
				{
					"id": "REV-1",
					"verdict": "released",
					"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
					"expires": "2026-06-01T00:00:00.000000Z",
				},
			],
		},
		"a release on review for another source": {
			"reviews": [
				{
					"id": "REV-1",
					"verdict": "released",
					"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "OTHER"},
					"expires": "2026-06-01T00:00:00.000000Z",
				},
			],
		},
		"a refusal on review is no release": {
			"reviews": [
				{
					"id": "REV-1",
					"verdict": "denied",
					"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
					"expires": "2026-06-01T00:00:00.000000Z",
				},
			],
		},
		"a release on review is no validation": {
			"reviews": [
				{
					"id": "REV-1",
					"verdict": "released",
					"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
					"expires": "2026-06-01T00:00:00.000000Z",
				},
			],
		},
		"a release on review for another purpose": {
			"reviews": [
				{
					"id": "REV-1",
					"verdict": "released",
					"scope": {"agent": "RISK", "purpose": "general_research", "source_id": "SOP"},
					"expires": "2026-06-01T00:00:00.000000Z",
				},
			],
		},
		"an exception of another agent": {"agent": {"id": "AUTOFILL"}, "item": {"source_id": "GFM_Booking_Guide_2024"}},
		"an exception for another purpose": {
			"request": {"purpose": "general_research"},
			"item": {"source_id": "GFM_Booking_Guide_2024"},
		},
		"approved on request, for this entity and department": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request, with every member named": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": "RISK",
						"purpose": "risk_assessment",
						"role": "analyst",
						"department": "COO",
						"source_id": "SOP",
						"source_type": "bank_sop",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": "INTERNAL",
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request, for this person while this bundle decides, before its earlier end": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": "2026-03-15",
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": true,
					"names_requester": true,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another department": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "RMG"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another entity": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00001"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another jurisdiction": {
			"item": {"jurisdiction": "IN", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another agent": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": "GOVERNANCE",
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another purpose": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": "classification",
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another role": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": "checker",
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another source": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": "OTHER",
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another source type": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": "email",
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another domain": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": "ORM",
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another classification": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": "PUBLIC",
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request, and over": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-01T09:15:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request, and ended earlier": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": "2026-02-28",
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request, and used up": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": true,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request while another bundle decided": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": false,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for another person": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": false,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved by a department that may not": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "COO"},
				},
			],
		},
		"approved by nobody": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": null,
				},
			],
		},
		"approved on request for longer than the table allows": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 7776001,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for every entity": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": null,
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request for what nobody waives": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["CLS-001"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
		"approved on request, for an item that nobody vouches for": {
			"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142", "attestation": null},
			"subject": {"department": "COO"},
			"exceptions": [
				{
					"id": "EXR-1",
					"codes": ["JUR-001", "JUR-002"],
					"scope": {
						"agent": null,
						"purpose": null,
						"role": null,
						"department": "COO",
						"source_id": null,
						"source_type": null,
						"domain": null,
						"entity_id": "NPA-2026-00142",
						"jurisdiction": "HK",
						"classification": null,
					},
					"expires": "2026-03-31T00:00:00.000000Z",
					"until": null,
					"lasts_seconds": 2592000,
					"used_up": false,
					"while_bundle_decides": null,
					"names_requester": null,
					"asked_by": {"role": "coo", "department": "COO"},
					"approved_by": {"role": "approver", "department": "LEGAL"},
				},
			],
		},
	}
	facts := object.union(good, change)
	exceptions.permit with input as facts
	count(exceptions.deny) == 0 with input as facts
}

test_exceptions_refused[note] if {
	some note, example in {
		"an exception that has expired": {
			"change": {
				"agent": {"id": "ORM_ANALYST"},
				"request": {"purpose": "incident_review"},
				"item": {"source_id": "ORM_Loss_Taxonomy_2019"},
			},
			"codes": ["EXC-001"],
		},
		"an exception, and no clock": {
			"change": {"now": null, "item": {"source_id": "GFM_Booking_Guide_2024"}},
			"codes": ["EXC-001"],
		},
	}
	facts := object.union(good, example.change)
	not exceptions.permit with input as facts
	codes := {refusal.code | some refusal in exceptions.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_exceptions_answers_waived[note] if {
	some note, example in {
		"an exception in force": {"change": {"item": {"source_id": "GFM_Booking_Guide_2024"}}, "answer": ["FRS-004"]},
		"an exception of another agent": {
			"change": {"agent": {"id": "AUTOFILL"}, "item": {"source_id": "GFM_Booking_Guide_2024"}},
			"answer": [],
		},
		"an exception for another purpose": {
			"change": {"request": {"purpose": "general_research"}, "item": {"source_id": "GFM_Booking_Guide_2024"}},
			"answer": [],
		},
		"approved on request, for this entity and department": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": ["JUR-001", "JUR-002"],
		},
		"approved on request, with every member named": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": "RISK",
							"purpose": "risk_assessment",
							"role": "analyst",
							"department": "COO",
							"source_id": "SOP",
							"source_type": "bank_sop",
							"domain": "NPA",
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": "INTERNAL",
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": ["JUR-001", "JUR-002"],
		},
		"approved on request, for this person while this bundle decides, before its earlier end": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": "2026-03-15",
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": true,
						"names_requester": true,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": ["JUR-001", "JUR-002"],
		},
		"approved on request for another department": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "RMG"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another entity": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00001"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another jurisdiction": {
			"change": {
				"item": {"jurisdiction": "IN", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another agent": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": "GOVERNANCE",
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another purpose": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": "classification",
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another role": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": "checker",
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another source": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": "OTHER",
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another source type": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": "email",
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another domain": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": "ORM",
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another classification": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": "PUBLIC",
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request, and over": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-01T09:15:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request, and ended earlier": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": "2026-02-28",
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request, and used up": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": true,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request while another bundle decided": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": false,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another person": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": false,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved by a department that may not": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "COO"},
					},
				],
			},
			"answer": [],
		},
		"approved by nobody": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": null,
					},
				],
			},
			"answer": [],
		},
		"approved on request for longer than the table allows": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 7776001,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for every entity": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": null,
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for what nobody waives": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["CLS-001"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request, for an item that nobody vouches for": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142", "attestation": null},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in exceptions.waived} with input as facts
	answer == {one | some one in example.answer}
}

test_exceptions_answers_in_use[note] if {
	some note, example in {
		"an exception in force": {
			"change": {"item": {"source_id": "GFM_Booking_Guide_2024"}},
			"answer": ["EXC-2026-001"],
		},
		"a release on review": {
			"change": {
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "released",
						"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
						"expires": "2026-06-01T00:00:00.000000Z",
					},
				],
			},
			"answer": ["REV-1"],
		},
		"a release on review for another source": {
			"change": {
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "released",
						"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "OTHER"},
						"expires": "2026-06-01T00:00:00.000000Z",
					},
				],
			},
			"answer": [],
		},
		"a refusal on review is no release": {
			"change": {
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "denied",
						"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
						"expires": "2026-06-01T00:00:00.000000Z",
					},
				],
			},
			"answer": [],
		},
		"a release on review for another purpose": {
			"change": {
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "released",
						"scope": {"agent": "RISK", "purpose": "general_research", "source_id": "SOP"},
						"expires": "2026-06-01T00:00:00.000000Z",
					},
				],
			},
			"answer": [],
		},
		"an exception of another agent": {
			"change": {"agent": {"id": "AUTOFILL"}, "item": {"source_id": "GFM_Booking_Guide_2024"}},
			"answer": [],
		},
		"an exception for another purpose": {
			"change": {"request": {"purpose": "general_research"}, "item": {"source_id": "GFM_Booking_Guide_2024"}},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in exceptions.in_use} with input as facts
	answer == {one | some one in example.answer}
}

test_exceptions_answers_validations[note] if {
	some note, example in {
		"a refusal on review is no release": {
			"change": {
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "denied",
						"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
						"expires": "2026-06-01T00:00:00.000000Z",
					},
				],
			},
			"answer": [],
		},
		"a release on review is no validation": {
			"change": {
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "released",
						"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
						"expires": "2026-06-01T00:00:00.000000Z",
					},
				],
			},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in exceptions.validations} with input as facts
	answer == {one | some one in example.answer}
}

test_exceptions_answers_approved[note] if {
	some note, example in {
		"approved on request for another department": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "RMG"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another entity": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00001"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another jurisdiction": {
			"change": {
				"item": {"jurisdiction": "IN", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another agent": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": "GOVERNANCE",
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another purpose": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": "classification",
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another role": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": "checker",
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another source": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": "OTHER",
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another source type": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": "email",
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another domain": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": "ORM",
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another classification": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": "PUBLIC",
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request, and over": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-01T09:15:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request, and ended earlier": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": "2026-02-28",
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request, and used up": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": true,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request while another bundle decided": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": false,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for another person": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": false,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved by a department that may not": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "COO"},
					},
				],
			},
			"answer": [],
		},
		"approved by nobody": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": null,
					},
				],
			},
			"answer": [],
		},
		"approved on request for longer than the table allows": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 7776001,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for every entity": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": null,
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request for what nobody waives": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["CLS-001"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
		"approved on request, for an item that nobody vouches for": {
			"change": {
				"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142", "attestation": null},
				"subject": {"department": "COO"},
				"exceptions": [
					{
						"id": "EXR-1",
						"codes": ["JUR-001", "JUR-002"],
						"scope": {
							"agent": null,
							"purpose": null,
							"role": null,
							"department": "COO",
							"source_id": null,
							"source_type": null,
							"domain": null,
							"entity_id": "NPA-2026-00142",
							"jurisdiction": "HK",
							"classification": null,
						},
						"expires": "2026-03-31T00:00:00.000000Z",
						"until": null,
						"lasts_seconds": 2592000,
						"used_up": false,
						"while_bundle_decides": null,
						"names_requester": null,
						"asked_by": {"role": "coo", "department": "COO"},
						"approved_by": {"role": "approver", "department": "LEGAL"},
					},
				],
			},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in exceptions.approved} with input as facts
	answer == {one | some one in example.answer}
}

test_exceptions_nothing_known if {
	codes := {refusal.code | some refusal in exceptions.deny} with input as {}
	codes == set()
}

test_sections_allowed[note] if {
	some note, change in {
		"knowledge for a worker": {},
		"a record for an orchestrator": {"agent": {"archetype": "orchestrator"}, "item": {"section": "entity"}},
		"talk for a worker": {"item": {"section": "conversation"}},
		"a structured result of another agent": {"item": {"section": "prior_result", "media_type": "application/json"}},
		"a delegation stack for an orchestrator": {
			"agent": {"archetype": "orchestrator"},
			"item": {"section": "memory", "doc_section": "delegation_stack"},
		},
	}
	facts := object.union(good, change)
	sections.permit with input as facts
	count(sections.deny) == 0 with input as facts
}

test_sections_refused[note] if {
	some note, example in {
		"a delegation stack for a worker": {
			"change": {"item": {"section": "memory", "doc_section": "delegation_stack"}},
			"codes": ["CTR-012"],
		},
		"routing data for a reviewer": {
			"change": {"agent": {"archetype": "reviewer"}, "item": {"doc_section": "routing"}},
			"codes": ["CTR-012"],
		},
		"knowledge for an orchestrator": {"change": {"agent": {"archetype": "orchestrator"}}, "codes": ["CTR-005"]},
		"talk for a worker that must not hear it": {
			"change": {"agent": {"id": "AUTOFILL"}, "item": {"section": "conversation"}},
			"codes": ["CTR-005"],
		},
		"an upload for a reviewer": {
			"change": {"agent": {"archetype": "reviewer"}, "item": {"section": "upload"}},
			"codes": ["CTR-005"],
		},
		"an archetype without a contract": {"change": {"agent": {"archetype": "poet"}}, "codes": ["CTR-005"]},
		"a section that is not on record": {"change": {"item": {"section": "rumours"}}, "codes": ["CTR-005"]},
		"a raw result of another agent": {"change": {"item": {"section": "prior_result"}}, "codes": ["CTR-006"]},
		"no section": {"change": {"item": {"section": null}}, "codes": ["CTR-005", "CTR-006", "CTR-012"]},
		"an item of no section": {
			"change": {"item": {"section": null, "media_type": "application/json"}},
			"codes": ["CTR-005", "CTR-006", "CTR-012"],
		},
	}
	facts := object.union(good, example.change)
	not sections.permit with input as facts
	codes := {refusal.code | some refusal in sections.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_sections_nothing_known if {
	not sections.permit with input as {}
	codes := {refusal.code | some refusal in sections.deny} with input as {}
	codes == {"CTR-005", "CTR-006", "CTR-012"}
}

test_results_allowed[note] if {
	some note, change in {
		"knowledge, which is no result": {},
		"a result that meets the schema of its agent": {
			"item": {"section": "prior_result", "source_id": "agent:CLASSIFIER", "meets_schema": true},
		},
	}
	facts := object.union(good, change)
	results.permit with input as facts
	count(results.deny) == 0 with input as facts
}

test_results_refused[note] if {
	some note, example in {
		"a result that names no source": {
			"change": {
				"item": {
					"section": "prior_result",
					"media_type": "application/json",
					"source_id": null,
					"meets_schema": true,
				},
			},
			"codes": ["CTR-013"],
		},
		"a banana of an agent that nobody knows": {
			"change": {"item": {"section": "prior_result", "source_id": "agent:EVIL", "meets_schema": null}},
			"codes": ["CTR-013", "CTR-015"],
		},
		"an agent that nobody knows, whatever it says": {
			"change": {"item": {"section": "prior_result", "source_id": "agent:EVIL", "meets_schema": true}},
			"codes": ["CTR-013"],
		},
		"a result of a document": {
			"change": {"item": {"section": "prior_result", "source_id": "RISK", "meets_schema": true}},
			"codes": ["CTR-013"],
		},
		"a result without a source": {
			"change": {"item": {"section": "prior_result", "source_id": null, "meets_schema": true}},
			"codes": ["CTR-013"],
		},
		"a banana of a registered agent": {
			"change": {
				"item": {
					"section": "prior_result",
					"media_type": "application/json",
					"source_id": "agent:CLASSIFIER",
					"meets_schema": false,
				},
			},
			"codes": ["CTR-015"],
		},
		"a result of an agent that passes none on": {
			"change": {"item": {"section": "prior_result", "source_id": "agent:MASTER_COO", "meets_schema": true}},
			"codes": ["CTR-014"],
		},
	}
	facts := object.union(good, example.change)
	not results.permit with input as facts
	codes := {refusal.code | some refusal in results.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_results_nothing_known if {
	not results.permit with input as {}
	codes := {refusal.code | some refusal in results.deny} with input as {}
	codes == {"CTR-013", "CTR-014", "CTR-015"}
}

test_exposure_allowed[note] if {
	some note, change in {
		"a worker sees the whole record": {"item": {"section": "entity", "media_type": "application/json"}},
		"an orchestrator sees a record by its members": {
			"agent": {"archetype": "orchestrator"},
			"item": {"section": "entity", "media_type": "application/json"},
		},
		"an orchestrator and a task": {"agent": {"archetype": "orchestrator"}, "item": {"section": "task"}},
		"a result for an orchestrator": {
			"agent": {"archetype": "orchestrator"},
			"item": {
				"section": "prior_result",
				"media_type": "application/json",
				"source_id": "agent:RISK",
				"meets_schema": true,
			},
		},
	}
	facts := object.union(good, change)
	exposure.permit with input as facts
	count(exposure.deny) == 0 with input as facts
}

test_exposure_refused[note] if {
	some note, example in {
		"an orchestrator and a record in plain text": {
			"change": {"agent": {"archetype": "orchestrator"}, "item": {"section": "entity"}},
			"codes": ["EXP-001"],
		},
		"an agent of no archetype": {
			"change": {"agent": {"archetype": null}, "item": {"media_type": "application/json"}},
			"codes": ["EXP-001"],
		},
		"an item of no section": {
			"change": {"item": {"section": null, "media_type": "application/json"}},
			"codes": ["EXP-001"],
		},
	}
	facts := object.union(good, example.change)
	not exposure.permit with input as facts
	codes := {refusal.code | some refusal in exposure.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_exposure_answers_obligations[note] if {
	some note, example in {
		"a worker sees the whole record": {
			"change": {"item": {"section": "entity", "media_type": "application/json"}},
			"answer": [],
		},
		"an orchestrator sees a record by its members": {
			"change": {
				"agent": {"archetype": "orchestrator"},
				"item": {"section": "entity", "media_type": "application/json"},
			},
			"answer": [
				{
					"type": "expose",
					"fields": [
						"entity_id",
						"project_id",
						"incident_id",
						"counterparty_id",
						"project",
						"id",
						"name",
						"current_stage",
						"stage",
						"status",
						"risk_level",
					],
				},
			],
		},
		"an orchestrator and a task": {
			"change": {"agent": {"archetype": "orchestrator"}, "item": {"section": "task"}},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in exposure.obligations} with input as facts
	answer == {one | some one in example.answer}
}

test_exposure_nothing_known if {
	not exposure.permit with input as {}
	codes := {refusal.code | some refusal in exposure.deny} with input as {}
	codes == {"EXP-001"}
}

test_attestation_allowed[note] if {
	some note, change in {
		"signed with a development key": {},
		"nobody vouches for it": {"item": {"attestation": null}},
		"the caller's own words need nobody to vouch for them": {
			"item": {"attestation": null, "source_type": "user_input", "section": "conversation"},
		},
		"fetched from a source, within its grant": {
			"item": {
				"channel": "source",
				"attestation": {
					"method": "fetch",
					"issuer": "knowledge-base",
					"key": null,
					"signed_at": null,
					"age_seconds": null,
				},
			},
		},
		"fetched from a source, with a label of its grant": {
			"item": {
				"channel": "source",
				"labels": {"document_type": "procedure"},
				"attestation": {
					"method": "fetch",
					"issuer": "knowledge-base",
					"key": null,
					"signed_at": null,
					"age_seconds": null,
				},
			},
		},
		"fetched from a source, from a corpus of its grant": {
			"item": {
				"channel": "source",
				"corpus": "bank_sops_and_policies",
				"attestation": {
					"method": "fetch",
					"issuer": "knowledge-base",
					"key": null,
					"signed_at": null,
					"age_seconds": null,
				},
			},
		},
		"a text of the prompt library": {
			"item": {
				"section": "system",
				"source_id": "prompt_library:RISK",
				"source_type": "reference_data",
				"domain": "ALL",
				"jurisdiction": "GLOBAL",
				"prompt": "system-risk",
				"attestation": {
					"method": "library",
					"issuer": "system-risk",
					"key": null,
					"signed_at": null,
					"age_seconds": null,
				},
			},
		},
		"a clock that is slightly ahead": {"item": {"attestation": {"age_seconds": -60}}},
		"nobody vouches for it, though the gateway fetched it": {"item": {"channel": "source", "attestation": null}},
		"an agent's output with the receipt of a pack that it was given, a day ago": {
			"item": {
				"section": "prior_result",
				"source_id": "agent:CLASSIFIER",
				"source_type": "agent_output",
				"attestation": {"method": "receipt", "issuer": "CLASSIFIER", "key": "log", "age_seconds": 86400},
			},
		},
		"the agent's own turn, with the receipt of the pack that it answered from": {
			"item": {
				"section": "conversation",
				"source_id": "session:s-1",
				"source_type": "agent_output",
				"attestation": {"method": "receipt", "issuer": "RISK", "key": "log", "age_seconds": 60},
			},
		},
		"what tells of tools, of which the signatures of tools decide": {
			"item": {"section": "tool_schema", "source_type": "reference_data"},
		},
	}
	facts := object.union(good, change)
	attestation.permit with input as facts
	count(attestation.deny) == 0 with input as facts
}

test_attestation_refused[note] if {
	some note, example in {
		"a signature that does not fit": {
			"change": {"item": {"attestation": {"verified": false}}},
			"codes": ["ATT-001"],
		},
		"a key that is not on record": {
			"change": {"item": {"attestation": {"method": "signature", "issuer": "knowledge-base", "key": "nobody"}}},
			"codes": ["ATT-002"],
		},
		"an issuer that is not on record": {
			"change": {"item": {"attestation": {"method": "signature", "issuer": "somebody"}}},
			"codes": ["ATT-002", "ATT-004"],
		},
		"signed in the future": {"change": {"item": {"attestation": {"age_seconds": -61}}}, "codes": ["ATT-003"]},
		"no time of signing": {"change": {"item": {"attestation": {"age_seconds": null}}}, "codes": ["ATT-003"]},
		"a source type beyond the grant": {
			"change": {
				"item": {
					"source_type": "system_of_record",
					"attestation": {
						"method": "fetch",
						"issuer": "knowledge-base",
						"key": null,
						"signed_at": null,
						"age_seconds": null,
					},
				},
			},
			"codes": ["ATT-004"],
		},
		"a domain beyond the grant": {
			"change": {
				"item": {
					"source_id": "SoR:desk_counterparties",
					"source_type": "system_of_record",
					"attestation": {
						"method": "fetch",
						"issuer": "sor-desk",
						"key": null,
						"signed_at": null,
						"age_seconds": null,
					},
				},
			},
			"codes": ["ATT-004"],
		},
		"a source id beyond the grant": {
			"change": {
				"item": {
					"source_type": "system_of_record",
					"domain": "DESK",
					"attestation": {
						"method": "fetch",
						"issuer": "sor-desk",
						"key": null,
						"signed_at": null,
						"age_seconds": null,
					},
				},
			},
			"codes": ["ATT-004"],
		},
		"no source id, where the grant lists names": {
			"change": {
				"item": {
					"source_id": null,
					"attestation": {
						"method": "fetch",
						"issuer": "knowledge-base",
						"key": null,
						"signed_at": null,
						"age_seconds": null,
					},
				},
			},
			"codes": ["ATT-004"],
		},
		"no source id, with a receipt": {
			"change": {
				"item": {
					"section": "conversation",
					"source_id": null,
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "RISK", "key": "log", "age_seconds": 60},
				},
			},
			"codes": ["ATT-004"],
		},
		"a label beyond the grant": {
			"change": {
				"item": {
					"labels": {"document_type": "procedure", "approved": true},
					"attestation": {
						"method": "fetch",
						"issuer": "knowledge-base",
						"key": null,
						"signed_at": null,
						"age_seconds": null,
					},
				},
			},
			"codes": ["ATT-004"],
		},
		"a corpus beyond the grant": {
			"change": {
				"item": {
					"corpus": "rumours",
					"attestation": {
						"method": "fetch",
						"issuer": "knowledge-base",
						"key": null,
						"signed_at": null,
						"age_seconds": null,
					},
				},
			},
			"codes": ["ATT-004"],
		},
		"a system prompt that the library does not list, whoever signed it": {
			"change": {"item": {"section": "system", "source_type": "reference_data"}},
			"codes": ["ATT-005"],
		},
		"a prompt of the library in another section": {
			"change": {"item": {"section": "few_shot", "source_type": "reference_data", "prompt": "system-risk"}},
			"codes": ["ATT-005"],
		},
		"a prompt of the library for another agent": {
			"change": {
				"agent": {"id": "CLASSIFIER"},
				"item": {"section": "system", "source_type": "reference_data", "prompt": "system-risk"},
			},
			"codes": ["ATT-005"],
		},
		"a receipt that is not the log's, or of another tenant's pack": {
			"change": {
				"item": {
					"section": "prior_result",
					"source_id": "agent:CLASSIFIER",
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "CLASSIFIER", "key": "log", "verified": false},
				},
			},
			"codes": ["ATT-001"],
		},
		"a receipt of the future": {
			"change": {
				"item": {
					"section": "prior_result",
					"source_id": "agent:CLASSIFIER",
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "CLASSIFIER", "key": "log", "age_seconds": -61},
				},
			},
			"codes": ["ATT-003"],
		},
		"a receipt of the day before yesterday": {
			"change": {
				"item": {
					"section": "prior_result",
					"source_id": "agent:CLASSIFIER",
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "CLASSIFIER", "key": "log", "age_seconds": 86401},
				},
			},
			"codes": ["ATT-006"],
		},
		"another agent's output with this agent's receipt": {
			"change": {
				"item": {
					"section": "prior_result",
					"source_id": "agent:CLASSIFIER",
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "RISK", "key": "log"},
				},
			},
			"codes": ["ATT-004"],
		},
		"a record with a receipt": {
			"change": {
				"item": {
					"source_id": "agent:CLASSIFIER",
					"source_type": "system_of_record",
					"attestation": {"method": "receipt", "issuer": "CLASSIFIER", "key": "log"},
				},
			},
			"codes": ["ATT-004"],
		},
		"another agent's receipt on a turn of the conversation": {
			"change": {
				"item": {
					"section": "conversation",
					"source_id": "session:s-1",
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "CLASSIFIER", "key": "log"},
				},
			},
			"codes": ["ATT-004"],
		},
		"a record as a turn of the conversation, with a receipt": {
			"change": {
				"item": {
					"section": "conversation",
					"source_id": "session:s-1",
					"source_type": "system_of_record",
					"attestation": {"method": "receipt", "issuer": "RISK", "key": "log"},
				},
			},
			"codes": ["ATT-004"],
		},
		"a result named for the session, with a receipt": {
			"change": {
				"item": {
					"section": "prior_result",
					"source_id": "session:s-1",
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "RISK", "key": "log"},
				},
			},
			"codes": ["ATT-004"],
		},
		"a turn that is not named for the session, with a receipt": {
			"change": {
				"item": {
					"section": "conversation",
					"source_id": "transcript:s-1",
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "RISK", "key": "log"},
				},
			},
			"codes": ["ATT-004"],
		},
		"no word on who vouches for it": {
			"change": {"item": {"attestation": "oracle"}},
			"codes": ["ATT-001", "ATT-002", "ATT-003", "ATT-004", "ATT-006"],
		},
		"a receipt of no age": {
			"change": {
				"item": {
					"section": "prior_result",
					"source_id": "agent:CLASSIFIER",
					"source_type": "agent_output",
					"attestation": {"method": "receipt", "issuer": "CLASSIFIER", "key": "log", "age_seconds": null},
				},
			},
			"codes": ["ATT-003", "ATT-006"],
		},
		"an age that is a text": {"change": {"item": {"attestation": {"age_seconds": "soon"}}}, "codes": ["ATT-003"]},
	}
	facts := object.union(good, example.change)
	not attestation.permit with input as facts
	codes := {refusal.code | some refusal in attestation.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_attestation_nothing_known if {
	not attestation.permit with input as {}
	codes := {refusal.code | some refusal in attestation.deny} with input as {}
	codes == {"ATT-001", "ATT-002", "ATT-003", "ATT-004", "ATT-005", "ATT-006"}
}

test_signatures_allowed[note] if {
	some note, change in {
		"an item of another section": {},
		"a tool as it is on record": {
			"item": {"section": "tool_schema", "tools": {"known": ["get_npa_by_id"], "changed": 0, "unknown": 0}},
		},
		"several tools as they are on record": {
			"item": {
				"section": "tool_schema",
				"tools": {"known": ["get_npa_by_id", "get_risk_checks"], "changed": 0, "unknown": 0},
			},
		},
		"a text of the prompt library that tells of tools in its own words": {
			"item": {
				"section": "tool_schema",
				"prompt": "tools-risk",
				"tools": {"known": [], "changed": 3, "unknown": 0},
			},
		},
		"a text of the prompt library that tells of tools of its own": {
			"item": {
				"section": "tool_schema",
				"prompt": "tools-risk",
				"tools": {"known": [], "changed": 0, "unknown": 2},
			},
		},
		"a text of the prompt library that tells of a tool of another domain": {
			"item": {
				"section": "tool_schema",
				"prompt": "tools-risk",
				"tools": {"known": ["get_incident"], "changed": 0, "unknown": 0},
			},
		},
	}
	facts := object.union(good, change)
	signatures.permit with input as facts
	count(signatures.deny) == 0 with input as facts
}

test_signatures_refused[note] if {
	some note, example in {
		"a tool that is not on record": {
			"change": {
				"item": {"section": "tool_schema", "tools": {"known": ["get_npa_by_id"], "changed": 0, "unknown": 1}},
			},
			"codes": ["TOL-010"],
		},
		"no tool at all": {
			"change": {"item": {"section": "tool_schema", "tools": {"known": [], "changed": 0, "unknown": 0}}},
			"codes": ["TOL-010"],
		},
		"a tool that is told otherwise than it is on record": {
			"change": {
				"item": {"section": "tool_schema", "tools": {"known": ["get_npa_by_id"], "changed": 1, "unknown": 0}},
			},
			"codes": ["TOL-011"],
		},
		"a tool of another domain": {
			"change": {
				"item": {
					"section": "tool_schema",
					"tools": {"known": ["get_npa_by_id", "get_incident"], "changed": 0, "unknown": 0},
				},
			},
			"codes": ["TOL-012"],
		},
		"a tool that is not safe for the agent": {
			"change": {
				"agent": {"archetype": "orchestrator"},
				"item": {"section": "tool_schema", "tools": {"known": ["get_signoffs"], "changed": 0, "unknown": 0}},
			},
			"codes": ["TOL-012"],
		},
		"a tool that the registry has no more": {
			"change": {
				"item": {"section": "tool_schema", "tools": {"known": ["get_gone"], "changed": 0, "unknown": 0}},
			},
			"codes": ["TOL-012"],
		},
		"a text of the prompt library for another agent": {
			"change": {
				"agent": {"id": "GOVERNANCE"},
				"item": {
					"section": "tool_schema",
					"prompt": "tools-risk",
					"tools": {"known": [], "changed": 3, "unknown": 0},
				},
			},
			"codes": ["TOL-010", "TOL-011"],
		},
		"no section": {"change": {"item": {"section": null}}, "codes": ["TOL-010", "TOL-011", "TOL-012"]},
	}
	facts := object.union(good, example.change)
	not signatures.permit with input as facts
	codes := {refusal.code | some refusal in signatures.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_signatures_nothing_known if {
	not signatures.permit with input as {}
	codes := {refusal.code | some refusal in signatures.deny} with input as {}
	codes == {"TOL-010", "TOL-011", "TOL-012"}
}

test_entity_allowed[note] if {
	some note, change in {
		"a procedure, which belongs to no entity": {},
		"a procedure in a request about nothing in particular": {"request": {"entity": null}},
		"the record of the request's entity": {
			"item": {"section": "entity", "source_type": "system_of_record", "entity_id": "NPA-2026-00142"},
		},
		"an item of the request's entity": {"item": {"entity_id": "NPA-2026-00142"}},
		"a table that a tool returned": {"item": {"section": "tool_result", "source_type": "reference_data"}},
		"an item of an entity that the record lists as related": {
			"item": {"entity_id": "NPA-2026-00099"},
			"records": [
				{
					"section": "entity",
					"source_id": "SoR:npa_projects",
					"source_type": "system_of_record",
					"corpus": null,
					"data_classification": "CONFIDENTIAL",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": "NPA-2026-00142",
					"age_seconds": 0,
					"channel": "caller",
					"related": ["NPA-2026-00099"],
					"jurisdictions": [],
					"attestation": {
						"method": "development",
						"issuer": "development",
						"key": "development",
						"signed_at": "2026-03-01T09:15:00.000000Z",
						"age_seconds": 0,
						"verified": true,
					},
				},
			],
		},
		"the record lists the request's jurisdiction and others": {
			"records": [
				{
					"section": "entity",
					"source_id": "SoR:npa_projects",
					"source_type": "system_of_record",
					"corpus": null,
					"data_classification": "CONFIDENTIAL",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": "NPA-2026-00142",
					"age_seconds": 0,
					"channel": "caller",
					"related": ["NPA-2026-00099"],
					"jurisdictions": ["SG", "HK"],
					"attestation": {
						"method": "development",
						"issuer": "development",
						"key": "development",
						"signed_at": "2026-03-01T09:15:00.000000Z",
						"age_seconds": 0,
						"verified": true,
					},
				},
			],
		},
		"a record of the whole group": {
			"records": [
				{
					"section": "entity",
					"source_id": "SoR:npa_projects",
					"source_type": "system_of_record",
					"corpus": null,
					"data_classification": "CONFIDENTIAL",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": "NPA-2026-00142",
					"age_seconds": 0,
					"channel": "caller",
					"related": ["NPA-2026-00099"],
					"jurisdictions": ["GLOBAL"],
					"attestation": {
						"method": "development",
						"issuer": "development",
						"key": "development",
						"signed_at": "2026-03-01T09:15:00.000000Z",
						"age_seconds": 0,
						"verified": true,
					},
				},
			],
		},
		"a request for group-wide context too": {
			"request": {"jurisdictions": ["SG", "GLOBAL"]},
			"records": [
				{
					"section": "entity",
					"source_id": "SoR:npa_projects",
					"source_type": "system_of_record",
					"corpus": null,
					"data_classification": "CONFIDENTIAL",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": "NPA-2026-00142",
					"age_seconds": 0,
					"channel": "caller",
					"related": ["NPA-2026-00099"],
					"jurisdictions": ["SG"],
					"attestation": {
						"method": "development",
						"issuer": "development",
						"key": "development",
						"signed_at": "2026-03-01T09:15:00.000000Z",
						"age_seconds": 0,
						"verified": true,
					},
				},
			],
		},
		"a record just recent enough to speak for others": {
			"item": {"entity_id": "NPA-2026-00099"},
			"records": [
				{
					"section": "entity",
					"source_id": "SoR:npa_projects",
					"source_type": "system_of_record",
					"corpus": null,
					"data_classification": "CONFIDENTIAL",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": "NPA-2026-00142",
					"age_seconds": 86400,
					"channel": "caller",
					"related": ["NPA-2026-00099"],
					"jurisdictions": [],
					"attestation": {
						"method": "development",
						"issuer": "development",
						"key": "development",
						"signed_at": "2026-03-01T09:15:00.000000Z",
						"age_seconds": 0,
						"verified": true,
					},
				},
			],
		},
		"what a caller only says is the record restricts nothing": {
			"records": [
				{
					"section": "entity",
					"source_id": "SoR:npa_projects",
					"source_type": "system_of_record",
					"corpus": null,
					"data_classification": "CONFIDENTIAL",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": "NPA-2026-00142",
					"age_seconds": 0,
					"channel": "caller",
					"related": ["NPA-2026-00099"],
					"jurisdictions": ["HK"],
					"attestation": null,
				},
			],
		},
		"an email about the request's entity": {
			"item": {"section": "upload", "source_type": "email", "entity_id": "NPA-2026-00142"},
		},
		"an example, which belongs to no entity": {"item": {"section": "few_shot"}},
	}
	facts := object.union(good, change)
	entity.permit with input as facts
	count(entity.deny) == 0 with input as facts
}

test_entity_refused[note] if {
	some note, example in {
		"the record of another project": {
			"change": {
				"item": {
					"section": "entity",
					"source_type": "system_of_record",
					"data_classification": "CONFIDENTIAL",
					"entity_id": "NPA-2026-00999",
				},
			},
			"codes": ["ENY-001"],
		},
		"an email about another project": {
			"change": {"item": {"section": "upload", "source_type": "email", "entity_id": "NPA-2026-00999"}},
			"codes": ["ENY-001"],
		},
		"an entity that the record does not list": {
			"change": {
				"item": {"entity_id": "NPA-2026-00999"},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"related only by what the caller says": {
			"change": {
				"item": {"entity_id": "NPA-2026-00099"},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": null,
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"related by the record of another entity": {
			"change": {
				"item": {"entity_id": "NPA-2026-00099"},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00098",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"related by another domain's system of record": {
			"change": {
				"item": {"entity_id": "NPA-2026-00099"},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "ORM",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"an entity that another result of the same system calls related": {
			"change": {
				"item": {"entity_id": "NPA-2026-00099"},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_limits",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"related by a result that is no record": {
			"change": {
				"item": {"entity_id": "NPA-2026-00099"},
				"records": [
					{
						"section": "tool_result",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"related by a table that is no system of record": {
			"change": {
				"item": {"entity_id": "NPA-2026-00099"},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "reference_data",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"related by a record that is too old to say so": {
			"change": {
				"item": {"entity_id": "NPA-2026-00099"},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 86401,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"related by a record of the future": {
			"change": {
				"item": {"entity_id": "NPA-2026-00099"},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": -1,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": [],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-001"],
		},
		"an item of an entity in a request about nothing in particular": {
			"change": {"request": {"entity": null}, "item": {"entity_id": "NPA-2026-00142"}},
			"codes": ["ENY-002"],
		},
		"a record that does not say whose it is": {
			"change": {"item": {"section": "entity", "source_type": "system_of_record"}},
			"codes": ["ENY-003"],
		},
		"figures of the system of record that do not say whose they are": {
			"change": {"item": {"section": "tool_result", "source_type": "system_of_record"}},
			"codes": ["ENY-003"],
		},
		"a request for a jurisdiction that the entity does not belong to": {
			"change": {
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": ["HK"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-004"],
		},
		"a request for one more jurisdiction than the entity belongs to": {
			"change": {
				"request": {"jurisdictions": ["SG", "AU"]},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": ["AU"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-004"],
		},
		"a record of nobody in the section knowledge": {
			"change": {"item": {"section": "knowledge", "source_type": "system_of_record", "entity_id": null}},
			"codes": ["ENY-003"],
		},
		"a record of nobody in the section memory": {
			"change": {"item": {"section": "memory", "source_type": "system_of_record", "entity_id": null}},
			"codes": ["ENY-003"],
		},
		"a record of nobody in the section upload": {
			"change": {"item": {"section": "upload", "source_type": "system_of_record", "entity_id": null}},
			"codes": ["ENY-003"],
		},
		"a record of nobody in the section task": {
			"change": {"item": {"section": "task", "source_type": "system_of_record", "entity_id": null}},
			"codes": ["ENY-003"],
		},
		"a record of nobody in the section user": {
			"change": {"item": {"section": "user", "source_type": "system_of_record", "entity_id": null}},
			"codes": ["ENY-003"],
		},
		"a record of nobody in the section conversation": {
			"change": {"item": {"section": "conversation", "source_type": "system_of_record", "entity_id": null}},
			"codes": ["ENY-003"],
		},
		"a record of nobody in the section prior_result": {
			"change": {"item": {"section": "prior_result", "source_type": "system_of_record", "entity_id": null}},
			"codes": ["ENY-003"],
		},
		"an entity that is no text, in a request about nothing": {
			"change": {"request": {"entity": null}, "item": {"entity_id": 3}},
			"codes": ["ENY-001", "ENY-002"],
		},
		"an item of no section": {"change": {"item": {"section": null}}, "codes": ["ENY-003"]},
		"an item of no source type": {"change": {"item": {"source_type": null}}, "codes": ["ENY-003"]},
		"records that are no list": {"change": {"records": "none"}, "codes": ["ENY-004"]},
		"jurisdictions of the request that are no list": {
			"change": {"request": {"jurisdictions": "SG"}},
			"codes": ["ENY-004"],
		},
	}
	facts := object.union(good, example.change)
	not entity.permit with input as facts
	codes := {refusal.code | some refusal in entity.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.admit.denials} with input as facts
	codes - told == set()
}

test_entity_answers_foreign_jurisdictions[note] if {
	some note, example in {
		"the record lists the request's jurisdiction and others": {
			"change": {
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": ["SG", "HK"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"answer": [],
		},
		"a request for a jurisdiction that the entity does not belong to": {
			"change": {
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": ["HK"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"answer": ["SG"],
		},
		"a request for one more jurisdiction than the entity belongs to": {
			"change": {
				"request": {"jurisdictions": ["SG", "AU"]},
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": ["NPA-2026-00099"],
						"jurisdictions": ["AU"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"answer": ["SG"],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in entity.foreign_jurisdictions} with input as facts
	answer == {one | some one in example.answer}
}

test_entity_nothing_known if {
	not entity.permit with input as {}
	codes := {refusal.code | some refusal in entity.deny} with input as {}
	codes == {"ENY-001", "ENY-002", "ENY-003", "ENY-004"}
}

test_trust_allowed[note] if {
	some note, change in {
		"a bank procedure with its labels": {},
		"a user's words as data": {"item": {"source_type": "user_input", "section": "conversation"}},
		"the web for research": {"request": {"purpose": "general_research"}, "item": {"source_type": "general_web"}},
		"a trusted system prompt": {"item": {"section": "system", "source_type": "reference_data"}},
		"a procedure that nobody vouches for is data": {"item": {"attestation": null}},
		"an agent's result in the form that its schema asks for": {
			"item": {"section": "few_shot", "source_type": "agent_output", "meets_schema": true},
		},
		"what an agent wrote, by a receipt alone, is data": {
			"item": {
				"section": "memory",
				"source_type": "agent_output",
				"source_id": "agent:RISK",
				"attestation": {"method": "receipt", "issuer": "RISK", "key": "log", "age_seconds": 60},
			},
		},
		"what an agent wrote, by a receipt, and of the form that its schema asks for": {
			"item": {
				"section": "prior_result",
				"source_type": "agent_output",
				"source_id": "agent:RISK",
				"meets_schema": true,
				"attestation": {"method": "receipt", "issuer": "RISK", "key": "log", "age_seconds": 60},
			},
		},
		"an upload that two officers validated for this agent, purpose and source": {
			"item": {"section": "upload", "source_type": "uploaded_document", "attestation": null},
			"reviews": [
				{
					"id": "REV-1",
					"verdict": "validated",
					"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
					"expires": "2026-03-02T00:00:00.000000Z",
				},
			],
		},
	}
	facts := object.union(good, change)
	trust.permit with input as facts
	count(trust.deny) == 0 with input as facts
}

test_trust_refused[note] if {
	some note, example in {
		"an agent's result in another form than its schema asks for, so that it is not relied on": {
			"change": {"item": {"section": "few_shot", "source_type": "agent_output", "meets_schema": false}},
			"codes": ["TRU-005"],
		},
		"social media": {"change": {"item": {"source_type": "social_media"}}, "codes": ["TRU-001"]},
		"pasted text that claims to be policy": {
			"change": {"item": {"source_type": "claimed_policy"}},
			"codes": ["TRU-001"],
		},
		"no source type": {"change": {"item": {"source_type": null}}, "codes": ["TRU-001", "TRU-002", "TRU-003"]},
		"a source type that is not on record": {"change": {"item": {"source_type": "oracle"}}, "codes": ["TRU-002"]},
		"the web for another purpose": {"change": {"item": {"source_type": "general_web"}}, "codes": ["TRU-003"]},
		"a procedure without a version": {"change": {"item": {"version": null}}, "codes": ["TRU-004"]},
		"a procedure without an owner": {"change": {"item": {"owner": null}}, "codes": ["TRU-004"]},
		"an e-mail as system prompt": {
			"change": {"item": {"source_type": "email", "section": "system"}},
			"codes": ["TRU-005"],
		},
	}
	facts := object.union(good, example.change)
	not trust.permit with input as facts
	codes := {refusal.code | some refusal in trust.deny} with input as facts
	codes == {code | some code in example.codes}
}

test_trust_answers_obligations[note] if {
	some note, example in {
		"a bank procedure with its labels": {"change": {}, "answer": [{"type": "cite"}]},
		"a user's words as data": {
			"change": {"item": {"source_type": "user_input", "section": "conversation"}},
			"answer": [{"type": "fence"}],
		},
		"the web for research": {
			"change": {"request": {"purpose": "general_research"}, "item": {"source_type": "general_web"}},
			"answer": [{"type": "fence"}, {"type": "label_web_source"}],
		},
		"a procedure that nobody vouches for is data": {
			"change": {"item": {"attestation": null}},
			"answer": [{"type": "fence"}],
		},
		"what an agent wrote, by a receipt alone, is data": {
			"change": {
				"item": {
					"section": "memory",
					"source_type": "agent_output",
					"source_id": "agent:RISK",
					"attestation": {"method": "receipt", "issuer": "RISK", "key": "log", "age_seconds": 60},
				},
			},
			"answer": [{"type": "fence"}],
		},
		"what an agent wrote, by a receipt, and of the form that its schema asks for": {
			"change": {
				"item": {
					"section": "prior_result",
					"source_type": "agent_output",
					"source_id": "agent:RISK",
					"meets_schema": true,
					"attestation": {"method": "receipt", "issuer": "RISK", "key": "log", "age_seconds": 60},
				},
			},
			"answer": [],
		},
		"an upload that two officers validated for this agent, purpose and source": {
			"change": {
				"item": {"section": "upload", "source_type": "uploaded_document", "attestation": null},
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "validated",
						"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
						"expires": "2026-03-02T00:00:00.000000Z",
					},
				],
			},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in trust.obligations} with input as facts
	answer == {one | some one in example.answer}
}

test_trust_nothing_known if {
	not trust.permit with input as {}
	codes := {refusal.code | some refusal in trust.deny} with input as {}
	codes == {"TRU-001", "TRU-002", "TRU-003", "TRU-005"}
}

test_freshness_allowed[note] if {
	some note, change in {
		"just fetched": {},
		"within its time to live": {"item": {"age_seconds": 86400}},
		"in effect since today": {"item": {"effective_date": "2026-03-01"}},
		"expires tomorrow": {"item": {"expiry_date": "2026-03-02"}},
		"a live system of record": {"item": {"source_type": "system_of_record", "age_seconds": 300}},
		"a user's words need no time to live": {"item": {"source_type": "user_input", "ttl_seconds": null}},
		"no effective date": {"item": {"effective_date": null}},
		"near the end of its time to live": {"item": {"age_seconds": 80000}},
		"a KYC document of two years": {"item": {"labels": {"document_type": "kyc_document"}, "age_days": 730}},
		"another document of any age": {"item": {"labels": {"document_type": "procedure"}, "age_days": 9999}},
	}
	facts := object.union(good, change)
	freshness.permit with input as facts
	count(freshness.deny) == 0 with input as facts
}

test_freshness_refused[note] if {
	some note, example in {
		"a KYC document that is older than two years": {
			"change": {"item": {"labels": {"document_type": "kyc_document"}, "age_days": 731}},
			"codes": ["FRS-006"],
		},
		"a KYC document of which nobody knows how old it is": {
			"change": {"item": {"labels": {"document_type": "kyc_document"}, "age_days": null}},
			"codes": ["FRS-006"],
		},
		"it is not known what kind of document it is": {"change": {"item": {"labels": null}}, "codes": ["FRS-006"]},
		"not known when fetched": {"change": {"item": {"age_seconds": null}}, "codes": ["FRS-001", "FRS-002"]},
		"fetched in the future": {"change": {"item": {"age_seconds": -1}}, "codes": ["FRS-001"]},
		"past its time to live": {"change": {"item": {"age_seconds": 86401}}, "codes": ["FRS-002"]},
		"no time to live": {"change": {"item": {"ttl_seconds": null}}, "codes": ["FRS-002"]},
		"not yet in effect": {"change": {"item": {"effective_date": "2026-03-02"}}, "codes": ["FRS-003"]},
		"expired today": {"change": {"item": {"expiry_date": "2026-03-01"}}, "codes": ["FRS-004"]},
		"an old copy of a system of record": {
			"change": {"item": {"source_type": "system_of_record", "age_seconds": 301}},
			"codes": ["FRS-005"],
		},
		"no source type": {"change": {"item": {"source_type": null}}, "codes": ["FRS-005", "FRS-006"]},
		"an age that is no number": {"change": {"item": {"age_seconds": "new"}}, "codes": ["FRS-001", "FRS-002"]},
		"a time to live that is no number": {"change": {"item": {"ttl_seconds": "long"}}, "codes": ["FRS-002"]},
		"what a user wrote, past the time to live that it names": {
			"change": {"item": {"source_type": "user_input", "age_seconds": 100, "ttl_seconds": 10}},
			"codes": ["FRS-002"],
		},
		"no clock, and an end": {
			"change": {"now": null, "item": {"expiry_date": "2027-01-01"}},
			"codes": ["FRS-003", "FRS-004"],
		},
		"a record of no age": {
			"change": {"item": {"source_type": "system_of_record", "age_seconds": null}},
			"codes": ["FRS-001", "FRS-002", "FRS-005"],
		},
	}
	facts := object.union(good, example.change)
	not freshness.permit with input as facts
	codes := {refusal.code | some refusal in freshness.deny} with input as facts
	codes == {code | some code in example.codes}
}

test_freshness_answers_obligations[note] if {
	some note, example in {
		"just fetched": {"change": {}, "answer": []},
		"near the end of its time to live": {
			"change": {"item": {"age_seconds": 80000}},
			"answer": [{"type": "warn_stale"}],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in freshness.obligations} with input as facts
	answer == {one | some one in example.answer}
}

test_freshness_nothing_known if {
	not freshness.permit with input as {}
	codes := {refusal.code | some refusal in freshness.deny} with input as {}
	codes == {"FRS-001", "FRS-002", "FRS-003", "FRS-004", "FRS-005", "FRS-006"}
}

test_labels_allowed[note] if {
	some note, change in {
		"nothing found in any label": {},
		"the name of a person, which the role may see; records do not repeat it": {
			"item": {"label_findings": [{"label": "id", "kind": "pii", "type": "PERSON", "score": 0.85}]},
		},
		"who answers for the source": {
			"subject": {"role": "admin"},
			"item": {"label_findings": [{"label": "owner", "kind": "pii", "type": "PERSON", "score": 0.85}]},
		},
		"the number of a company": {
			"item": {"label_findings": [{"label": "source_id", "kind": "pii", "type": "SG_UEN", "score": 0.9}]},
		},
		"a number that is hardly one of a person": {
			"item": {"label_findings": [{"label": "version", "kind": "pii", "type": "PHONE_NUMBER", "score": 0.35}]},
		},
		"a title that sounds a little like an instruction": {
			"item": {
				"label_findings": [
					{"label": "doc_section", "kind": "injection", "type": "instructions", "score": 0.4},
				],
			},
		},
		"a document of the bank is named after itself": {"item": {"source_type": "bank_sop"}},
		"a record may be named after a client, the system that has it is not": {
			"item": {"source_type": "system_of_record"},
		},
		"an e-mail and its mailbox may be named after people": {"item": {"source_type": "email"}},
		"nobody says what it is": {"item": {"source_type": null}},
		"a telephone number for a checker, whom no law restricts": {
			"subject": {"role": "checker"},
			"item": {"label_findings": [{"kind": "pii", "type": "PHONE_NUMBER", "label": "version", "score": 1.0}]},
		},
		"a label that the vocabulary declares": {"item": {"labels": {"document_type": "procedure"}}},
	}
	facts := object.union(good, change)
	labels.permit with input as facts
	count(labels.deny) == 0 with input as facts
	count(labels.set_aside) == 0 with input as facts
}

test_labels_refused[note] if {
	some note, example in {
		"a label that is not declared, or not with what it says": {
			"change": {"item": {"labels": {"document_type": "rumour"}, "labels_declared": false}},
			"codes": ["LAB-005"],
		},
		"nobody looked": {"change": {"item": {"label_findings": null}}, "codes": ["LAB-001", "LAB-002", "LAB-004"]},
		"an id with a token of a chat template": {
			"change": {
				"item": {"label_findings": [{"label": "id", "kind": "rendering", "type": "chat_token", "score": 1}]},
			},
			"codes": ["LAB-004"],
		},
		"a finding without a type": {
			"change": {"item": {"label_findings": [{"label": "id", "kind": "injection", "score": 0.1}]}},
			"codes": ["LAB-001"],
		},
		"a finding without a kind": {
			"change": {"item": {"label_findings": [{"label": "id", "type": "PERSON", "score": 0.1}]}},
			"codes": ["LAB-001"],
		},
		"a finding without a label": {
			"change": {"item": {"label_findings": [{"kind": "injection", "type": "rule", "score": 0.1}]}},
			"codes": ["LAB-001"],
		},
		"an NRIC in the name of a file": {
			"change": {
				"item": {"label_findings": [{"label": "id", "kind": "pii", "type": "SG_NRIC_FIN", "score": 0.85}]},
			},
			"codes": ["LAB-002"],
		},
		"a type that nobody has a line for": {
			"change": {"item": {"label_findings": [{"label": "id", "kind": "pii", "type": "XX_ID", "score": 0.85}]}},
			"codes": ["LAB-002"],
		},
		"a name that the role may not see": {
			"change": {
				"subject": {"role": "admin"},
				"item": {"label_findings": [{"label": "id", "kind": "pii", "type": "PERSON", "score": 0.85}]},
			},
			"codes": ["LAB-002"],
		},
		"a number that the role may see and the law of the place not": {
			"change": {
				"subject": {"role": "checker", "jurisdictions": ["TW"]},
				"request": {"jurisdictions": ["TW"]},
				"item": {
					"jurisdiction": "TW",
					"label_findings": [{"label": "id", "kind": "pii", "type": "PHONE_NUMBER", "score": 0.85}],
				},
			},
			"codes": ["LAB-002"],
		},
		"a number of a person where a name may stand": {
			"change": {
				"item": {"label_findings": [{"kind": "pii", "type": "SG_NRIC_FIN", "label": "owner", "score": 1.0}]},
			},
			"codes": ["LAB-002"],
		},
	}
	facts := object.union(good, example.change)
	not labels.permit with input as facts
	codes := {refusal.code | some refusal in labels.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.release.denials} with input as facts
	codes - told == set()
}

test_labels_set_aside[note] if {
	some note, example in {
		"an id that instructs": {
			"change": {
				"item": {
					"label_findings": [{"label": "id", "kind": "injection", "type": "override.en", "score": 0.8}],
				},
			},
			"codes": ["LAB-003"],
		},
		"a score that cannot be read": {
			"change": {"item": {"label_findings": [{"label": "version", "kind": "injection", "type": "rule"}]}},
			"codes": ["LAB-003"],
		},
	}
	facts := object.union(good, example.change)
	labels.permit with input as facts
	codes := {one.code | some one in labels.set_aside} with input as facts
	codes == {code | some code in example.codes}
}

test_labels_answers_obligations[note] if {
	some note, example in {
		"nothing found in any label": {"change": {}, "answer": []},
		"the name of a person, which the role may see; records do not repeat it": {
			"change": {"item": {"label_findings": [{"label": "id", "kind": "pii", "type": "PERSON", "score": 0.85}]}},
			"answer": [{"type": "rename", "fields": ["id"]}],
		},
		"who answers for the source": {
			"change": {
				"subject": {"role": "admin"},
				"item": {"label_findings": [{"label": "owner", "kind": "pii", "type": "PERSON", "score": 0.85}]},
			},
			"answer": [],
		},
		"the number of a company": {
			"change": {
				"item": {"label_findings": [{"label": "source_id", "kind": "pii", "type": "SG_UEN", "score": 0.9}]},
			},
			"answer": [],
		},
		"a number that is hardly one of a person": {
			"change": {
				"item": {
					"label_findings": [{"label": "version", "kind": "pii", "type": "PHONE_NUMBER", "score": 0.35}],
				},
			},
			"answer": [],
		},
		"a title that sounds a little like an instruction": {
			"change": {
				"item": {
					"label_findings": [
						{"label": "doc_section", "kind": "injection", "type": "instructions", "score": 0.4},
					],
				},
			},
			"answer": [],
		},
		"a document of the bank is named after itself": {"change": {"item": {"source_type": "bank_sop"}}, "answer": []},
		"a record may be named after a client, the system that has it is not": {
			"change": {"item": {"source_type": "system_of_record"}},
			"answer": [{"type": "rename", "fields": ["id"]}],
		},
		"an e-mail and its mailbox may be named after people": {
			"change": {"item": {"source_type": "email"}},
			"answer": [{"type": "rename", "fields": ["id", "source_id"]}],
		},
		"nobody says what it is": {
			"change": {"item": {"source_type": null}},
			"answer": [{"type": "rename", "fields": ["id", "source_id"]}],
		},
		"an id with a token of a chat template": {
			"change": {
				"item": {"label_findings": [{"label": "id", "kind": "rendering", "type": "chat_token", "score": 1}]},
			},
			"answer": [{"type": "rename", "fields": ["id"]}],
		},
		"an NRIC in the name of a file": {
			"change": {
				"item": {"label_findings": [{"label": "id", "kind": "pii", "type": "SG_NRIC_FIN", "score": 0.85}]},
			},
			"answer": [{"type": "rename", "fields": ["id"]}],
		},
		"an id that instructs": {
			"change": {
				"item": {
					"label_findings": [{"label": "id", "kind": "injection", "type": "override.en", "score": 0.8}],
				},
			},
			"answer": [{"type": "rename", "fields": ["id"]}],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in labels.obligations} with input as facts
	answer == {one | some one in example.answer}
}

test_labels_nothing_known if {
	not labels.permit with input as {}
	codes := {refusal.code | some refusal in labels.deny} with input as {}
	codes == {"LAB-001", "LAB-002", "LAB-004", "LAB-005"}
}

test_pii_allowed[note] if {
	some note, change in {
		"nothing found": {},
		"a kind that may be masked": {"findings": [{"kind": "pii", "type": "PHONE_NUMBER", "score": 0.9}]},
		"a weak sign": {"findings": [{"kind": "pii", "type": "CREDIT_CARD", "score": 0.1}]},
		"a structured item": {"screened": ["pii/structured", "injection"], "item": {"structured": true}},
		"a full screening of an e-mail": {"screened": ["pii/full", "injection"], "item": {"source_type": "email"}},
		"an identity card for an analyst is replaced": {
			"findings": [{"kind": "pii", "type": "SG_NRIC_FIN", "score": 1}],
		},
		"an identity card for a checker is masked": {
			"subject": {"role": "checker"},
			"findings": [{"kind": "pii", "type": "SG_NRIC_FIN", "score": 1}],
		},
		"the strictest jurisdiction wins": {
			"subject": {"role": "checker"},
			"request": {"jurisdictions": ["SG", "HK"]},
			"findings": [{"kind": "pii", "type": "HK_HKID", "score": 1}],
		},
		"a kind that is not on record is replaced": {"findings": [{"kind": "pii", "type": "SHOE_SIZE", "score": 1}]},
		"a name needs a higher score": {
			"subject": {"role": "admin"},
			"findings": [{"kind": "pii", "type": "PERSON", "score": 0.5}],
		},
		"a score that cannot be read counts": {"findings": [{"kind": "pii", "type": "PHONE_NUMBER"}]},
		"an address and an identity card, each treated in its own way": {
			"findings": [
				{"kind": "pii", "type": "EMAIL_ADDRESS", "score": 1.0},
				{"kind": "pii", "type": "SG_NRIC_FIN", "score": 1.0},
			],
		},
		"a name, which the role may see": {"findings": [{"kind": "pii", "type": "PERSON", "score": 1.0}]},
		"a score that is null counts": {"findings": [{"kind": "pii", "type": "PHONE_NUMBER", "score": null}]},
	}
	facts := object.union(good, change)
	pii.permit with input as facts
	count(pii.deny) == 0 with input as facts
}

test_pii_refused[note] if {
	some note, example in {
		"not screened": {"change": {"screened": ["injection"]}, "codes": ["PII-001"]},
		"screened with less than policy asks": {
			"change": {"item": {"source_type": "email"}, "screened": ["pii/patterns", "injection", "rendering"]},
			"codes": ["PII-001"],
		},
		"findings are not a list": {"change": {"findings": null}, "codes": ["PII-001", "PII-002"]},
		"a card number for an administrator": {
			"change": {
				"subject": {"role": "admin"},
				"findings": [{"kind": "pii", "type": "CREDIT_CARD", "score": 0.9}],
			},
			"codes": ["PII-002"],
		},
		"a finding without a type": {"change": {"findings": [{"kind": "pii", "score": 1}]}, "codes": ["PII-001"]},
		"a finding of no kind": {
			"change": {"findings": [{"kind": 3, "type": "PERSON", "score": 1.0}]},
			"codes": ["PII-001"],
		},
	}
	facts := object.union(good, example.change)
	not pii.permit with input as facts
	codes := {refusal.code | some refusal in pii.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.release.denials} with input as facts
	codes - told == set()
}

test_pii_answers_obligations[note] if {
	some note, example in {
		"an identity card for an analyst is replaced": {
			"change": {"findings": [{"kind": "pii", "type": "SG_NRIC_FIN", "score": 1}]},
			"answer": [{"type": "redact", "operator": "replace", "entities": ["SG_NRIC_FIN"]}],
		},
		"an identity card for a checker is masked": {
			"change": {
				"subject": {"role": "checker"},
				"findings": [{"kind": "pii", "type": "SG_NRIC_FIN", "score": 1}],
			},
			"answer": [{"type": "redact", "operator": "mask", "entities": ["SG_NRIC_FIN"]}],
		},
		"the strictest jurisdiction wins": {
			"change": {
				"subject": {"role": "checker"},
				"request": {"jurisdictions": ["SG", "HK"]},
				"findings": [{"kind": "pii", "type": "HK_HKID", "score": 1}],
			},
			"answer": [{"type": "redact", "operator": "replace", "entities": ["HK_HKID"]}],
		},
		"a kind that is not on record is replaced": {
			"change": {"findings": [{"kind": "pii", "type": "SHOE_SIZE", "score": 1}]},
			"answer": [{"type": "redact", "operator": "replace", "entities": ["SHOE_SIZE"]}],
		},
		"a name needs a higher score": {
			"change": {"subject": {"role": "admin"}, "findings": [{"kind": "pii", "type": "PERSON", "score": 0.5}]},
			"answer": [],
		},
		"a score that cannot be read counts": {
			"change": {"findings": [{"kind": "pii", "type": "PHONE_NUMBER"}]},
			"answer": [{"type": "redact", "operator": "mask", "entities": ["PHONE_NUMBER"]}],
		},
		"an address and an identity card, each treated in its own way": {
			"change": {
				"findings": [
					{"kind": "pii", "type": "EMAIL_ADDRESS", "score": 1.0},
					{"kind": "pii", "type": "SG_NRIC_FIN", "score": 1.0},
				],
			},
			"answer": [
				{"entities": ["EMAIL_ADDRESS"], "operator": "mask", "type": "redact"},
				{"entities": ["SG_NRIC_FIN"], "operator": "replace", "type": "redact"},
			],
		},
		"a name, which the role may see": {
			"change": {"findings": [{"kind": "pii", "type": "PERSON", "score": 1.0}]},
			"answer": [],
		},
		"a score that is null counts": {
			"change": {"findings": [{"kind": "pii", "type": "PHONE_NUMBER", "score": null}]},
			"answer": [{"type": "redact", "operator": "mask", "entities": ["PHONE_NUMBER"]}],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in pii.obligations} with input as facts
	answer == {one | some one in example.answer}
}

test_pii_nothing_known if {
	not pii.permit with input as {}
	codes := {refusal.code | some refusal in pii.deny} with input as {}
	codes == {"PII-001", "PII-002"}
}

test_injection_allowed[note] if {
	some note, change in {
		"nothing found": {},
		"a procedure that quotes an attack": {"findings": [{"kind": "injection", "type": "rule", "score": 0.9}]},
		"an innocent e-mail": {"item": {"source_type": "email"}},
		"a suspicious e-mail that was released on review": {
			"item": {"source_type": "email"},
			"findings": [{"kind": "injection", "type": "rule", "score": 0.6}],
			"reviews": [
				{
					"id": "REV-1",
					"verdict": "released",
					"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
					"expires": "2026-06-01T00:00:00.000000Z",
				},
			],
		},
		"a procedure that replaces another one": {
			"findings": [{"kind": "injection", "type": "claimed_policy", "score": 0.9}],
		},
		"personal data, which is no instruction": {
			"item": {"source_type": "email"},
			"findings": [{"kind": "pii", "type": "PERSON", "score": 1.0}],
		},
		"a link that is named like a claim to be policy": {
			"item": {"source_type": "email"},
			"findings": [{"kind": "rendering", "type": "claimed_policy", "score": 1.0}],
		},
	}
	facts := object.union(good, change)
	injection.permit with input as facts
	count(injection.deny) == 0 with input as facts
	count(injection.set_aside) == 0 with input as facts
}

test_injection_refused[note] if {
	some note, example in {
		"not screened": {"change": {"screened": ["pii/patterns"]}, "codes": ["INJ-001"]},
		"certain, in an e-mail": {
			"change": {
				"item": {"source_type": "email"},
				"findings": [{"kind": "injection", "type": "rule", "score": 0.999}],
			},
			"codes": ["INJ-002"],
		},
		"an e-mail that claims to be policy": {
			"change": {
				"item": {"source_type": "email"},
				"findings": [{"kind": "injection", "type": "claimed_policy", "score": 0.9}],
			},
			"codes": ["INJ-004"],
		},
		"refused on review": {
			"change": {"reviews": [{"id": "REV-1", "verdict": "denied", "expires": "2026-06-01T00:00:00.000000Z"}]},
			"codes": ["INJ-005"],
		},
		"findings are not a list": {"change": {"findings": null}, "codes": ["INJ-001", "INJ-002", "INJ-004"]},
		"reviews are not a list": {"change": {"reviews": null}, "codes": ["INJ-005"]},
		"a score that cannot be read": {
			"change": {"findings": [{"kind": "injection", "type": "rule"}]},
			"codes": ["INJ-002"],
		},
		"an instruction without a score": {
			"change": {
				"item": {"source_type": "email"},
				"findings": [{"kind": "injection", "type": "override", "score": null}],
			},
			"codes": ["INJ-002"],
		},
		"findings that are no list": {"change": {"findings": "none"}, "codes": ["INJ-001", "INJ-002", "INJ-004"]},
	}
	facts := object.union(good, example.change)
	not injection.permit with input as facts
	codes := {refusal.code | some refusal in injection.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.release.denials} with input as facts
	codes - told == set()
}

test_injection_set_aside[note] if {
	some note, example in {
		"a suspicious e-mail": {
			"change": {
				"item": {"source_type": "email"},
				"findings": [{"kind": "injection", "type": "rule", "score": 0.5}],
			},
			"codes": ["INJ-003"],
		},
		"a procedure with the strongest signs": {
			"change": {"findings": [{"kind": "injection", "type": "rule", "score": 0.96}]},
			"codes": ["INJ-003"],
		},
		"free text in a system of record": {
			"change": {
				"item": {"source_type": "system_of_record"},
				"findings": [{"kind": "injection", "type": "rule", "score": 0.85}],
			},
			"codes": ["INJ-003"],
		},
		"a release on review that has run out": {
			"change": {
				"item": {"source_type": "email"},
				"findings": [{"kind": "injection", "type": "rule", "score": 0.6}],
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "released",
						"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
						"expires": "2026-02-01T00:00:00.000000Z",
					},
				],
			},
			"codes": ["INJ-003"],
		},
		"a release on review for another agent": {
			"change": {
				"item": {"source_type": "email"},
				"findings": [{"kind": "injection", "type": "rule", "score": 0.6}],
				"reviews": [
					{
						"id": "REV-1",
						"verdict": "released",
						"scope": {"agent": "DESK_ANALYST", "purpose": "risk_assessment", "source_id": "SOP"},
						"expires": "2026-06-01T00:00:00.000000Z",
					},
				],
			},
			"codes": ["INJ-003"],
		},
	}
	facts := object.union(good, example.change)
	injection.permit with input as facts
	codes := {one.code | some one in injection.set_aside} with input as facts
	codes == {code | some code in example.codes}
}

test_injection_answers_set_aside[note] if {
	some note, example in {
		"findings that are no list": {
			"change": {"findings": "none"},
			"answer": [{"code": "INJ-003", "message": "The item looks like instructions to the model."}],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in injection.set_aside} with input as facts
	answer == {one | some one in example.answer}
}

test_injection_nothing_known if {
	not injection.permit with input as {}
	codes := {refusal.code | some refusal in injection.deny} with input as {}
	codes == {"INJ-001", "INJ-002", "INJ-004", "INJ-005"}
}

test_rendering_allowed[note] if {
	some note, change in {
		"nothing found": {},
		"a procedure with a link, which the bank wrote": {
			"findings": [{"kind": "rendering", "type": "link", "score": 1}],
		},
		"a procedure that quotes a chat template": {
			"findings": [{"kind": "rendering", "type": "chat_token", "score": 1}],
		},
		"an e-mail with an image and a tag": {
			"item": {"source_type": "email"},
			"findings": [
				{"kind": "rendering", "type": "link", "score": 1},
				{"kind": "rendering", "type": "markup", "score": 1},
				{"kind": "injection", "type": "rule", "score": 0.1},
			],
		},
		"a finding of another kind that is named like a chat token": {
			"findings": [{"kind": "pii", "type": "chat_token"}],
		},
	}
	facts := object.union(good, change)
	rendering.permit with input as facts
	count(rendering.deny) == 0 with input as facts
}

test_rendering_refused[note] if {
	some note, example in {
		"not looked at": {"change": {"screened": ["pii/patterns", "injection"]}, "codes": ["RND-001"]},
		"findings are not a list": {"change": {"findings": null}, "codes": ["RND-001"]},
	}
	facts := object.union(good, example.change)
	not rendering.permit with input as facts
	codes := {refusal.code | some refusal in rendering.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.release.denials} with input as facts
	codes - told == set()
}

test_rendering_answers_obligations[note] if {
	some note, example in {
		"nothing found": {"change": {}, "answer": []},
		"a procedure with a link, which the bank wrote": {
			"change": {"findings": [{"kind": "rendering", "type": "link", "score": 1}]},
			"answer": [],
		},
		"a procedure that quotes a chat template": {
			"change": {"findings": [{"kind": "rendering", "type": "chat_token", "score": 1}]},
			"answer": [{"type": "neutralise", "entities": ["chat_token"]}],
		},
		"an e-mail with an image and a tag": {
			"change": {
				"item": {"source_type": "email"},
				"findings": [
					{"kind": "rendering", "type": "link", "score": 1},
					{"kind": "rendering", "type": "markup", "score": 1},
					{"kind": "injection", "type": "rule", "score": 0.1},
				],
			},
			"answer": [{"type": "neutralise", "entities": ["link", "markup"]}],
		},
		"a finding of another kind that is named like a chat token": {
			"change": {"findings": [{"kind": "pii", "type": "chat_token"}]},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in rendering.obligations} with input as facts
	answer == {one | some one in example.answer}
}

test_rendering_nothing_known if {
	not rendering.permit with input as {}
	codes := {refusal.code | some refusal in rendering.deny} with input as {}
	codes == {"RND-001"}
}

test_record_allowed[note] if {
	some note, change in {
		"nothing is known of the entity's jurisdictions": {
			"items": [
				{
					"id": "record",
					"section": "entity",
					"source_type": "system_of_record",
					"entity_id": "NPA-2026-00142",
				},
			],
		},
		"the entity belongs to the request's jurisdictions": {
			"items": [
				{
					"id": "record",
					"section": "entity",
					"source_type": "system_of_record",
					"entity_id": "NPA-2026-00142",
				},
			],
			"records": [
				{
					"section": "entity",
					"source_id": "SoR:npa_projects",
					"source_type": "system_of_record",
					"corpus": null,
					"data_classification": "CONFIDENTIAL",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": "NPA-2026-00142",
					"age_seconds": 0,
					"channel": "caller",
					"related": [],
					"jurisdictions": ["SG"],
					"attestation": {
						"method": "development",
						"issuer": "development",
						"key": "development",
						"signed_at": "2026-03-01T09:15:00.000000Z",
						"age_seconds": 0,
						"verified": true,
					},
				},
			],
		},
		"a worker without the record": {"items": []},
		"a worker without the record, in another domain": {"request": {"domain": "ORM"}, "items": []},
	}
	facts := object.union(good, change)
	record.permit with input as facts
	count(record.deny) == 0 with input as facts
}

test_record_refused[note] if {
	some note, example in {
		"the entity belongs to another jurisdiction": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": [],
						"jurisdictions": ["HK"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-005"],
		},
		"the entity belongs to another jurisdiction, and the set has no record of it": {
			"change": {
				"items": [],
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": [],
						"jurisdictions": ["HK"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"codes": ["ENY-005"],
		},
	}
	facts := object.union(good, example.change)
	not record.permit with input as facts
	codes := {refusal.code | some refusal in record.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.pack.denials} with input as facts
	codes - told == set()
}

test_record_answers_errors[note] if {
	some note, example in {
		"nothing is known of the entity's jurisdictions": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"entity_id": "NPA-2026-00142",
					},
				],
			},
			"answer": [],
		},
		"the entity belongs to the request's jurisdictions": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"entity_id": "NPA-2026-00142",
					},
				],
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": [],
						"jurisdictions": ["SG"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"answer": [],
		},
		"a worker without the record": {
			"change": {"items": []},
			"answer": [{"kind": "entity_data_empty", "names": ["sor-npa"]}],
		},
		"a worker without the record, in another domain": {
			"change": {"request": {"domain": "ORM"}, "items": []},
			"answer": [{"kind": "entity_data_empty", "names": ["sor-orm"]}],
		},
		"the entity belongs to another jurisdiction": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": [],
						"jurisdictions": ["HK"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"answer": [{"kind": "entity_jurisdictions", "names": ["SG"]}],
		},
		"the entity belongs to another jurisdiction, and the set has no record of it": {
			"change": {
				"items": [],
				"records": [
					{
						"section": "entity",
						"source_id": "SoR:npa_projects",
						"source_type": "system_of_record",
						"corpus": null,
						"data_classification": "CONFIDENTIAL",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
						"age_seconds": 0,
						"channel": "caller",
						"related": [],
						"jurisdictions": ["HK"],
						"attestation": {
							"method": "development",
							"issuer": "development",
							"key": "development",
							"signed_at": "2026-03-01T09:15:00.000000Z",
							"age_seconds": 0,
							"verified": true,
						},
					},
				],
			},
			"answer": [{"kind": "entity_jurisdictions", "names": ["SG"]}],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in record.errors} with input as facts
	answer == {one | some one in example.answer}
}

test_record_nothing_known if {
	not record.permit with input as {}
	codes := {refusal.code | some refusal in record.deny} with input as {}
	codes == {"ENY-005"}
}

test_contract_allowed[note] if {
	some note, change in {
		"a worker with its record and its knowledge": {
			"items": [
				{
					"id": "record",
					"section": "entity",
					"source_type": "system_of_record",
					"entity_id": "NPA-2026-00142",
				},
				{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
			],
		},
		"an orchestrator with a question and what it may route to": {
			"agent": {"archetype": "orchestrator"},
			"items": [{"id": "stack", "section": "memory", "doc_section": "routing_context"}],
		},
		"a reviewer with what to review, and by which measure": {
			"agent": {"archetype": "reviewer"},
			"items": [
				{"id": "r", "section": "prior_result", "source_type": "agent_output"},
				{"id": "rubric", "section": "task"},
				{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
			],
		},
		"a task in place of the query": {
			"request": {"has_query": false},
			"items": [
				{
					"id": "record",
					"section": "entity",
					"source_type": "system_of_record",
					"entity_id": "NPA-2026-00142",
				},
				{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				{"id": "task", "section": "task"},
			],
		},
		"talk for an agent that may hear it": {
			"items": [
				{
					"id": "record",
					"section": "entity",
					"source_type": "system_of_record",
					"entity_id": "NPA-2026-00142",
				},
				{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				{"id": "turn", "section": "conversation"},
			],
		},
	}
	facts := object.union(good, change)
	contract.permit with input as facts
	count(contract.deny) == 0 with input as facts
	count(contract.warn) == 0 with input as facts
}

test_contract_refused[note] if {
	some note, example in {
		"a worker without the record": {
			"change": {
				"agent": {"id": "DCE_ANALYST"},
				"items": [{"id": "sop", "section": "knowledge", "source_type": "bank_sop"}],
			},
			"codes": ["CTR-001", "CTR-002"],
		},
		"a worker without a task": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"entity_id": "NPA-2026-00142",
					},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
				"request": {"has_query": false},
			},
			"codes": ["CTR-001"],
		},
		"a reviewer with nothing to review": {
			"change": {
				"agent": {"archetype": "reviewer"},
				"items": [
					{"id": "rubric", "section": "system"},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
			},
			"codes": ["CTR-001"],
		},
		"a reviewer without a measure: a question is none": {
			"change": {
				"agent": {"archetype": "reviewer"},
				"items": [{"id": "r", "section": "prior_result", "source_type": "agent_output"}],
			},
			"codes": ["CTR-001"],
		},
		"an orchestrator with knowledge": {
			"change": {
				"agent": {"archetype": "orchestrator"},
				"items": [{"id": "sop", "section": "knowledge", "source_type": "bank_sop"}],
			},
			"codes": ["CTR-003"],
		},
		"a worker with tool results but no record": {
			"change": {"items": [{"id": "result", "section": "tool_result", "source_type": "system_of_record"}]},
			"codes": ["CTR-002"],
		},
		"talk for an agent that must not hear it": {
			"change": {
				"agent": {"id": "AUTOFILL"},
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"entity_id": "NPA-2026-00142",
					},
					{"id": "t", "section": "conversation"},
				],
			},
			"codes": ["CTR-003"],
		},
		"a record that is not of the system of record": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "agent_output",
						"entity_id": "NPA-2026-00142",
					},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
			},
			"codes": ["CTR-002"],
		},
		"a worker with the record of another entity": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"entity_id": "NPA-2026-00999",
					},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
			},
			"codes": ["CTR-002"],
		},
		"a worker with a record of nobody": {
			"change": {
				"items": [
					{"id": "record", "section": "entity", "source_type": "system_of_record"},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
			},
			"codes": ["CTR-002"],
		},
		"an archetype without a contract": {
			"change": {
				"agent": {"archetype": "poet"},
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"entity_id": "NPA-2026-00142",
					},
				],
			},
			"codes": ["CTR-001", "CTR-003", "CTR-004"],
		},
		"items that are no list": {"change": {"items": "sop"}, "codes": ["CTR-001", "CTR-002", "CTR-003"]},
		"figures of the system of record that are no record of the entity": {
			"change": {
				"items": [
					{
						"id": "figures",
						"section": "tool_result",
						"source_type": "system_of_record",
						"entity_id": "NPA-2026-00142",
					},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
			},
			"codes": ["CTR-002"],
		},
	}
	facts := object.union(good, example.change)
	not contract.permit with input as facts
	codes := {refusal.code | some refusal in contract.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.pack.denials} with input as facts
	codes - told == set()
}

test_contract_warned[note] if {
	some note, example in {
		"a worker without knowledge": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"entity_id": "NPA-2026-00142",
					},
				],
			},
			"codes": ["KB-EMPTY"],
		},
		"a worker on nothing in particular": {
			"change": {"request": {"entity": null}, "items": [{"id": "result", "section": "tool_result"}]},
			"codes": ["KB-EMPTY"],
		},
		"a reviewer without references": {
			"change": {
				"agent": {"archetype": "reviewer"},
				"items": [
					{"id": "r", "section": "prior_result", "source_type": "agent_output"},
					{"id": "rubric", "section": "task"},
				],
			},
			"codes": ["KB-EMPTY"],
		},
		"an orchestrator that does not know where to route": {
			"change": {"agent": {"archetype": "orchestrator"}},
			"codes": ["CTX-THIN"],
		},
	}
	facts := object.union(good, example.change)
	contract.permit with input as facts
	codes := {one.code | some one in contract.warn} with input as facts
	codes == {code | some code in example.codes}
	told := {one.code | some one in data.context.pack.warnings} with input as facts
	codes - told == set()
}

test_contract_answers_missing[note] if {
	some note, example in {
		"a reviewer with nothing to review": {
			"change": {
				"agent": {"archetype": "reviewer"},
				"items": [
					{"id": "rubric", "section": "system"},
					{"id": "sop", "section": "knowledge", "source_type": "bank_sop"},
				],
			},
			"answer": ["worker_output"],
		},
		"a reviewer without a measure: a question is none": {
			"change": {
				"agent": {"archetype": "reviewer"},
				"items": [{"id": "r", "section": "prior_result", "source_type": "agent_output"}],
			},
			"answer": ["validation_rubric"],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in contract.missing} with input as facts
	answer == {one | some one in example.answer}
}

test_contract_answers_warn[note] if {
	some note, example in {
		"an orchestrator that does not know where to route": {
			"change": {"agent": {"archetype": "orchestrator"}},
			"answer": [{"code": "CTX-THIN", "message": "The agent works without: routing_context.", "items": []}],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in contract.warn} with input as facts
	answer == {one | some one in example.answer}
}

test_contract_nothing_known if {
	not contract.permit with input as {}
	codes := {refusal.code | some refusal in contract.deny} with input as {}
	codes == {"CTR-001", "CTR-002", "CTR-003", "CTR-004"}
}

test_required_allowed[note] if {
	some note, change in {
		"everything that a classifier requires": {
			"agent": {"id": "CLASSIFIER"},
			"items": [
				{
					"id": "record",
					"source_id": "SoR:npa_projects",
					"entity_id": "NPA-2026-00142",
					"attested_by": "sor-npa",
				},
				{"id": "criteria", "corpus": "npa_classification_criteria", "attested_by": "knowledge-base"},
			],
		},
		"a record under the name of the tool, and criteria by the id of the document": {
			"agent": {"id": "CLASSIFIER"},
			"items": [
				{
					"id": "record",
					"source_id": "get_npa_by_id",
					"entity_id": "NPA-2026-00142",
					"attested_by": "sor-npa",
				},
				{
					"id": "criteria",
					"source_id": "SOPv3.2_NPA_Classification_Criteria",
					"attested_by": "knowledge-base",
				},
			],
		},
		"a source that the gateway asked and that answered": {
			"agent": {"id": "IDEATION"},
			"asked": [{"id": "product_taxonomy", "critical": false, "status": "answered"}],
		},
		"the source of the record was asked about the entity and answered": {
			"agent": {"id": "DOC_LIFECYCLE", "archetype": "orchestrator"},
			"asked": [{"id": "get_npa_by_id", "critical": true, "status": "answered"}],
		},
		"an agent that requires nothing": {"agent": {"id": "MASTER_COO"}},
		"no record where there is no entity": {"agent": {"id": "DOC_LIFECYCLE"}, "request": {"entity": null}},
	}
	facts := object.union(good, change)
	required.permit with input as facts
	count(required.deny) == 0 with input as facts
	count(required.warn) == 0 with input as facts
}

test_required_refused[note] if {
	some note, example in {
		"no record of the entity": {"change": {"agent": {"id": "DOC_LIFECYCLE"}}, "codes": ["CTR-007"]},
		"a record for which nobody vouches": {
			"change": {
				"agent": {"id": "DOC_LIFECYCLE"},
				"items": [
					{
						"id": "record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00142",
						"attested_by": null,
					},
				],
			},
			"codes": ["CTR-007"],
		},
		"a record of another kind": {
			"change": {
				"agent": {"id": "DOC_LIFECYCLE"},
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR:npa_projects_old",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{"id": "sop", "section": "knowledge"},
				],
			},
			"codes": ["CTR-007"],
		},
		"the record of another entity": {
			"change": {
				"agent": {"id": "DOC_LIFECYCLE", "archetype": "orchestrator"},
				"items": [
					{
						"id": "record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00999",
						"attested_by": "sor-npa",
					},
				],
			},
			"codes": ["CTR-007"],
		},
		"an agent without a contract": {"change": {"agent": {"id": "NOBODY"}}, "codes": ["CTR-007"]},
		"items that are no list, for an agent that requires nothing": {
			"change": {"agent": {"id": "DCE_ANALYST"}, "items": "none"},
			"codes": ["CTR-007"],
		},
	}
	facts := object.union(good, example.change)
	not required.permit with input as facts
	codes := {refusal.code | some refusal in required.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.pack.denials} with input as facts
	codes - told == set()
}

test_required_warned[note] if {
	some note, example in {
		"an item that names no source": {
			"change": {
				"items": [
					{
						"id": "record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{"id": "turn", "source_id": null, "corpus": null, "attested_by": "development"},
				],
			},
			"codes": ["SRC-MISSING"],
		},
		"no taxonomy": {"change": {"agent": {"id": "IDEATION"}}, "codes": ["SRC-MISSING"]},
		"a source that was asked and is down": {
			"change": {
				"agent": {"id": "IDEATION"},
				"asked": [{"id": "product_taxonomy", "critical": false, "status": "unavailable"}],
			},
			"codes": ["SRC-MISSING"],
		},
		"a risk assessment without notices, procedures and checks": {
			"change": {
				"items": [
					{
						"id": "record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
				],
			},
			"codes": ["SRC-MISSING"],
		},
		"a risk assessment that lacks external parties alone": {
			"change": {
				"items": [
					{
						"id": "record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{
						"id": "checks",
						"source_id": "SoR:npa_risk_checks",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{
						"id": "form",
						"source_id": "SoR:npa_form_data",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{
						"id": "factors",
						"source_id": "SoR:npa_market_risk_factors",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{"id": "summary", "source_id": "GFM_SOP_Summary", "attested_by": "knowledge-base"},
					{"id": "notice", "source_id": "MAS_637_2024", "attested_by": "knowledge-base"},
					{"id": "kb", "source_id": "KB_Risk_Agent", "attested_by": "knowledge-base"},
				],
			},
			"codes": ["SRC-MISSING"],
		},
		"a taxonomy for which nobody vouches": {
			"change": {
				"agent": {"id": "IDEATION"},
				"items": [{"id": "taxonomy", "source_id": "product_taxonomy", "attested_by": null}],
			},
			"codes": ["SRC-MISSING"],
		},
		"a taxonomy of a corpus, for which nobody vouches": {
			"change": {
				"agent": {"id": "IDEATION"},
				"items": [{"id": "taxonomy", "corpus": "product_taxonomy", "attested_by": null}],
			},
			"codes": ["SRC-MISSING"],
		},
	}
	facts := object.union(good, example.change)
	required.permit with input as facts
	codes := {one.code | some one in required.warn} with input as facts
	codes == {code | some code in example.codes}
	told := {one.code | some one in data.context.pack.warnings} with input as facts
	codes - told == set()
}

test_required_answers_missing[note] if {
	some note, example in {
		"no record of the entity": {"change": {"agent": {"id": "DOC_LIFECYCLE"}}, "answer": ["get_npa_by_id"]},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in required.missing} with input as facts
	answer == {one | some one in example.answer}
}

test_required_answers_warn[note] if {
	some note, example in {
		"no record of the entity": {"change": {"agent": {"id": "DOC_LIFECYCLE"}}, "answer": []},
		"a risk assessment without notices, procedures and checks": {
			"change": {
				"items": [
					{
						"id": "record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
				],
			},
			"answer": [
				{
					"code": "SRC-MISSING",
					"message": "Nothing usable came from these sources: GFM_SOP_Summary, MAS_Notices, Risk_Agent_KB, get_external_parties, get_form_data, get_market_risk_factors, get_risk_checks. Say so where it matters.",
					"items": [],
				},
			],
		},
		"a risk assessment that lacks external parties alone": {
			"change": {
				"items": [
					{
						"id": "record",
						"source_id": "SoR:npa_projects",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{
						"id": "checks",
						"source_id": "SoR:npa_risk_checks",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{
						"id": "form",
						"source_id": "SoR:npa_form_data",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{
						"id": "factors",
						"source_id": "SoR:npa_market_risk_factors",
						"entity_id": "NPA-2026-00142",
						"attested_by": "sor-npa",
					},
					{"id": "summary", "source_id": "GFM_SOP_Summary", "attested_by": "knowledge-base"},
					{"id": "notice", "source_id": "MAS_637_2024", "attested_by": "knowledge-base"},
					{"id": "kb", "source_id": "KB_Risk_Agent", "attested_by": "knowledge-base"},
				],
			},
			"answer": [
				{
					"code": "SRC-MISSING",
					"message": "Nothing usable came from these sources: get_external_parties. Say so where it matters.",
					"items": [],
				},
			],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in required.warn} with input as facts
	answer == {one | some one in example.answer}
}

test_required_nothing_known if {
	not required.permit with input as {}
	codes := {refusal.code | some refusal in required.deny} with input as {}
	codes == {"CTR-007"}
}

test_review_allowed[note] if {
	some note, change in {
		"one result, vouched for": {
			"agent": {"id": "ORM_REVIEWER", "archetype": "reviewer"},
			"items": [
				{
					"id": "r1",
					"section": "prior_result",
					"source_id": "agent:ORM_ANALYST",
					"attested_by": "ORM_ANALYST",
				},
				{
					"id": "r2",
					"section": "prior_result",
					"source_id": "agent:ORM_ANALYST",
					"attested_by": "ORM_ANALYST",
				},
				{"id": "policy", "section": "knowledge", "source_id": "ORM_Policy", "attested_by": null},
			],
		},
		"several results for a worker": {
			"items": [
				{"id": "r1", "section": "prior_result", "source_id": "agent:CLASSIFIER", "attested_by": null},
				{"id": "r2", "section": "prior_result", "source_id": "agent:AUTOFILL", "attested_by": null},
			],
		},
	}
	facts := object.union(good, change)
	review.permit with input as facts
	count(review.deny) == 0 with input as facts
}

test_review_refused[note] if {
	some note, example in {
		"results of two agents": {
			"change": {
				"agent": {"id": "ORM_REVIEWER", "archetype": "reviewer"},
				"items": [
					{
						"id": "r1",
						"section": "prior_result",
						"source_id": "agent:ORM_ANALYST",
						"attested_by": "ORM_ANALYST",
					},
					{"id": "r2", "section": "prior_result", "source_id": "agent:RISK", "attested_by": "RISK"},
					{"id": "rubric", "section": "task"},
				],
			},
			"codes": ["CTR-010"],
		},
		"a result for which nobody vouches": {
			"change": {
				"agent": {"id": "ORM_REVIEWER", "archetype": "reviewer"},
				"items": [
					{"id": "r1", "section": "prior_result", "source_id": "agent:ORM_ANALYST", "attested_by": null},
				],
			},
			"codes": ["CTR-011"],
		},
		"an agent of no archetype": {"change": {"agent": {"archetype": null}}, "codes": ["CTR-010", "CTR-011"]},
		"a reviewer and items that are no list": {
			"change": {"agent": {"archetype": "reviewer"}, "items": "none"},
			"codes": ["CTR-010", "CTR-011"],
		},
	}
	facts := object.union(good, example.change)
	not review.permit with input as facts
	codes := {refusal.code | some refusal in review.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.pack.denials} with input as facts
	codes - told == set()
}

test_review_nothing_known if {
	not review.permit with input as {}
	codes := {refusal.code | some refusal in review.deny} with input as {}
	codes == {"CTR-010", "CTR-011"}
}

test_limits_allowed[note] if {
	some note, change in {
		"four turns": {
			"items": [
				{"id": "t1", "section": "conversation"},
				{"id": "t2", "section": "conversation"},
				{"id": "t3", "section": "conversation"},
				{"id": "t4", "section": "conversation"},
			],
		},
		"six turns": {
			"items": [
				{"id": "t1", "section": "conversation"},
				{"id": "t2", "section": "conversation"},
				{"id": "record", "section": "entity"},
				{"id": "t3", "section": "conversation"},
				{"id": "t4", "section": "conversation"},
				{"id": "t5", "section": "conversation"},
				{"id": "t6", "section": "conversation"},
			],
		},
		"an agent that hears no turns": {
			"agent": {"id": "AUTOFILL"},
			"items": [{"id": "t1", "section": "conversation"}],
		},
		"six examples, of which the golden and the edge case stay wherever they stand": {
			"items": [
				{"id": "a", "section": "few_shot", "doc_section": null},
				{"id": "b", "section": "few_shot", "doc_section": null},
				{"id": "c", "section": "few_shot", "doc_section": "other"},
				{"id": "d", "section": "few_shot"},
				{"id": "g", "section": "few_shot", "doc_section": "golden"},
				{"id": "e", "section": "few_shot", "doc_section": "edge"},
			],
		},
		"two examples": {"items": [{"id": "a", "section": "few_shot"}, {"id": "b", "section": "few_shot"}]},
	}
	facts := object.union(good, change)
	count(limits.warn) == 0 with input as facts
}

test_limits_warned[note] if {
	some note, example in {
		"one example": {"change": {"items": [{"id": "a", "section": "few_shot"}]}, "codes": ["FEW-SHOTS"]},
	}
	facts := object.union(good, example.change)
	codes := {one.code | some one in limits.warn} with input as facts
	codes == {code | some code in example.codes}
	told := {one.code | some one in data.context.pack.warnings} with input as facts
	codes - told == set()
}

test_limits_answers_drop[note] if {
	some note, example in {
		"four turns": {
			"change": {
				"items": [
					{"id": "t1", "section": "conversation"},
					{"id": "t2", "section": "conversation"},
					{"id": "t3", "section": "conversation"},
					{"id": "t4", "section": "conversation"},
				],
			},
			"answer": [],
		},
		"six turns": {
			"change": {
				"items": [
					{"id": "t1", "section": "conversation"},
					{"id": "t2", "section": "conversation"},
					{"id": "record", "section": "entity"},
					{"id": "t3", "section": "conversation"},
					{"id": "t4", "section": "conversation"},
					{"id": "t5", "section": "conversation"},
					{"id": "t6", "section": "conversation"},
				],
			},
			"answer": [
				{"item": "t1", "reason": "contract", "in_favour_of": null},
				{"item": "t2", "reason": "contract", "in_favour_of": null},
			],
		},
		"an agent that hears no turns": {
			"change": {"agent": {"id": "AUTOFILL"}, "items": [{"id": "t1", "section": "conversation"}]},
			"answer": [{"item": "t1", "reason": "contract", "in_favour_of": null}],
		},
		"six examples, of which the golden and the edge case stay wherever they stand": {
			"change": {
				"items": [
					{"id": "a", "section": "few_shot", "doc_section": null},
					{"id": "b", "section": "few_shot", "doc_section": null},
					{"id": "c", "section": "few_shot", "doc_section": "other"},
					{"id": "d", "section": "few_shot"},
					{"id": "g", "section": "few_shot", "doc_section": "golden"},
					{"id": "e", "section": "few_shot", "doc_section": "edge"},
				],
			},
			"answer": [
				{"item": "c", "reason": "contract", "in_favour_of": null},
				{"item": "d", "reason": "contract", "in_favour_of": null},
			],
		},
		"two examples": {
			"change": {"items": [{"id": "a", "section": "few_shot"}, {"id": "b", "section": "few_shot"}]},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in limits.drop} with input as facts
	answer == {one | some one in example.answer}
}

test_limits_nothing_known if {
	count(limits.warn) == 0 with input as {}
}

test_conflicts_allowed[note] if {
	some note, change in {
		"nothing in common": {},
		"the newer of two procedures prevails": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"jurisdiction": "GLOBAL",
				},
				{
					"id": "newer",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "3",
					"effective_date": "2026-01-01",
					"jurisdiction": "GLOBAL",
				},
			],
			"groups": [
				{
					"items": ["sop", "newer"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 1, "jurisdiction": "GLOBAL", "items": ["newer"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]}],
						},
					],
				},
			],
		},
		"whichever comes first": {
			"items": [
				{
					"id": "newer",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "3",
					"effective_date": "2026-01-01",
					"jurisdiction": "GLOBAL",
				},
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"jurisdiction": "GLOBAL",
				},
			],
			"groups": [
				{
					"items": ["newer", "sop"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["newer"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [{"says": 1, "jurisdiction": "GLOBAL", "items": ["sop"]}],
						},
					],
				},
			],
		},
		"the system of record prevails over a sheet": {
			"items": [
				{
					"id": "sheet",
					"section": "entity",
					"source_type": "reference_data",
					"source_id": "sheet",
					"doc_section": "limits",
					"version": "live",
					"jurisdiction": "SG",
				},
				{
					"id": "live",
					"section": "entity",
					"source_type": "system_of_record",
					"source_id": "SoR",
					"doc_section": "limits",
					"version": "live",
					"jurisdiction": "SG",
				},
			],
			"groups": [
				{
					"items": ["sheet", "live"],
					"lots": [
						{
							"source_type": "reference_data",
							"effective_date": null,
							"sides": [{"says": 0, "jurisdiction": "SG", "items": ["sheet"]}],
						},
						{
							"source_type": "system_of_record",
							"effective_date": null,
							"sides": [{"says": 1, "jurisdiction": "SG", "items": ["live"]}],
						},
					],
				},
			],
		},
		"group policy prevails over local policy": {
			"items": [
				{
					"id": "local",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "2-SG",
					"effective_date": "2025-01-01",
					"jurisdiction": "SG",
				},
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"jurisdiction": "GLOBAL",
				},
			],
			"groups": [
				{
					"items": ["local", "sop"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [
								{"says": 0, "jurisdiction": "SG", "items": ["local"]},
								{"says": 1, "jurisdiction": "GLOBAL", "items": ["sop"]},
							],
						},
					],
				},
			],
		},
		"newer local policy prevails over older group policy": {
			"items": [
				{
					"id": "local",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2026-01-01",
					"jurisdiction": "SG",
				},
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"jurisdiction": "GLOBAL",
				},
			],
			"groups": [
				{
					"items": ["local", "sop"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 0, "jurisdiction": "SG", "items": ["local"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [{"says": 1, "jurisdiction": "GLOBAL", "items": ["sop"]}],
						},
					],
				},
			],
		},
		"two parts of one version do not conflict": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"jurisdiction": "GLOBAL",
				},
				{
					"id": "part",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"jurisdiction": "GLOBAL",
				},
			],
			"groups": [
				{
					"items": ["sop", "part"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop", "part"]}],
						},
					],
				},
			],
		},
		"other figures in two domains": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-B",
					"doc_section": "1",
					"version": "5",
					"effective_date": "2026-01-01",
					"expiry_date": "2026-03-02",
					"jurisdiction": "SG",
					"domain": "ORM",
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"other figures of items of no domain": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": null,
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-B",
					"doc_section": "1",
					"version": "5",
					"effective_date": "2026-01-01",
					"expiry_date": "2026-03-02",
					"jurisdiction": "SG",
					"domain": null,
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"other figures in what has expired": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-B",
					"doc_section": "1",
					"version": "5",
					"effective_date": "2026-01-01",
					"expiry_date": "2026-03-01",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"other figures in two places": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "HK",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-B",
					"doc_section": "1",
					"version": "5",
					"effective_date": "2026-01-01",
					"expiry_date": "2026-03-02",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"other figures on two entities": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": "NPA-2026-00143",
				},
				{
					"id": "record",
					"section": "entity",
					"source_type": "system_of_record",
					"source_id": "SoR",
					"doc_section": "limits",
					"version": "live",
					"effective_date": null,
					"expiry_date": null,
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": "NPA-2026-00142",
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "record"}],
		},
		"other figures in what loses anyway": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "5",
					"effective_date": "2026-01-01",
					"expiry_date": "2026-03-02",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"groups": [
				{
					"items": ["sop", "other"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 1, "jurisdiction": "SG", "items": ["other"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]}],
						},
					],
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"other figures in what loses anyway, told in the other order": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "5",
					"effective_date": "2026-01-01",
					"expiry_date": "2026-03-02",
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"groups": [
				{
					"items": ["sop", "other"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 1, "jurisdiction": "SG", "items": ["other"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]}],
						},
					],
				},
			],
			"disputes": [{"left": 1, "right": 0, "kind": "text"}],
		},
		"other figures in a text that nobody vouches for": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "third_party_api",
					"source_id": "SOP-B",
					"doc_section": "1",
					"version": "5",
					"effective_date": "2026-01-01",
					"expiry_date": null,
					"jurisdiction": "SG",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"the newest of four versions prevails over all, the next over those before it": {
			"groups": [
				{
					"items": ["v1", "v2", "v3", "v4"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-02-01",
							"sides": [{"says": 3, "jurisdiction": "SG", "items": ["v4"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 2, "jurisdiction": "SG", "items": ["v3"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2025-06-01",
							"sides": [{"says": 1, "jurisdiction": "SG", "items": ["v2"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [{"says": 0, "jurisdiction": "SG", "items": ["v1"]}],
						},
					],
				},
			],
		},
		"other figures in what has no name": {
			"items": [
				{
					"id": null,
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-B",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"other figures than in what has no name": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": null,
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-B",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"a text that nobody vouches for, named first": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "third_party_api",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-B",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"other figures than in what has expired, named first": {
			"items": [
				{
					"id": "sop",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-A",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": "2026-03-01",
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
				{
					"id": "other",
					"section": "knowledge",
					"source_type": "bank_sop",
					"source_id": "SOP-B",
					"doc_section": "4",
					"version": "2",
					"effective_date": "2025-01-01",
					"expiry_date": null,
					"jurisdiction": "GLOBAL",
					"domain": "NPA",
					"entity_id": null,
				},
			],
			"disputes": [{"left": 0, "right": 1, "kind": "text"}],
		},
		"group policy without a date prevails over dated local policy": {
			"groups": [
				{
					"items": ["wide", "local"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 1, "jurisdiction": "SG", "items": ["local"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": null,
							"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["wide"]}],
						},
					],
				},
			],
		},
		"dated group policy prevails over local policy without a date": {
			"groups": [
				{
					"items": ["wide", "local"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["wide"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": null,
							"sides": [{"says": 1, "jurisdiction": "SG", "items": ["local"]}],
						},
					],
				},
			],
		},
	}
	facts := object.union(good, change)
	count(conflicts.warn) == 0 with input as facts
}

test_conflicts_warned[note] if {
	some note, example in {
		"two versions of one date": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2b",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["sop", "other"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["other"]},
								],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"one text for two places": {
			"change": {
				"items": [
					{
						"id": "hk",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "HK",
					},
					{
						"id": "sg",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "SG",
					},
				],
				"groups": [
					{
						"items": ["hk", "sg"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "HK", "items": ["hk"]},
									{"says": 1, "jurisdiction": "SG", "items": ["sg"]},
								],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"two chapters that nearly say the same": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "chapter",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "7",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["sop", "chapter"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["chapter"]},
								],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"two undated sources of different names": {
			"change": {
				"items": [
					{
						"id": "one",
						"section": "knowledge",
						"source_type": "email",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": null,
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "two",
						"section": "knowledge",
						"source_type": "email",
						"source_id": "MEMO",
						"doc_section": "4",
						"version": "2",
						"effective_date": null,
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["one", "two"],
						"lots": [
							{
								"source_type": "email",
								"effective_date": null,
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["one"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["two"]},
								],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"two procedures with other figures, of which one is newer": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"codes": ["CONFLICT"],
		},
		"two local procedures with other figures": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"codes": ["CONFLICT"],
		},
		"a text with another figure than the record": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR",
						"doc_section": "limits",
						"version": "live",
						"effective_date": null,
						"expiry_date": null,
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "record"}],
			},
			"codes": ["CONFLICT"],
		},
		"the record first": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR",
						"doc_section": "limits",
						"version": "live",
						"effective_date": null,
						"expiry_date": null,
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "record"}],
			},
			"codes": ["CONFLICT"],
		},
		"rivals with other figures are warned of once": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "chapter",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "7",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"groups": [
					{
						"items": ["sop", "chapter"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["chapter"]},
								],
							},
						],
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"codes": ["CONFLICT"],
		},
		"many procedures without a date, of which the group-wide one prevails over the local ones": {
			"change": {
				"groups": [
					{
						"items": ["wide", "sg", "hk", "newer"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 3, "jurisdiction": "IN", "items": ["newer"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": null,
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["wide"]},
									{"says": 1, "jurisdiction": "SG", "items": ["sg"]},
									{"says": 2, "jurisdiction": "HK", "items": ["hk"]},
								],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"the record prevails over many kinds, and they differ among themselves": {
			"change": {
				"groups": [
					{
						"items": ["record", "sop", "mail", "sheet", "sheet-2"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["sop"]}],
							},
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["record"]}],
							},
							{
								"source_type": "email",
								"effective_date": null,
								"sides": [{"says": 2, "jurisdiction": "SG", "items": ["mail"]}],
							},
							{
								"source_type": "reference_data",
								"effective_date": null,
								"sides": [{"says": 3, "jurisdiction": "SG", "items": ["sheet", "sheet-2"]}],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"two texts on one entity with other figures": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"codes": ["CONFLICT"],
		},
		"an old version says nothing of what two new ones differ in": {
			"change": {
				"groups": [
					{
						"items": ["old", "one", "two"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [
									{"says": 1, "jurisdiction": "SG", "items": ["one"]},
									{"says": 2, "jurisdiction": "SG", "items": ["two"]},
								],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["old"]}],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"two records of one system": {
			"change": {
				"groups": [
					{
						"items": ["one", "two"],
						"lots": [
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [
									{"says": 0, "jurisdiction": "SG", "items": ["one"]},
									{"says": 1, "jurisdiction": "SG", "items": ["two"]},
								],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"a mail that is newer than a procedure": {
			"change": {
				"groups": [
					{
						"items": ["sop", "mail"],
						"lots": [
							{
								"source_type": "email",
								"effective_date": "2026-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["mail"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["sop"]}],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"a procedure that is newer than a mail": {
			"change": {
				"groups": [
					{
						"items": ["sop", "mail"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["sop"]}],
							},
							{
								"source_type": "email",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["mail"]}],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"of two mails the newer does not prevail": {
			"change": {
				"groups": [
					{
						"items": ["old", "new"],
						"lots": [
							{
								"source_type": "email",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["new"]}],
							},
							{
								"source_type": "email",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["old"]}],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"of two results of an agent the newer does not prevail": {
			"change": {
				"groups": [
					{
						"items": ["old", "new"],
						"lots": [
							{
								"source_type": "agent_output",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["new"]}],
							},
							{
								"source_type": "agent_output",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["old"]}],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
		"a mail for the whole group and a local procedure": {
			"change": {
				"groups": [
					{
						"items": ["mail", "sop"],
						"lots": [
							{
								"source_type": "email",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["mail"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["sop"]}],
							},
						],
					},
				],
			},
			"codes": ["CONFLICT"],
		},
	}
	facts := object.union(good, example.change)
	codes := {one.code | some one in conflicts.warn} with input as facts
	codes == {code | some code in example.codes}
	told := {one.code | some one in data.context.pack.warnings} with input as facts
	codes - told == set()
}

test_conflicts_answers_drop[note] if {
	some note, example in {
		"the newer of two procedures prevails": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "newer",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "3",
						"effective_date": "2026-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["sop", "newer"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "GLOBAL", "items": ["newer"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]}],
							},
						],
					},
				],
			},
			"answer": [{"item": "sop", "reason": "conflict", "in_favour_of": "newer"}],
		},
		"whichever comes first": {
			"change": {
				"items": [
					{
						"id": "newer",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "3",
						"effective_date": "2026-01-01",
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["newer", "sop"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["newer"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 1, "jurisdiction": "GLOBAL", "items": ["sop"]}],
							},
						],
					},
				],
			},
			"answer": [{"item": "sop", "reason": "conflict", "in_favour_of": "newer"}],
		},
		"the system of record prevails over a sheet": {
			"change": {
				"items": [
					{
						"id": "sheet",
						"section": "entity",
						"source_type": "reference_data",
						"source_id": "sheet",
						"doc_section": "limits",
						"version": "live",
						"jurisdiction": "SG",
					},
					{
						"id": "live",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR",
						"doc_section": "limits",
						"version": "live",
						"jurisdiction": "SG",
					},
				],
				"groups": [
					{
						"items": ["sheet", "live"],
						"lots": [
							{
								"source_type": "reference_data",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["sheet"]}],
							},
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["live"]}],
							},
						],
					},
				],
			},
			"answer": [{"item": "sheet", "reason": "conflict", "in_favour_of": "live"}],
		},
		"group policy prevails over local policy": {
			"change": {
				"items": [
					{
						"id": "local",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2-SG",
						"effective_date": "2025-01-01",
						"jurisdiction": "SG",
					},
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["local", "sop"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "SG", "items": ["local"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["sop"]},
								],
							},
						],
					},
				],
			},
			"answer": [{"item": "local", "reason": "conflict", "in_favour_of": "sop"}],
		},
		"newer local policy prevails over older group policy": {
			"change": {
				"items": [
					{
						"id": "local",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2026-01-01",
						"jurisdiction": "SG",
					},
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["local", "sop"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["local"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 1, "jurisdiction": "GLOBAL", "items": ["sop"]}],
							},
						],
					},
				],
			},
			"answer": [{"item": "sop", "reason": "conflict", "in_favour_of": "local"}],
		},
		"two parts of one version do not conflict": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "part",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["sop", "part"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop", "part"]}],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"other figures in two domains": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": "ORM",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"other figures of items of no domain": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": null,
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": null,
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"other figures in what has expired": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-01",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"other figures in two places": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "HK",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"other figures on two entities": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": "NPA-2026-00143",
					},
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR",
						"doc_section": "limits",
						"version": "live",
						"effective_date": null,
						"expiry_date": null,
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "record"}],
			},
			"answer": [],
		},
		"other figures in what loses anyway": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"groups": [
					{
						"items": ["sop", "other"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["other"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]}],
							},
						],
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [{"item": "sop", "reason": "conflict", "in_favour_of": "other"}],
		},
		"other figures in what loses anyway, told in the other order": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"groups": [
					{
						"items": ["sop", "other"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["other"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]}],
							},
						],
					},
				],
				"disputes": [{"left": 1, "right": 0, "kind": "text"}],
			},
			"answer": [{"item": "sop", "reason": "conflict", "in_favour_of": "other"}],
		},
		"other figures in a text that nobody vouches for": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "third_party_api",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": null,
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"the newest of four versions prevails over all, the next over those before it": {
			"change": {
				"groups": [
					{
						"items": ["v1", "v2", "v3", "v4"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-02-01",
								"sides": [{"says": 3, "jurisdiction": "SG", "items": ["v4"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 2, "jurisdiction": "SG", "items": ["v3"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-06-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["v2"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["v1"]}],
							},
						],
					},
				],
			},
			"answer": [
				{"item": "v3", "reason": "conflict", "in_favour_of": "v4"},
				{"item": "v2", "reason": "conflict", "in_favour_of": "v4"},
				{"item": "v2", "reason": "conflict", "in_favour_of": "v3"},
				{"item": "v1", "reason": "conflict", "in_favour_of": "v4"},
				{"item": "v1", "reason": "conflict", "in_favour_of": "v3"},
			],
		},
		"other figures in what has no name": {
			"change": {
				"items": [
					{
						"id": null,
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"other figures than in what has no name": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": null,
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"a text that nobody vouches for, named first": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "third_party_api",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"other figures than in what has expired, named first": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": "2026-03-01",
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"group policy without a date prevails over dated local policy": {
			"change": {
				"groups": [
					{
						"items": ["wide", "local"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["local"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["wide"]}],
							},
						],
					},
				],
			},
			"answer": [{"item": "local", "reason": "conflict", "in_favour_of": "wide"}],
		},
		"dated group policy prevails over local policy without a date": {
			"change": {
				"groups": [
					{
						"items": ["wide", "local"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["wide"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["local"]}],
							},
						],
					},
				],
			},
			"answer": [{"item": "local", "reason": "conflict", "in_favour_of": "wide"}],
		},
		"two versions of one date": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2b",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["sop", "other"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["other"]},
								],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"one text for two places": {
			"change": {
				"items": [
					{
						"id": "hk",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "HK",
					},
					{
						"id": "sg",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "SG",
					},
				],
				"groups": [
					{
						"items": ["hk", "sg"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "HK", "items": ["hk"]},
									{"says": 1, "jurisdiction": "SG", "items": ["sg"]},
								],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"two chapters that nearly say the same": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "chapter",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "7",
						"version": "2",
						"effective_date": "2025-01-01",
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["sop", "chapter"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["chapter"]},
								],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"two undated sources of different names": {
			"change": {
				"items": [
					{
						"id": "one",
						"section": "knowledge",
						"source_type": "email",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": null,
						"jurisdiction": "GLOBAL",
					},
					{
						"id": "two",
						"section": "knowledge",
						"source_type": "email",
						"source_id": "MEMO",
						"doc_section": "4",
						"version": "2",
						"effective_date": null,
						"jurisdiction": "GLOBAL",
					},
				],
				"groups": [
					{
						"items": ["one", "two"],
						"lots": [
							{
								"source_type": "email",
								"effective_date": null,
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["one"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["two"]},
								],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"two procedures with other figures, of which one is newer": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"two local procedures with other figures": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "1",
						"version": "5",
						"effective_date": "2026-01-01",
						"expiry_date": "2026-03-02",
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"a text with another figure than the record": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR",
						"doc_section": "limits",
						"version": "live",
						"effective_date": null,
						"expiry_date": null,
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "record"}],
			},
			"answer": [],
		},
		"the record first": {
			"change": {
				"items": [
					{
						"id": "record",
						"section": "entity",
						"source_type": "system_of_record",
						"source_id": "SoR",
						"doc_section": "limits",
						"version": "live",
						"effective_date": null,
						"expiry_date": null,
						"jurisdiction": "SG",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "record"}],
			},
			"answer": [],
		},
		"rivals with other figures are warned of once": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
					{
						"id": "chapter",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP",
						"doc_section": "7",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": null,
					},
				],
				"groups": [
					{
						"items": ["sop", "chapter"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["sop"]},
									{"says": 1, "jurisdiction": "GLOBAL", "items": ["chapter"]},
								],
							},
						],
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"many procedures without a date, of which the group-wide one prevails over the local ones": {
			"change": {
				"groups": [
					{
						"items": ["wide", "sg", "hk", "newer"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 3, "jurisdiction": "IN", "items": ["newer"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": null,
								"sides": [
									{"says": 0, "jurisdiction": "GLOBAL", "items": ["wide"]},
									{"says": 1, "jurisdiction": "SG", "items": ["sg"]},
									{"says": 2, "jurisdiction": "HK", "items": ["hk"]},
								],
							},
						],
					},
				],
			},
			"answer": [
				{"item": "newer", "reason": "conflict", "in_favour_of": "wide"},
				{"item": "sg", "reason": "conflict", "in_favour_of": "wide"},
				{"item": "hk", "reason": "conflict", "in_favour_of": "wide"},
			],
		},
		"the record prevails over many kinds, and they differ among themselves": {
			"change": {
				"groups": [
					{
						"items": ["record", "sop", "mail", "sheet", "sheet-2"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["sop"]}],
							},
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["record"]}],
							},
							{
								"source_type": "email",
								"effective_date": null,
								"sides": [{"says": 2, "jurisdiction": "SG", "items": ["mail"]}],
							},
							{
								"source_type": "reference_data",
								"effective_date": null,
								"sides": [{"says": 3, "jurisdiction": "SG", "items": ["sheet", "sheet-2"]}],
							},
						],
					},
				],
			},
			"answer": [
				{"item": "sop", "reason": "conflict", "in_favour_of": "record"},
				{"item": "mail", "reason": "conflict", "in_favour_of": "record"},
				{"item": "sheet", "reason": "conflict", "in_favour_of": "record"},
				{"item": "sheet-2", "reason": "conflict", "in_favour_of": "record"},
			],
		},
		"two texts on one entity with other figures": {
			"change": {
				"items": [
					{
						"id": "sop",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-A",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
					{
						"id": "other",
						"section": "knowledge",
						"source_type": "bank_sop",
						"source_id": "SOP-B",
						"doc_section": "4",
						"version": "2",
						"effective_date": "2025-01-01",
						"expiry_date": null,
						"jurisdiction": "GLOBAL",
						"domain": "NPA",
						"entity_id": "NPA-2026-00142",
					},
				],
				"disputes": [{"left": 0, "right": 1, "kind": "text"}],
			},
			"answer": [],
		},
		"two records of one system": {
			"change": {
				"groups": [
					{
						"items": ["one", "two"],
						"lots": [
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [
									{"says": 0, "jurisdiction": "SG", "items": ["one"]},
									{"says": 1, "jurisdiction": "SG", "items": ["two"]},
								],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"a mail that is newer than a procedure": {
			"change": {
				"groups": [
					{
						"items": ["sop", "mail"],
						"lots": [
							{
								"source_type": "email",
								"effective_date": "2026-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["mail"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["sop"]}],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"a procedure that is newer than a mail": {
			"change": {
				"groups": [
					{
						"items": ["sop", "mail"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["sop"]}],
							},
							{
								"source_type": "email",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["mail"]}],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"of two mails the newer does not prevail": {
			"change": {
				"groups": [
					{
						"items": ["old", "new"],
						"lots": [
							{
								"source_type": "email",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["new"]}],
							},
							{
								"source_type": "email",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["old"]}],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"of two results of an agent the newer does not prevail": {
			"change": {
				"groups": [
					{
						"items": ["old", "new"],
						"lots": [
							{
								"source_type": "agent_output",
								"effective_date": "2026-01-01",
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["new"]}],
							},
							{
								"source_type": "agent_output",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["old"]}],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"a mail for the whole group and a local procedure": {
			"change": {
				"groups": [
					{
						"items": ["mail", "sop"],
						"lots": [
							{
								"source_type": "email",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "GLOBAL", "items": ["mail"]}],
							},
							{
								"source_type": "bank_sop",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["sop"]}],
							},
						],
					},
				],
			},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in conflicts.drop} with input as facts
	answer == {one | some one in example.answer}
}

test_conflicts_answers_warn[note] if {
	some note, example in {
		"an old version says nothing of what two new ones differ in": {
			"change": {
				"groups": [
					{
						"items": ["old", "one", "two"],
						"lots": [
							{
								"source_type": "bank_sop",
								"effective_date": "2026-01-01",
								"sides": [
									{"says": 1, "jurisdiction": "SG", "items": ["one"]},
									{"says": 2, "jurisdiction": "SG", "items": ["two"]},
								],
							},
							{
								"source_type": "bank_sop",
								"effective_date": "2025-01-01",
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["old"]}],
							},
						],
					},
				],
			},
			"answer": [
				{
					"code": "CONFLICT",
					"message": "Two sources differ. A person must review which of them holds.",
					"items": ["one", "two"],
				},
			],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in conflicts.warn} with input as facts
	answer == {one | some one in example.answer}
}

test_conflicts_nothing_known if {
	count(conflicts.warn) == 0 with input as {}
}

test_fields_allowed[note] if {
	some note, change in {
		"nothing in common": {},
		"a field that need not mean the same": {
			"items": [
				{"id": "record", "section": "entity", "source_type": "system_of_record"},
				{"id": "result", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
			],
			"fields": [
				{
					"field": "remark",
					"items": ["record", "result"],
					"lots": [
						{
							"source_type": "system_of_record",
							"effective_date": null,
							"sides": [{"says": 0, "jurisdiction": null, "items": ["record"]}],
						},
						{
							"source_type": "agent_output",
							"effective_date": null,
							"sides": [{"says": 1, "jurisdiction": "SG", "items": ["result"]}],
						},
					],
				},
			],
		},
	}
	facts := object.union(good, change)
	count(fields.warn) == 0 with input as facts
}

test_fields_warned[note] if {
	some note, example in {
		"the record's value stands": {
			"change": {
				"items": [
					{"id": "record", "section": "entity", "source_type": "system_of_record"},
					{"id": "result", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
				],
				"fields": [
					{
						"field": "credit_limit",
						"items": ["record", "result"],
						"lots": [
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": null, "items": ["record"]}],
							},
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["result"]}],
							},
						],
					},
				],
			},
			"codes": ["FIELD-CONFLICT"],
		},
		"whichever comes first": {
			"change": {
				"items": [
					{"id": "result", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
					{"id": "record", "section": "entity", "source_type": "system_of_record"},
				],
				"fields": [
					{
						"field": "credit_limit",
						"items": ["result", "record"],
						"lots": [
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["result"]}],
							},
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": null, "items": ["record"]}],
							},
						],
					},
				],
			},
			"codes": ["FIELD-CONFLICT"],
		},
		"two results": {
			"change": {
				"items": [
					{"id": "result", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
					{"id": "other", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
				],
				"fields": [
					{
						"field": "credit_limit",
						"items": ["result", "other"],
						"lots": [
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [
									{"says": 0, "jurisdiction": "SG", "items": ["result"]},
									{"says": 1, "jurisdiction": "SG", "items": ["other"]},
								],
							},
						],
					},
				],
			},
			"codes": ["FIELD-UNDECIDED"],
		},
		"a value that yields, and one that agrees with what stands": {
			"change": {
				"fields": [
					{
						"field": "credit_limit",
						"items": ["record", "result", "other"],
						"lots": [
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": null, "items": ["record"]}],
							},
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["result"]}],
							},
							{
								"source_type": "user_input",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["other"]}],
							},
						],
					},
				],
			},
			"codes": ["FIELD-CONFLICT", "FIELD-UNDECIDED"],
		},
	}
	facts := object.union(good, example.change)
	codes := {one.code | some one in fields.warn} with input as facts
	codes == {code | some code in example.codes}
	told := {one.code | some one in data.context.pack.warnings} with input as facts
	codes - told == set()
}

test_fields_answers_yields[note] if {
	some note, example in {
		"a field that need not mean the same": {
			"change": {
				"items": [
					{"id": "record", "section": "entity", "source_type": "system_of_record"},
					{"id": "result", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
				],
				"fields": [
					{
						"field": "remark",
						"items": ["record", "result"],
						"lots": [
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": null, "items": ["record"]}],
							},
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["result"]}],
							},
						],
					},
				],
			},
			"answer": [],
		},
		"the record's value stands": {
			"change": {
				"items": [
					{"id": "record", "section": "entity", "source_type": "system_of_record"},
					{"id": "result", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
				],
				"fields": [
					{
						"field": "credit_limit",
						"items": ["record", "result"],
						"lots": [
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": null, "items": ["record"]}],
							},
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["result"]}],
							},
						],
					},
				],
			},
			"answer": [{"item": "result", "field": "credit_limit", "in_favour_of": "record"}],
		},
		"whichever comes first": {
			"change": {
				"items": [
					{"id": "result", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
					{"id": "record", "section": "entity", "source_type": "system_of_record"},
				],
				"fields": [
					{
						"field": "credit_limit",
						"items": ["result", "record"],
						"lots": [
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["result"]}],
							},
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": null, "items": ["record"]}],
							},
						],
					},
				],
			},
			"answer": [{"item": "result", "field": "credit_limit", "in_favour_of": "record"}],
		},
		"two results": {
			"change": {
				"items": [
					{"id": "result", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
					{"id": "other", "section": "prior_result", "source_type": "agent_output", "jurisdiction": "SG"},
				],
				"fields": [
					{
						"field": "credit_limit",
						"items": ["result", "other"],
						"lots": [
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [
									{"says": 0, "jurisdiction": "SG", "items": ["result"]},
									{"says": 1, "jurisdiction": "SG", "items": ["other"]},
								],
							},
						],
					},
				],
			},
			"answer": [],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in fields.yields} with input as facts
	answer == {one | some one in example.answer}
}

test_fields_answers_warn[note] if {
	some note, example in {
		"a value that yields, and one that agrees with what stands": {
			"change": {
				"fields": [
					{
						"field": "credit_limit",
						"items": ["record", "result", "other"],
						"lots": [
							{
								"source_type": "system_of_record",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": null, "items": ["record"]}],
							},
							{
								"source_type": "agent_output",
								"effective_date": null,
								"sides": [{"says": 1, "jurisdiction": "SG", "items": ["result"]}],
							},
							{
								"source_type": "user_input",
								"effective_date": null,
								"sides": [{"says": 0, "jurisdiction": "SG", "items": ["other"]}],
							},
						],
					},
				],
			},
			"answer": [
				{
					"code": "FIELD-CONFLICT",
					"message": "A field was left out of an item since another item with more authority gives it another value.",
					"items": ["record", "result"],
				},
				{
					"code": "FIELD-UNDECIDED",
					"message": "Two items give one field different values and no rule decides between them. A person must review this.",
					"items": ["result", "other"],
				},
			],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in fields.warn} with input as facts
	answer == {one | some one in example.answer}
}

test_fields_nothing_known if {
	count(fields.warn) == 0 with input as {}
}

test_notices_allowed[note] if {
	some note, change in {
		"fresh items": {"items": [{"id": "sop", "section": "knowledge", "age_seconds": 60, "ttl_seconds": 86400}]},
		"a user's words, which do not age": {
			"items": [{"id": "words", "section": "user", "age_seconds": 60, "ttl_seconds": null}],
		},
		"an old item that loses a conflict": {
			"items": [
				{
					"id": "old",
					"section": "knowledge",
					"source_type": "bank_sop",
					"effective_date": "2025-01-01",
					"age_seconds": 80000,
					"ttl_seconds": 86400,
				},
				{
					"id": "new",
					"section": "knowledge",
					"source_type": "bank_sop",
					"effective_date": "2026-01-01",
					"age_seconds": 60,
					"ttl_seconds": 86400,
				},
			],
			"groups": [
				{
					"items": ["old", "new"],
					"lots": [
						{
							"source_type": "bank_sop",
							"effective_date": "2026-01-01",
							"sides": [{"says": 1, "jurisdiction": null, "items": ["new"]}],
						},
						{
							"source_type": "bank_sop",
							"effective_date": "2025-01-01",
							"sides": [{"says": 0, "jurisdiction": null, "items": ["old"]}],
						},
					],
				},
			],
		},
		"an old turn that the contract leaves out": {
			"items": [
				{"id": "t1", "section": "conversation", "age_seconds": 80000, "ttl_seconds": 86400},
				{"id": "t2", "section": "conversation"},
				{"id": "t3", "section": "conversation"},
				{"id": "t4", "section": "conversation"},
				{"id": "t5", "section": "conversation"},
			],
		},
		"sources that answered, or had nothing": {
			"asked": [
				{"id": "sor-orm", "critical": true, "status": "answered"},
				{"id": "kb", "critical": false, "status": "empty"},
			],
		},
		"tools that answered, or had nothing": {
			"calls": [
				{"tool": "get_form_data", "source": "sor-npa", "status": "answered"},
				{"tool": "get_risk_checks", "source": "sor-npa", "status": "empty"},
			],
		},
	}
	facts := object.union(good, change)
	count(notices.warn) == 0 with input as facts
}

test_notices_warned[note] if {
	some note, example in {
		"tools without an answer": {
			"change": {
				"calls": [
					{"tool": "get_risk_checks", "source": "sor-npa", "status": "foreign"},
					{"tool": "get_form_data", "source": "sor-npa", "status": "off"},
					{"tool": "get_npa_by_id", "source": "sor-npa", "status": "answered"},
				],
			},
			"codes": ["TOOL-FAILED"],
		},
		"the state of an earlier moment": {"change": {"request": {"historical": true}}, "codes": ["HISTORICAL"]},
		"a source that is down": {
			"change": {
				"asked": [
					{"id": "sor-orm", "critical": false, "status": "unavailable"},
					{"id": "kb", "critical": false, "status": "unavailable"},
				],
			},
			"codes": ["SRC-DOWN"],
		},
		"an item near the end of its time to live": {
			"change": {
				"items": [
					{"id": "sop", "section": "knowledge", "age_seconds": 80000, "ttl_seconds": 86400},
					{"id": "record", "section": "entity", "age_seconds": 0, "ttl_seconds": 300},
				],
			},
			"codes": ["STALE-SOON"],
		},
		"a source without a name that is down, beside one that has one": {
			"change": {
				"asked": [
					{"id": null, "critical": false, "status": "unavailable"},
					{"id": "kb", "critical": false, "status": "unavailable"},
				],
			},
			"codes": ["SRC-DOWN"],
		},
	}
	facts := object.union(good, example.change)
	codes := {one.code | some one in notices.warn} with input as facts
	codes == {code | some code in example.codes}
	told := {one.code | some one in data.context.pack.warnings} with input as facts
	codes - told == set()
}

test_notices_answers_warn[note] if {
	some note, example in {
		"tools without an answer": {
			"change": {
				"calls": [
					{"tool": "get_risk_checks", "source": "sor-npa", "status": "foreign"},
					{"tool": "get_form_data", "source": "sor-npa", "status": "off"},
					{"tool": "get_npa_by_id", "source": "sor-npa", "status": "answered"},
				],
			},
			"answer": [
				{
					"code": "TOOL-FAILED",
					"message": "These tools gave nothing that can be used: get_form_data (off), get_risk_checks (foreign). What their sources hold is not known.",
					"items": [],
				},
			],
		},
		"the state of an earlier moment": {
			"change": {"request": {"historical": true}},
			"answer": [
				{
					"code": "HISTORICAL",
					"message": "Records show the state of an earlier moment, as the request asks; the present may differ.",
					"items": [],
				},
			],
		},
		"a source that is down": {
			"change": {
				"asked": [
					{"id": "sor-orm", "critical": false, "status": "unavailable"},
					{"id": "kb", "critical": false, "status": "unavailable"},
				],
			},
			"answer": [
				{
					"code": "SRC-DOWN",
					"message": "These sources did not answer: kb, sor-orm. What they hold is not known.",
					"items": [],
				},
			],
		},
		"an item near the end of its time to live": {
			"change": {
				"items": [
					{"id": "sop", "section": "knowledge", "age_seconds": 80000, "ttl_seconds": 86400},
					{"id": "record", "section": "entity", "age_seconds": 0, "ttl_seconds": 300},
				],
			},
			"answer": [
				{
					"code": "STALE-SOON",
					"message": "These items are near the end of their time to live.",
					"items": ["sop"],
				},
			],
		},
		"a source without a name that is down, beside one that has one": {
			"change": {
				"asked": [
					{"id": null, "critical": false, "status": "unavailable"},
					{"id": "kb", "critical": false, "status": "unavailable"},
				],
			},
			"answer": [
				{
					"code": "SRC-DOWN",
					"message": "These sources did not answer: kb. What they hold is not known.",
					"items": [],
				},
			],
		},
	}
	facts := object.union(good, example.change)
	answer := {one | some one in notices.warn} with input as facts
	answer == {one | some one in example.answer}
}

test_notices_nothing_known if {
	count(notices.warn) == 0 with input as {}
}

test_granting_allowed[note] if {
	some note, change in {
		"across a border, for one entity and one department, approved by Legal": {},
		"asked for by anybody": {"step": "ask", "officer": {"role": "analyst", "department": "DESK"}},
		"for one source": {"exception": {"scope": {"entity_id": null, "source_id": "HK_Ledger"}}},
		"to the last day that is allowed": {"exception": {"lasts_seconds": 7776000}},
	}
	facts := object.union(good, change)
	granting.permit with input as facts
	count(granting.deny) == 0 with input as facts
}

test_granting_refused[note] if {
	some note, example in {
		"a refusal that nobody waives": {
			"change": {"exception": {"codes": ["JUR-002", "CLS-001"]}},
			"codes": ["EXC-002", "EXC-003", "EXC-004", "EXC-005"],
		},
		"no refusal at all": {"change": {"exception": {"codes": []}}, "codes": ["EXC-002"]},
		"a second longer than is allowed": {"change": {"exception": {"lasts_seconds": 7776001}}, "codes": ["EXC-003"]},
		"an end that has passed": {"change": {"exception": {"lasts_seconds": 0}}, "codes": ["EXC-003"]},
		"an end that cannot be read": {"change": {"exception": {"lasts_seconds": null}}, "codes": ["EXC-003"]},
		"every entity and every source of a jurisdiction": {
			"change": {"exception": {"scope": {"entity_id": null}}},
			"codes": ["EXC-004"],
		},
		"every department": {"change": {"exception": {"scope": {"department": null}}}, "codes": ["EXC-004"]},
		"every jurisdiction": {"change": {"exception": {"scope": {"jurisdiction": null}}}, "codes": ["EXC-004"]},
		"approved by a role that does not": {"change": {"officer": {"role": "analyst"}}, "codes": ["EXC-005"]},
		"approved by a department that does not": {"change": {"officer": {"department": "COO"}}, "codes": ["EXC-005"]},
		"neither asked for nor approved": {
			"change": {"step": null, "officer": {"department": "COO"}},
			"codes": ["EXC-005"],
		},
	}
	facts := object.union(good, example.change)
	not granting.permit with input as facts
	codes := {refusal.code | some refusal in granting.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.exception.denials} with input as facts
	codes - told == set()
}

test_granting_nothing_known if {
	not granting.permit with input as {}
	codes := {refusal.code | some refusal in granting.deny} with input as {}
	codes == {"EXC-002", "EXC-003", "EXC-004", "EXC-005"}
}

test_detokenization_allowed[note] if {
	some note, change in {
		"a checker and a name": {"subject": {"role": "checker"}},
		"an approver and an identity card": {"subject": {"role": "approver"}, "token": {"type": "SG_NRIC_FIN"}},
		"a token made for two jurisdictions, one of them the group's": {
			"subject": {"role": "checker"},
			"token": {"origin": {"jurisdictions": ["SG", "GLOBAL"]}},
		},
		"a requester whose token narrows neither domains nor entitlements": {
			"subject": {"role": "checker", "domains": null, "entitlements": null},
		},
		"a checker and what another checker was given": {
			"subject": {"role": "checker"},
			"token": {"origin": {"role": "checker"}},
		},
		"a purpose that a registered case has, and the requester's token has not": {
			"subject": {"role": "checker"},
			"caller": {"purposes": []},
			"request": {"case": "CASE-2026-001"},
		},
		"a registered case on its last day": {
			"now": "2026-12-30T23:59:59.999999Z",
			"subject": {"role": "checker"},
			"caller": {"purposes": []},
			"request": {"case": "CASE-2026-001"},
		},
		"a registered case that is over, and a purpose that the requester's token has": {
			"now": "2027-03-01T09:15:00.000000Z",
			"subject": {"role": "checker"},
			"request": {"case": "CASE-2026-001"},
		},
	}
	facts := object.union(good, change)
	detokenization.permit with input as facts
	count(detokenization.deny) == 0 with input as facts
}

test_detokenization_refused[note] if {
	some note, example in {
		"a registered case that is over": {
			"change": {
				"now": "2026-12-31T00:00:00.000000Z",
				"subject": {"role": "checker"},
				"caller": {"purposes": []},
				"request": {"case": "CASE-2026-001"},
			},
			"codes": ["DTK-003"],
		},
		"a case that is not registered": {
			"change": {
				"subject": {"role": "checker"},
				"caller": {"purposes": []},
				"request": {"case": "CASE-2026-999"},
			},
			"codes": ["DTK-003"],
		},
		"no case": {
			"change": {"subject": {"role": "checker"}, "caller": {"purposes": []}, "request": {"case": null}},
			"codes": ["DTK-003"],
		},
		"a registered case of another purpose": {
			"change": {
				"subject": {"role": "checker"},
				"caller": {"purposes": []},
				"request": {"purpose": "general_research", "case": "CASE-2026-001"},
				"token": {"purpose": "general_research"},
			},
			"codes": ["DTK-003"],
		},
		"a registered case of another domain": {
			"change": {
				"subject": {"role": "checker", "domains": null, "entitlements": null},
				"caller": {"purposes": []},
				"request": {"case": "CASE-2026-001"},
				"token": {"origin": {"domain": "ORM"}},
			},
			"codes": ["DTK-003"],
		},
		"a registered case and a token made for one jurisdiction more": {
			"change": {
				"subject": {"role": "checker", "jurisdictions": ["SG", "HK"]},
				"caller": {"purposes": []},
				"request": {"case": "CASE-2026-001"},
				"token": {"origin": {"jurisdictions": ["SG", "HK"]}},
			},
			"codes": ["DTK-003"],
		},
		"a registered case and jurisdictions that are no list": {
			"change": {
				"subject": {"role": "checker"},
				"caller": {"purposes": []},
				"request": {"case": "CASE-2026-001"},
				"token": {"origin": {"jurisdictions": {"first": "SG"}}},
			},
			"codes": ["DTK-003", "DTK-004"],
		},
		"a registered case and no time": {
			"change": {
				"now": null,
				"subject": {"role": "checker"},
				"caller": {"purposes": []},
				"request": {"case": "CASE-2026-001"},
			},
			"codes": ["DTK-003"],
		},
		"a token made for another purpose": {
			"change": {"subject": {"role": "checker"}, "token": {"purpose": "general_research"}},
			"codes": ["DTK-001"],
		},
		"an analyst": {"change": {}, "codes": ["DTK-002", "DTK-007"]},
		"a kind that is open to nobody": {
			"change": {"subject": {"role": "approver"}, "token": {"type": "IN_AADHAAR"}},
			"codes": ["DTK-002"],
		},
		"a purpose that only the request says": {
			"change": {"subject": {"role": "checker"}, "caller": {"purposes": []}},
			"codes": ["DTK-003"],
		},
		"the approver of Singapore and a client's token made in India": {
			"change": {
				"subject": {"role": "approver"},
				"token": {"type": "IN_UPI", "origin": {"jurisdictions": ["IN"]}},
			},
			"codes": ["DTK-004"],
		},
		"a token made for no jurisdiction": {
			"change": {"subject": {"role": "checker"}, "token": {"origin": {"jurisdictions": []}}},
			"codes": ["DTK-004"],
		},
		"a domain that is not open to the department": {
			"change": {"subject": {"role": "checker", "department": "DESK"}},
			"codes": ["DTK-005"],
		},
		"a domain that the requester's token does not cover": {
			"change": {"subject": {"role": "checker", "domains": ["ORM"]}},
			"codes": ["DTK-005"],
		},
		"a domain whose entitlement the requester does not hold": {
			"change": {"subject": {"role": "checker", "entitlements": ["orm:read"]}},
			"codes": ["DTK-005"],
		},
		"another person's session": {
			"change": {"subject": {"role": "checker"}, "caller": {"session": "s-2"}},
			"codes": ["DTK-006"],
		},
		"no session": {"change": {"subject": {"role": "checker"}, "caller": {"session": null}}, "codes": ["DTK-006"]},
		"a checker and what only an approver was given": {
			"change": {"subject": {"role": "checker"}, "token": {"origin": {"role": "approver"}}},
			"codes": ["DTK-007"],
		},
		"a token of an earlier version, which did not keep what it was made for": {
			"change": {"subject": {"role": "checker"}, "token": {"origin": null}},
			"codes": ["DTK-004", "DTK-005", "DTK-006", "DTK-007"],
		},
		"no token": {
			"change": {"subject": {"role": "checker"}, "token": null},
			"codes": ["DTK-001", "DTK-002", "DTK-004", "DTK-005", "DTK-006", "DTK-007"],
		},
		"jurisdictions that are no list": {
			"change": {"subject": {"role": "checker"}, "token": {"origin": {"jurisdictions": {"first": "SG"}}}},
			"codes": ["DTK-004"],
		},
		"neither the caller nor the token has a session": {
			"change": {
				"subject": {"role": "checker"},
				"caller": {"session": null},
				"token": {"origin": {"session": null}},
			},
			"codes": ["DTK-006"],
		},
	}
	facts := object.union(good, example.change)
	not detokenization.permit with input as facts
	codes := {refusal.code | some refusal in detokenization.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.detokenize.denials} with input as facts
	codes - told == set()
}

test_detokenization_nothing_known if {
	not detokenization.permit with input as {}
	codes := {refusal.code | some refusal in detokenization.deny} with input as {}
	codes == {"DTK-001", "DTK-002", "DTK-003", "DTK-004", "DTK-005", "DTK-006", "DTK-007"}
}

test_grounding_allowed[note] if {
	some note, change in {
		"a criterion with its procedure, version and section": {},
		"a general remark without a source": {"claim": {"type": "general"}, "sources": []},
		"a general remark with one": {"claim": {"type": "general"}},
		"a limit from the system of record": {
			"claim": {"type": "credit_limits"},
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": [],
					"domain": "NPA",
					"source_type": "system_of_record",
					"authority_tier": 1,
					"version_matches": true,
				},
			],
		},
		"terms of an agreement, whoever keeps it": {
			"claim": {"type": "agreement_terms"},
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": [],
					"domain": "NPA",
					"source_type": "uploaded_document",
					"authority_tier": 3,
					"version_matches": true,
				},
			],
		},
		"one of two sources says it": {
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": ["version", "section"],
					"domain": "NPA",
					"source_type": "bank_sop",
					"authority_tier": 2,
					"version_matches": true,
				},
				{
					"found": true,
					"support": 0.1,
					"parts": ["version", "section"],
					"domain": "NPA",
					"source_type": "bank_sop",
					"authority_tier": 2,
					"version_matches": true,
				},
			],
		},
		"a criterion from a procedure of all domains": {
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": ["version", "section"],
					"domain": "ALL",
					"source_type": "bank_sop",
					"authority_tier": 2,
					"version_matches": true,
				},
			],
		},
		"what the domain need not cite, from a source of another domain": {
			"claim": {"type": "credit_limits"},
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": [],
					"domain": "DESK",
					"source_type": "system_of_record",
					"authority_tier": 1,
					"version_matches": true,
				},
			],
		},
		"a source that expires next year": {
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": ["version", "section"],
					"domain": "NPA",
					"source_type": "bank_sop",
					"authority_tier": 2,
					"version_matches": true,
					"expiry_date": "2027-01-01",
				},
			],
		},
		"a source without a time to live": {
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": ["version", "section"],
					"domain": "NPA",
					"source_type": "bank_sop",
					"authority_tier": 2,
					"version_matches": true,
					"age_seconds": 10,
					"ttl_seconds": null,
				},
			],
		},
		"a general remark from the web": {
			"claim": {"type": "general"},
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": ["version", "section"],
					"domain": "NPA",
					"source_type": "general_web",
					"authority_tier": 5,
					"version_matches": true,
				},
			],
		},
		"an obligation from the weakest source that may support one": {
			"claim": {"type": "regulatory_obligations"},
			"sources": [
				{
					"found": true,
					"support": 1.0,
					"parts": ["section"],
					"domain": "NPA",
					"source_type": "external_official",
					"authority_tier": 4,
					"version_matches": true,
				},
			],
		},
	}
	facts := object.union(good, change)
	grounding.permit with input as facts
	count(grounding.deny) == 0 with input as facts
}

test_grounding_refused[note] if {
	some note, example in {
		"a criterion from a procedure of another domain": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "ORM",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
				],
			},
			"codes": ["UNGROUNDED"],
		},
		"a pack of a domain that is not on record": {
			"change": {"domain": "MOON", "claim": {"type": "general"}, "sources": []},
			"codes": ["UNGROUNDED"],
		},
		"a criterion without a source": {"change": {"sources": []}, "codes": ["UNGROUNDED"]},
		"a source that does not exist": {
			"change": {"sources": [{"found": false, "support": 0, "parts": ["version", "section"]}]},
			"codes": ["PHANTOM_CITATION"],
		},
		"a source that says something else": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 0.3,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
				],
			},
			"codes": ["MISATTRIBUTION"],
		},
		"a source that has expired": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
						"expiry_date": "2026-02-01",
					},
				],
			},
			"codes": ["STALE_SOURCE"],
		},
		"a web page for a criterion": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "general_web",
						"authority_tier": 5,
						"version_matches": true,
					},
				],
			},
			"codes": ["AUTHORITY_MISMATCH"],
		},
		"a citation without its section": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version"],
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
				],
			},
			"codes": ["UNGROUNDED"],
		},
		"a kind of claim that is not on record": {
			"change": {"claim": {"type": "poetry"}},
			"codes": ["AUTHORITY_MISMATCH", "UNGROUNDED"],
		},
		"a source older than its time to live": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
						"age_seconds": 90000,
						"ttl_seconds": 86400,
					},
				],
			},
			"codes": ["STALE_SOURCE"],
		},
		"another version than the pack holds": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": false,
					},
				],
			},
			"codes": ["STALE_SOURCE"],
		},
		"a web page beside a procedure": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "general_web",
						"authority_tier": 5,
						"version_matches": true,
					},
				],
			},
			"codes": ["AUTHORITY_MISMATCH"],
		},
		"a procedure for a credit limit": {
			"change": {"claim": {"type": "credit_limits"}},
			"codes": ["AUTHORITY_MISMATCH"],
		},
		"no clock": {"change": {"now": null}, "codes": ["STALE_SOURCE"]},
		"a criterion whose section is not cited": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
				],
			},
			"codes": ["UNGROUNDED"],
		},
		"a limit in a pack of a domain that is not on record": {
			"change": {
				"domain": "MOON",
				"claim": {"type": "credit_limits"},
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "DESK",
						"source_type": "system_of_record",
						"authority_tier": 1,
						"version_matches": true,
					},
				],
			},
			"codes": ["UNGROUNDED"],
		},
		"a source that exists and does not say it, beside one that would": {
			"change": {
				"sources": [
					{
						"found": false,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
					{
						"found": true,
						"support": 0.1,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "general_web",
						"authority_tier": 4,
						"version_matches": true,
					},
				],
			},
			"codes": ["AUTHORITY_MISMATCH", "MISATTRIBUTION", "PHANTOM_CITATION"],
		},
		"a good source beside a weak one that does not exist": {
			"change": {
				"sources": [
					{
						"found": false,
						"support": 0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 5,
						"version_matches": true,
					},
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
				],
			},
			"codes": ["PHANTOM_CITATION"],
		},
		"a procedure with too little authority for a criterion": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 3,
						"version_matches": true,
					},
				],
			},
			"codes": ["AUTHORITY_MISMATCH"],
		},
		"a source of a type that supports no criterion": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "industry_standard",
						"authority_tier": 2,
						"version_matches": true,
					},
				],
			},
			"codes": ["AUTHORITY_MISMATCH"],
		},
		"support that is a text": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": "full",
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
				],
			},
			"codes": ["MISATTRIBUTION"],
		},
		"a source of no age with a time to live": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
						"age_seconds": null,
						"ttl_seconds": 86400,
					},
				],
			},
			"codes": ["STALE_SOURCE"],
		},
		"a source whose time to live is a text": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
						"age_seconds": 10,
						"ttl_seconds": "long",
					},
				],
			},
			"codes": ["STALE_SOURCE"],
		},
		"a source of no tier": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": null,
						"version_matches": true,
					},
				],
			},
			"codes": ["AUTHORITY_MISMATCH"],
		},
		"a general remark from a source of no tier": {
			"change": {
				"claim": {"type": "general"},
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": null,
						"version_matches": true,
					},
				],
			},
			"codes": ["AUTHORITY_MISMATCH"],
		},
		"a source of no tier beside a procedure": {
			"change": {
				"sources": [
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "bank_sop",
						"authority_tier": 2,
						"version_matches": true,
					},
					{
						"found": true,
						"support": 1.0,
						"parts": ["version", "section"],
						"domain": "NPA",
						"source_type": "general_web",
						"authority_tier": null,
						"version_matches": true,
					},
				],
			},
			"codes": ["AUTHORITY_MISMATCH"],
		},
	}
	facts := object.union(good, example.change)
	not grounding.permit with input as facts
	codes := {refusal.code | some refusal in grounding.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.citation.denials} with input as facts
	codes - told == set()
}

test_grounding_nothing_known if {
	not grounding.permit with input as {}
	codes := {refusal.code | some refusal in grounding.deny} with input as {}
	codes == {"AUTHORITY_MISMATCH", "MISATTRIBUTION", "PHANTOM_CITATION", "STALE_SOURCE", "UNGROUNDED"}
}

test_tools_allowed[note] if {
	some note, change in {
		"a tool that reads, for a worker of its domain": {},
		"a tool of several domains, one of them the agent's": {"tool": {"domains": ["DESK", "NPA"]}},
		"personal data for a worker": {"tool": {"safety": ["reads", "personal_data"]}},
		"a tool that reads, for an orchestrator": {"agent": {"archetype": "orchestrator"}},
		"a tool that reads, for a reviewer": {"agent": {"archetype": "reviewer"}},
		"personal data for the orchestrator that is named for it": {
			"agent": {"id": "MASTER_COO", "archetype": "orchestrator"},
			"subject": {"agents": ["MASTER_COO"]},
			"tool": {"safety": ["personal_data"]},
		},
		"a tool that writes, for the agent that is named for it and its purpose": {
			"agent": {"id": "AUTOFILL"},
			"subject": {"agents": ["AUTOFILL"]},
			"request": {"purpose": "document_check"},
			"tool": {"safety": ["reads", "writes"]},
		},
		"a tool that sends data out, for research": {
			"request": {"purpose": "general_research"},
			"tool": {"safety": ["reads", "leaves_the_bank"]},
		},
		"the domain of the tool, where the token lists no domains": {"subject": {"domains": null}},
		"a tool of the second domain of a token, department and agent": {
			"agent": {"id": "MASTER_COO", "archetype": "orchestrator", "domains": ["NPA", "ORM"]},
			"subject": {"agents": ["MASTER_COO"], "domains": ["NPA", "ORM"], "entitlements": ["npa:read", "orm:read"]},
			"tool": {"domains": ["ORM"]},
		},
		"a token that lists no entitlements": {"subject": {"entitlements": null}},
		"a gateway that is set to believe the request": {"subject": {"agents": null}},
	}
	facts := object.union(good, change)
	tools.permit with input as facts
	count(tools.deny) == 0 with input as facts
}

test_tools_refused[note] if {
	some note, example in {
		"a tool of another domain": {"change": {"tool": {"domains": ["DESK"]}}, "codes": ["TOL-001"]},
		"a tool of a domain that the department does not open": {
			"change": {
				"agent": {"domains": ["NPA", "DESK"]},
				"subject": {"domains": null, "entitlements": null},
				"tool": {"domains": ["DESK"]},
			},
			"codes": ["TOL-001"],
		},
		"a tool of a domain that the token leaves out": {
			"change": {
				"agent": {"domains": ["NPA", "ORM"]},
				"subject": {"entitlements": null},
				"tool": {"domains": ["ORM"]},
			},
			"codes": ["TOL-001"],
		},
		"a tool of a domain whose entitlement the token leaves out": {
			"change": {
				"agent": {"domains": ["NPA", "ORM"]},
				"subject": {"domains": ["NPA", "ORM"]},
				"tool": {"domains": ["ORM"]},
			},
			"codes": ["TOL-001"],
		},
		"a tool of a domain that the agent does not work in": {
			"change": {"subject": {"domains": null, "entitlements": null}, "tool": {"domains": ["ORM"]}},
			"codes": ["TOL-001"],
		},
		"a tool of no domain": {"change": {"tool": {"domains": []}}, "codes": ["TOL-001"]},
		"a tool that writes, for a worker": {
			"change": {"request": {"purpose": "document_check"}, "tool": {"safety": ["writes"]}},
			"codes": ["TOL-002"],
		},
		"one tag of several that is not for the agent": {
			"change": {"agent": {"archetype": "orchestrator"}, "tool": {"safety": ["reads", "personal_data"]}},
			"codes": ["TOL-002"],
		},
		"a tool of unknown safety": {"change": {"tool": {"safety": []}}, "codes": ["TOL-002"]},
		"a safety tag that is not on record": {"change": {"tool": {"safety": ["deletes"]}}, "codes": ["TOL-002"]},
		"a tool that writes, for another purpose": {
			"change": {
				"agent": {"id": "AUTOFILL"},
				"subject": {"agents": ["AUTOFILL"]},
				"tool": {"safety": ["writes"]},
			},
			"codes": ["TOL-003"],
		},
		"a tool that sends data out, for another purpose": {
			"change": {"tool": {"safety": ["reads", "leaves_the_bank"]}},
			"codes": ["TOL-003"],
		},
		"a tool whose safety is no list": {
			"change": {"tool": {"safety": {"first": "reads"}}},
			"codes": ["TOL-002", "TOL-003"],
		},
		"a safety tag that is no word": {"change": {"tool": {"safety": [["reads"]]}}, "codes": ["TOL-002", "TOL-003"]},
		"a tool whose source is off": {"change": {"tool": {"available": false}}, "codes": ["TOL-004"]},
		"a tool whose source nobody told of": {"change": {"tool": {"available": null}}, "codes": ["TOL-004"]},
		"an agent that the token does not name": {
			"change": {"subject": {"agents": ["CLASSIFIER"]}},
			"codes": ["TOL-005"],
		},
	}
	facts := object.union(good, example.change)
	not tools.permit with input as facts
	codes := {refusal.code | some refusal in tools.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.tool.denials} with input as facts
	codes - told == set()
}

test_tools_nothing_known if {
	not tools.permit with input as {}
	codes := {refusal.code | some refusal in tools.deny} with input as {}
	codes == {"TOL-001", "TOL-002", "TOL-003", "TOL-004", "TOL-005"}
}

test_knowledge_allowed[note] if {
	some note, change in {
		"a later version of a procedure": {},
		"into a corpus that is not used yet": {"corpus": {"status": "staged"}},
		"the first version of a document": {
			"document": {"version": "Draft A", "replaces": null, "effective_date": "2027-01-01"},
			"corpus": {"mandatory": ["version"]},
		},
		"versions that are no numbers, by their dates": {
			"document": {"version": "2026 edition", "replaces": {"version": "2025 edition"}},
		},
		"a version that was no number, by its date": {"document": {"replaces": {"version": "first"}}},
		"a version that is no number any more, by its date": {"document": {"version": "2026 edition"}},
		"without a first day, in the place of another version": {
			"document": {"effective_date": null},
			"corpus": {"mandatory": ["owner"]},
		},
		"a number of version that is higher by its parts, not by its letters": {
			"document": {"version": "3.10.1", "replaces": {"version": "3.10"}},
		},
		"in force from today on": {"document": {"effective_date": "2026-03-01"}},
		"that ends tomorrow": {"document": {"expiry_date": "2026-03-02"}},
		"without a first day, where the corpus does not want one": {
			"document": {"effective_date": null, "expiry_date": "2027-01-01"},
			"corpus": {"mandatory": ["owner"]},
		},
		"a corpus of any document type": {
			"document": {"labels": {}},
			"corpus": {"document_types": [], "mandatory": ["owner"]},
		},
		"what a label says as a number or a yes": {
			"document": {"labels": {"weight": 0.5, "final": false}},
			"corpus": {"mandatory": ["weight", "final"], "document_types": []},
		},
		"what nobody may read but senior roles, taken in by one": {
			"officer": {"role": "checker"},
			"document": {"data_classification": "RESTRICTED"},
		},
		"asked for by its labels alone": {"stage": "labels", "screened": [], "findings": []},
		"a document that quotes an attack": {"findings": [{"kind": "injection", "type": "rule", "score": 0.94}]},
		"personal data, which is no instruction": {"findings": [{"kind": "pii", "type": "PERSON", "score": 1.0}]},
	}
	facts := object.union(good, change)
	knowledge.permit with input as facts
	count(knowledge.deny) == 0 with input as facts
	count(knowledge.set_aside) == 0 with input as facts
}

test_knowledge_refused[note] if {
	some note, example in {
		"into a corpus that is retired": {"change": {"corpus": {"status": "retired"}}, "codes": ["KNW-001"]},
		"a member of the metadata is missing": {
			"change": {"document": {"metadata": ["regulator"]}},
			"codes": ["KNW-002"],
		},
		"a mandatory label is null": {"change": {"document": {"effective_date": null}}, "codes": ["KNW-002"]},
		"a corpus that wants to know nothing": {"change": {"corpus": {"mandatory": []}}, "codes": ["KNW-002"]},
		"what the corpus wants to know is no list": {
			"change": {"corpus": {"mandatory": {"first": "owner"}}},
			"codes": ["KNW-002"],
		},
		"a label that every document has is missing": {
			"change": {"document": {"ttl_seconds": null}},
			"codes": ["KNW-003"],
		},
		"a label that is not declared": {"change": {"document": {"labels_declared": false}}, "codes": ["KNW-003"]},
		"labelled for another corpus": {"change": {"document": {"corpus": "product_taxonomy"}}, "codes": ["KNW-004"]},
		"of another source type": {"change": {"document": {"source_type": "general_web"}}, "codes": ["KNW-004"]},
		"of a classification that the corpus does not hold": {
			"change": {"corpus": {"data_classifications": ["PUBLIC"]}},
			"codes": ["KNW-004"],
		},
		"of a document type that the corpus does not hold": {
			"change": {"document": {"labels": {"document_type": "agreement"}}},
			"codes": ["KNW-004"],
		},
		"of no document type": {
			"change": {"document": {"labels": {"document_type": null}}, "corpus": {"mandatory": ["owner"]}},
			"codes": ["KNW-004"],
		},
		"of a jurisdiction that the corpus does not hold": {
			"change": {"document": {"jurisdiction": "TW"}},
			"codes": ["KNW-005"],
		},
		"of a domain that the corpus does not hold": {"change": {"document": {"domain": "DESK"}}, "codes": ["KNW-006"]},
		"that ends on the day on which it begins": {
			"change": {"document": {"effective_date": "2026-04-01", "expiry_date": "2026-04-01", "replaces": null}},
			"codes": ["KNW-007"],
		},
		"that ended today": {"change": {"document": {"expiry_date": "2026-03-01"}}, "codes": ["KNW-007"]},
		"the same version once more": {"change": {"document": {"replaces": {"version": "3.10"}}}, "codes": ["KNW-008"]},
		"an older version": {"change": {"document": {"replaces": {"version": "3.11"}}}, "codes": ["KNW-008"]},
		"a version that only looks later, with a later date": {
			"change": {"document": {"version": "3.9", "replaces": {"version": "3.10"}}},
			"codes": ["KNW-008"],
		},
		"versions that are no numbers, of one date": {
			"change": {
				"document": {
					"version": "2026 edition",
					"replaces": {"version": "2025 edition", "effective_date": "2025-11-01"},
				},
			},
			"codes": ["KNW-008"],
		},
		"a version that only another notation makes a higher number": {
			"change": {"document": {"version": "3.1e1", "replaces": {"effective_date": "2025-11-01"}}},
			"codes": ["KNW-008"],
		},
		"a version that is not in force yet in the place of one that is": {
			"change": {"document": {"effective_date": "2026-03-02"}},
			"codes": ["KNW-008"],
		},
		"by a role that takes nothing in": {"change": {"officer": {"role": "analyst"}}, "codes": ["KNW-009"]},
		"by somebody who may not read it": {
			"change": {"officer": {"role": "admin"}, "document": {"data_classification": "CONFIDENTIAL"}},
			"codes": ["KNW-009"],
		},
		"of a classification that is not on record": {
			"change": {"document": {"data_classification": "SECRET"}, "corpus": {"data_classifications": ["SECRET"]}},
			"codes": ["KNW-009"],
		},
		"a screening is missing": {
			"change": {"screened": ["pii/full", "pii/patterns", "rendering"]},
			"codes": ["KNW-010"],
		},
		"neither of its labels nor of its text": {"change": {"stage": null}, "codes": ["KNW-010"]},
	}
	facts := object.union(good, example.change)
	not knowledge.permit with input as facts
	codes := {refusal.code | some refusal in knowledge.deny} with input as facts
	codes == {code | some code in example.codes}
	told := {refusal.code | some refusal in data.context.document.denials} with input as facts
	codes - told == set()
}

test_knowledge_set_aside[note] if {
	some note, example in {
		"the strongest signs": {
			"change": {"findings": [{"kind": "injection", "type": "rule", "score": 0.95}]},
			"codes": ["KNW-011"],
		},
		"no score": {
			"change": {"findings": [{"kind": "injection", "type": "rule", "score": null}]},
			"codes": ["KNW-011"],
		},
	}
	facts := object.union(good, example.change)
	knowledge.permit with input as facts
	codes := {one.code | some one in knowledge.set_aside} with input as facts
	codes == {code | some code in example.codes}
}

test_knowledge_nothing_known if {
	not knowledge.permit with input as {}
	codes := {refusal.code | some refusal in knowledge.deny} with input as {}
	codes == {"KNW-001", "KNW-002", "KNW-003", "KNW-004", "KNW-005", "KNW-006", "KNW-007", "KNW-008", "KNW-009", "KNW-010"}
}

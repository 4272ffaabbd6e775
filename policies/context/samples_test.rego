package context.samples_test

# An input that every area permits; tests change one thing at a time.
good := {
	"now": "2026-03-01T09:15:00.000000Z",
	"subject": {
		"role": "analyst",
		"department": "RMG",
		"jurisdictions": ["SG"],
		"domains": ["NPA"],
		"entitlements": ["npa:read"],
	},
	"agent": {"id": "RISK", "archetype": "worker", "domains": ["NPA"]},
	"request": {
		"purpose": "risk_assessment",
		"domain": "NPA",
		"entity": {"type": "project", "id": "NPA-2026-00142"},
		"jurisdictions": ["SG"],
		"has_query": true,
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
	},
	"findings": [],
	"reviews": [],
	"token": {"type": "PERSON", "purpose": "risk_assessment"},
	"screened": ["pii/patterns", "injection"],
}

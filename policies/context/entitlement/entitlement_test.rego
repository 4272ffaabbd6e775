package context.entitlement_test

import data.context.entitlement
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"own domain": {},
		"shared domain": {"item": {"domain": "ALL"}},
		"no narrowing in the token": {"subject": {"domains": null, "entitlements": null}},
		"confidential in the agent's domain": {"item": {"data_classification": "CONFIDENTIAL"}},
		"restricted for a named agent": {"agent": {"id": "GOVERNANCE"}, "item": {"data_classification": "RESTRICTED"}},
	}
	facts := object.union(samples_test.good, change)
	entitlement.permit with input as facts
	count(entitlement.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"unknown role": {"change": {"subject": {"role": "intern"}}, "codes": {"ENT-001"}},
		"domain of another department": {"change": {"subject": {"domains": ["DESK"], "entitlements": ["desk:read"]}, "item": {"domain": "DESK"}}, "codes": {"ENT-002"}},
		"unknown department": {"change": {"subject": {"department": "CATERING"}}, "codes": {"ENT-002"}},
		"shared domain, unknown department": {"change": {"subject": {"department": "CATERING"}, "item": {"domain": "ALL"}}, "codes": {"ENT-002"}},
		"outside the token's domains": {"change": {"subject": {"entitlements": null}, "item": {"domain": "ORM"}}, "codes": {"ENT-003"}},
		"entitlement not held": {"change": {"subject": {"entitlements": ["orm:read"]}}, "codes": {"ENT-004"}},
		"no entitlement at all": {"change": {"subject": {"entitlements": []}}, "codes": {"ENT-004"}},
		"confidential of another domain's agent": {"change": {"agent": {"domains": ["ORM"]}, "item": {"data_classification": "CONFIDENTIAL"}}, "codes": {"ENT-005"}},
		"restricted for an agent that is not named": {"change": {"item": {"data_classification": "RESTRICTED"}}, "codes": {"ENT-006"}},
		"no domain": {"change": {"item": {"domain": null}}, "codes": {"ENT-002", "ENT-003", "ENT-004"}},
		"no classification, agent of another domain": {"change": {"agent": {"domains": ["ORM"]}, "item": {"data_classification": null}}, "codes": {"ENT-005", "ENT-006"}},
	}
	facts := object.union(samples_test.good, example.change)
	not entitlement.permit with input as facts
	codes := {refusal.code | some refusal in entitlement.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not entitlement.permit with input as {}
	codes := {refusal.code | some refusal in entitlement.deny} with input as {}
	codes == {"ENT-001", "ENT-002", "ENT-003", "ENT-004", "ENT-005", "ENT-006"}
}

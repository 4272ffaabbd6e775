package context.pii_test

import data.context.cases_test
import data.context.pii

test_an_operator_that_is_not_on_record_refuses if {
	facts := object.union(cases_test.good, {"findings": [{"kind": "pii", "type": "SHOE_SIZE", "score": 1}]})
	not pii.permit with input as facts with data.context.pii.default_operator as "shrug"
}

test_every_operator_that_changes_text_is_an_obligation[operator] if {
	some operator in ["mask", "encrypt", "tokenise", "hash", "replace", "redact"]
	facts := object.union(cases_test.good, {"findings": [{"kind": "pii", "type": "IN_UPI", "score": 0.9}]})
	pii.obligations == {{"type": "redact", "operator": operator, "entities": ["IN_UPI"]}} with input as facts
		with data.context.pii.types as {"IN_UPI": {"analyst": operator}}
}

test_findings_that_are_no_list_are_not_read if {
	facts := object.union(cases_test.good, {"findings": {"first": {"kind": "pii", "type": "PERSON", "score": 1}}})
	codes := {refusal.code | some refusal in pii.deny} with input as facts
	codes == {"PII-001", "PII-002"}
}

# Who vouches for an item decides how closely it is looked at; where nobody does, all of it is.
test_profiles[note] if {
	some note, example in {
		"vouched for": {"item": {}, "profile": "pii/patterns"},
		"nobody vouches for it": {"item": {"attestation": null, "source_type": "email"}, "profile": "pii/full"},
		"structured": {"item": {"structured": true}, "profile": "pii/structured"},
	}
	facts := object.union(cases_test.good, {"item": example.item})
	pii.profile == example.profile with input as facts
		with data.context.pii.profiles.by_source_type as {"bank_sop": "pii/patterns", "email": "pii/patterns"}
}

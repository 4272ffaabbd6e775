package context.pii_test

import data.context.pii
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"nothing found": {},
		"a kind that may be masked": {"findings": [{"kind": "pii", "type": "PHONE_NUMBER", "score": 0.9}]},
		"a weak sign": {"findings": [{"kind": "pii", "type": "CREDIT_CARD", "score": 0.1}]},
		"a structured item": {"screened": ["pii/structured", "injection"], "item": {"media_type": "application/json"}},
		"a full screening of an e-mail": {"screened": ["pii/full", "injection"], "item": {"source_type": "email"}},
	}
	facts := object.union(samples_test.good, change)
	pii.permit with input as facts
	count(pii.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"not screened": {"change": {"screened": ["injection"]}, "codes": {"PII-001"}},
		"screened with less than policy asks": {"change": {"item": {"source_type": "email"}}, "codes": {"PII-001"}},
		"findings are not a list": {"change": {"findings": null}, "codes": {"PII-001", "PII-002"}},
		"a card number for an administrator": {"change": {"subject": {"role": "admin"}, "findings": [{"kind": "pii", "type": "CREDIT_CARD", "score": 0.9}]}, "codes": {"PII-002"}},
	}
	facts := object.union(samples_test.good, example.change)
	not pii.permit with input as facts
	codes := {refusal.code | some refusal in pii.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not pii.permit with input as {}
	codes := {refusal.code | some refusal in pii.deny} with input as {}
	codes == {"PII-001", "PII-002"}
}

obligations(change) := result if {
	facts := object.union(samples_test.good, change)
	result := pii.obligations with input as facts
}

test_the_role_decides[note] if {
	some note, example in {
		"an analyst does not see an NRIC": {"role": "analyst", "operator": "replace"},
		"a checker sees its end": {"role": "checker", "operator": "mask"},
	}
	change := {"subject": {"role": example.role}, "findings": [{"kind": "pii", "type": "SG_NRIC_FIN", "score": 1}]}
	obligations(change) == {{"type": "redact", "operator": example.operator, "entities": ["SG_NRIC_FIN"]}}
}

test_the_strictest_jurisdiction_wins if {
	change := {
		"subject": {"role": "checker"},
		"request": {"jurisdictions": ["SG", "HK"]},
		"findings": [{"kind": "pii", "type": "HK_HKID", "score": 1}],
	}
	obligations(change) == {{"type": "redact", "operator": "replace", "entities": ["HK_HKID"]}}
}

test_a_kind_without_a_line_is_replaced if {
	change := {"findings": [{"kind": "pii", "type": "SHOE_SIZE", "score": 1}]}
	obligations(change) == {{"type": "redact", "operator": "replace", "entities": ["SHOE_SIZE"]}}
}

test_a_kind_may_have_a_higher_threshold if {
	count(obligations({"subject": {"role": "admin"}, "findings": [{"kind": "pii", "type": "PERSON", "score": 0.5}]})) == 0
}

test_a_score_we_cannot_read_counts if {
	change := {"findings": [{"kind": "pii", "type": "PHONE_NUMBER"}]}
	obligations(change) == {{"type": "redact", "operator": "mask", "entities": ["PHONE_NUMBER"]}}
}

test_an_operator_that_is_not_on_record_refuses if {
	facts := object.union(samples_test.good, {"findings": [{"kind": "pii", "type": "SHOE_SIZE", "score": 1}]})
	not pii.permit with input as facts with data.context.pii.default_operator as "shrug"
}

test_a_finding_we_cannot_read_refuses if {
	facts := object.union(samples_test.good, {"findings": [{"kind": "pii", "score": 1}]})
	not pii.permit with input as facts
}

test_every_operator_that_changes_text_is_an_obligation[operator] if {
	some operator in ["mask", "encrypt", "tokenise", "hash", "replace", "redact"]
	facts := object.union(samples_test.good, {"findings": [{"kind": "pii", "type": "IN_UPI", "score": 0.9}]})
	pii.obligations == {{"type": "redact", "operator": operator, "entities": ["IN_UPI"]}} with input as facts
		with data.context.pii.types as {"IN_UPI": {"analyst": operator}}
}

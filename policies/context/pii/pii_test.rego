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

package context.detokenization_test

import data.context.detokenization
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"a checker and a name": {"subject": {"role": "checker"}},
		"an approver and an identity card": {"subject": {"role": "approver"}, "token": {"type": "SG_NRIC_FIN"}},
	}
	facts := object.union(samples_test.good, change)
	detokenization.permit with input as facts
}

test_refused[note] if {
	some note, example in {
		"another purpose": {"change": {"subject": {"role": "checker"}, "token": {"purpose": "general_research"}}, "codes": {"DTK-001"}},
		"an analyst": {"change": {}, "codes": {"DTK-002"}},
		"open to nobody": {"change": {"subject": {"role": "approver"}, "token": {"type": "IN_AADHAAR"}}, "codes": {"DTK-002"}},
		"no token": {"change": {"subject": {"role": "checker"}, "token": null}, "codes": {"DTK-001", "DTK-002"}},
	}
	facts := object.union(samples_test.good, example.change)
	not detokenization.permit with input as facts
	codes := {refusal.code | some refusal in detokenization.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not detokenization.permit with input as {}
	codes := {refusal.code | some refusal in detokenization.deny} with input as {}
	codes == {"DTK-001", "DTK-002"}
}

package context.classification_test

import data.context.classification
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"internal for an analyst": {},
		"public": {"item": {"data_classification": "PUBLIC"}},
		"confidential for an analyst": {"item": {"data_classification": "CONFIDENTIAL"}},
		"restricted for a checker": {"subject": {"role": "checker"}, "item": {"data_classification": "RESTRICTED"}},
		"restricted for a coo": {"subject": {"role": "coo"}, "item": {"data_classification": "RESTRICTED"}},
	}
	facts := object.union(samples_test.good, change)
	classification.permit with input as facts
	count(classification.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"restricted for an analyst": {"change": {"item": {"data_classification": "RESTRICTED"}}, "codes": {"CLS-001"}},
		"confidential for an administrator": {"change": {"subject": {"role": "admin"}, "item": {"data_classification": "CONFIDENTIAL"}}, "codes": {"CLS-001"}},
		"no classification": {"change": {"item": {"data_classification": null}}, "codes": {"CLS-001", "CLS-002"}},
		"a classification that is not in the taxonomy": {"change": {"item": {"data_classification": "SECRET"}}, "codes": {"CLS-001", "CLS-002"}},
		"unknown role": {"change": {"subject": {"role": "intern"}}, "codes": {"CLS-001"}},
	}
	facts := object.union(samples_test.good, example.change)
	not classification.permit with input as facts
	codes := {refusal.code | some refusal in classification.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not classification.permit with input as {}
	codes := {refusal.code | some refusal in classification.deny} with input as {}
	codes == {"CLS-001", "CLS-002"}
}

test_readable_is_up_to_the_clearance if {
	levels := classification.readable with input as samples_test.good
	levels == {"PUBLIC", "INTERNAL", "CONFIDENTIAL"}
}

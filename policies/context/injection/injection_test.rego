package context.injection_test

import data.context.injection
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"nothing found": {},
		"a procedure that quotes an attack": {"findings": [{"kind": "injection", "type": "rule", "score": 0.9}]},
		"a suspicious e-mail, to be set aside": {"item": {"source_type": "email"}, "findings": [{"kind": "injection", "type": "rule", "score": 0.6}]},
	}
	facts := object.union(samples_test.good, change)
	injection.permit with input as facts
	count(injection.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"not screened": {"change": {"screened": ["pii/patterns"]}, "codes": {"INJ-001"}},
		"certain, in an e-mail": {"change": {"item": {"source_type": "email"}, "findings": [{"kind": "injection", "type": "rule", "score": 0.99}]}, "codes": {"INJ-002"}},
		"findings are not a list": {"change": {"findings": null}, "codes": {"INJ-001", "INJ-002"}},
	}
	facts := object.union(samples_test.good, example.change)
	not injection.permit with input as facts
	codes := {refusal.code | some refusal in injection.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not injection.permit with input as {}
	codes := {refusal.code | some refusal in injection.deny} with input as {}
	codes == {"INJ-001", "INJ-002"}
}

set_aside(change) if {
	facts := object.union(samples_test.good, change)
	count(injection.set_aside) > 0 with input as facts
}

test_set_aside[note] if {
	some note, change in {
		"an e-mail that looks like instructions": {
			"item": {"source_type": "email"},
			"findings": [{"kind": "injection", "type": "rule", "score": 0.5}],
		},
		"a procedure with the strongest signs": {"findings": [{"kind": "injection", "type": "rule", "score": 0.9}]},
	}
	set_aside(change)
}

test_not_set_aside[note] if {
	some note, change in {
		"an innocent e-mail": {"item": {"source_type": "email"}},
		"a procedure that quotes an attack": {"findings": [{"kind": "injection", "type": "rule", "score": 0.6}]},
	}
	not set_aside(change)
}

test_a_score_we_cannot_read_is_certain if {
	facts := object.union(samples_test.good, {"findings": [{"kind": "injection", "type": "rule"}]})
	not injection.permit with input as facts
}

package context.injection_test

import data.context.injection
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"nothing found": {},
		"a procedure that quotes an attack": {"findings": [{"kind": "injection", "type": "rule", "score": 0.9}]},
		"a suspicious e-mail, to be set aside": {"item": {"source_type": "email"}, "findings": [{"kind": "injection", "type": "rule", "score": 0.6}]},
		"a procedure that replaces another one": {"findings": [{"kind": "injection", "type": "claimed_policy", "score": 0.9}]},
	}
	facts := object.union(samples_test.good, change)
	injection.permit with input as facts
	count(injection.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"not screened": {"change": {"screened": ["pii/patterns"]}, "codes": {"INJ-001"}},
		"certain, in an e-mail": {"change": {"item": {"source_type": "email"}, "findings": [{"kind": "injection", "type": "rule", "score": 0.999}]}, "codes": {"INJ-002"}},
		"an e-mail that claims to be policy": {"change": {"item": {"source_type": "email"}, "findings": [{"kind": "injection", "type": "claimed_policy", "score": 0.9}]}, "codes": {"INJ-004"}},
		"refused on review": {"change": {"reviews": [{"id": "REV-1", "verdict": "denied", "expires": "2026-06-01T00:00:00.000000Z"}]}, "codes": {"INJ-005"}},
		"reviews are not a list": {"change": {"reviews": null}, "codes": {"INJ-005"}},
		"findings are not a list": {"change": {"findings": null}, "codes": {"INJ-001", "INJ-002", "INJ-004"}},
	}
	facts := object.union(samples_test.good, example.change)
	not injection.permit with input as facts
	codes := {refusal.code | some refusal in injection.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not injection.permit with input as {}
	codes := {refusal.code | some refusal in injection.deny} with input as {}
	codes == {"INJ-001", "INJ-002", "INJ-004", "INJ-005"}
}

review := {
	"id": "REV-1",
	"verdict": "released",
	"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
	"expires": "2026-06-01T00:00:00.000000Z",
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
		"a procedure with the strongest signs": {"findings": [{"kind": "injection", "type": "rule", "score": 0.96}]},
		"free text in a system of record": {"item": {"source_type": "system_of_record"}, "findings": [{"kind": "injection", "type": "rule", "score": 0.85}]},
		"a release that has run out": {
			"item": {"source_type": "email"},
			"findings": [{"kind": "injection", "type": "rule", "score": 0.6}],
			"reviews": [object.union(review, {"expires": "2026-02-01T00:00:00.000000Z"})],
		},
		"a release for another agent": {
			"item": {"source_type": "email"},
			"findings": [{"kind": "injection", "type": "rule", "score": 0.6}],
			"reviews": [object.union(review, {"scope": {"agent": "DESK"}})],
		},
	}
	set_aside(change)
}

test_not_set_aside[note] if {
	some note, change in {
		"an innocent e-mail": {"item": {"source_type": "email"}},
		"a procedure that quotes an attack": {"findings": [{"kind": "injection", "type": "rule", "score": 0.6}]},
		"released on review": {
			"item": {"source_type": "email"},
			"findings": [{"kind": "injection", "type": "rule", "score": 0.6}],
			"reviews": [review],
		},
	}
	not set_aside(change)
}

test_a_score_we_cannot_read_is_certain if {
	facts := object.union(samples_test.good, {"findings": [{"kind": "injection", "type": "rule"}]})
	not injection.permit with input as facts
}

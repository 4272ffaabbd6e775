package context.grounding_test

import data.context.grounding
import data.context.samples_test

facts(change) := object.union(samples_test.good, change)

one(change) := {"sources": [object.union(samples_test.good.sources[0], change)]}

test_permitted[note] if {
	some note, change in {
		"a criterion with its procedure, version and section": {},
		"a general remark without a source": {"claim": {"type": "general"}, "sources": []},
		"a general remark with one": {"claim": {"type": "general"}},
		"a limit from the system of record": object.union(
			{"claim": {"type": "credit_limits"}},
			one({"source_type": "system_of_record", "authority_tier": 1, "parts": []}),
		),
		"terms of an agreement, whoever keeps it": object.union(
			{"claim": {"type": "agreement_terms"}},
			one({"source_type": "uploaded_document", "authority_tier": 3, "parts": []}),
		),
		"one of two sources says it": {"sources": [samples_test.good.sources[0], object.union(samples_test.good.sources[0], {"support": 0.1})]},
	}
	grounding.permit with input as facts(change)
	count(grounding.deny) == 0 with input as facts(change)
}

test_refused[note] if {
	some note, example in {
		"a criterion without a source": {"change": {"sources": []}, "codes": {"UNGROUNDED"}},
		"a citation without its section": {"change": one({"parts": ["version"]}), "codes": {"UNGROUNDED"}},
		"a kind of claim that is not on record": {
			"change": {"claim": {"type": "poetry"}},
			"codes": {"UNGROUNDED", "AUTHORITY_MISMATCH"},
		},
		"a source that does not exist": {"change": one({"found": false}), "codes": {"PHANTOM_CITATION"}},
		"a source that says something else": {"change": one({"support": 0.3}), "codes": {"MISATTRIBUTION"}},
		"a source that has expired": {"change": one({"expiry_date": "2026-03-01"}), "codes": {"STALE_SOURCE"}},
		"a source older than its time to live": {
			"change": one({"age_seconds": 90000}),
			"codes": {"STALE_SOURCE"},
		},
		"another version than the pack holds": {"change": one({"version_matches": false}), "codes": {"STALE_SOURCE"}},
		"a web page for a criterion": {
			"change": one({"source_type": "general_web", "authority_tier": 5}),
			"codes": {"AUTHORITY_MISMATCH"},
		},
		"a web page beside a procedure": {
			"change": {"sources": [
				samples_test.good.sources[0],
				object.union(samples_test.good.sources[0], {"source_type": "general_web", "authority_tier": 5}),
			]},
			"codes": {"AUTHORITY_MISMATCH"},
		},
		"a procedure for a credit limit": {
			"change": {"claim": {"type": "credit_limits"}},
			"codes": {"AUTHORITY_MISMATCH"},
		},
	}
	not grounding.permit with input as facts(example.change)
	codes := {refusal.code | some refusal in grounding.deny} with input as facts(example.change)
	codes == example.codes
}

test_without_a_clock_nothing_is_current if {
	codes := {refusal.code | some refusal in grounding.deny} with input as facts({"now": null})
	codes == {"STALE_SOURCE"}
}

test_nothing_known_is_refused if {
	not grounding.permit with input as {}
	codes := {refusal.code | some refusal in grounding.deny} with input as {}
	codes == {"UNGROUNDED", "PHANTOM_CITATION", "MISATTRIBUTION", "STALE_SOURCE", "AUTHORITY_MISMATCH"}
}

package context.freshness_test

import data.context.freshness
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"just fetched": {},
		"within its time to live": {"item": {"age_seconds": 86400}},
		"in effect since today": {"item": {"effective_date": "2026-03-01"}},
		"expires tomorrow": {"item": {"expiry_date": "2026-03-02"}},
		"a live system of record": {"item": {"source_type": "system_of_record", "age_seconds": 300}},
		"a user's words need no time to live": {"item": {"source_type": "user_input", "ttl_seconds": null}},
		"no effective date": {"item": {"effective_date": null}},
	}
	facts := object.union(samples_test.good, change)
	freshness.permit with input as facts
	count(freshness.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"not known when fetched": {"change": {"item": {"age_seconds": null}}, "codes": {"FRS-001", "FRS-002"}},
		"fetched in the future": {"change": {"item": {"age_seconds": -1}}, "codes": {"FRS-001"}},
		"past its time to live": {"change": {"item": {"age_seconds": 86401}}, "codes": {"FRS-002"}},
		"no time to live": {"change": {"item": {"ttl_seconds": null}}, "codes": {"FRS-002"}},
		"not yet in effect": {"change": {"item": {"effective_date": "2026-03-02"}}, "codes": {"FRS-003"}},
		"expired today": {"change": {"item": {"expiry_date": "2026-03-01"}}, "codes": {"FRS-004"}},
		"an old copy of a system of record": {"change": {"item": {"source_type": "system_of_record", "age_seconds": 301}}, "codes": {"FRS-005"}},
		"no source type": {"change": {"item": {"source_type": null}}, "codes": {"FRS-005"}},
	}
	facts := object.union(samples_test.good, example.change)
	not freshness.permit with input as facts
	codes := {refusal.code | some refusal in freshness.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not freshness.permit with input as {}
	codes := {refusal.code | some refusal in freshness.deny} with input as {}
	codes == {"FRS-001", "FRS-002", "FRS-003", "FRS-004", "FRS-005"}
}

test_near_the_end_of_its_time_to_live_it_warns if {
	facts := object.union(samples_test.good, {"item": {"age_seconds": 80000}})
	freshness.obligations == {{"type": "warn_stale"}} with input as facts
}

test_fresh_items_do_not_warn if {
	count(freshness.obligations) == 0 with input as samples_test.good
}

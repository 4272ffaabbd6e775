package context.exceptions_test

import data.context.exceptions
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"no exception for this item": {},
		"an exception in force": {"item": {"source_id": "GFM_Booking_Guide_2024"}},
	}
	facts := object.union(samples_test.good, change)
	exceptions.permit with input as facts
	count(exceptions.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"an exception that has expired": {"change": {"agent": {"id": "ORM_ANALYST"}, "request": {"purpose": "incident_review"}, "item": {"source_id": "ORM_Loss_Taxonomy_2019"}}, "codes": {"EXC-001"}},
	}
	facts := object.union(samples_test.good, example.change)
	not exceptions.permit with input as facts
	codes := {refusal.code | some refusal in exceptions.deny} with input as facts
	codes == example.codes
}

# With nothing known no exception applies, so none has lapsed; and none is in force, so nothing is waived.
test_nothing_known_waives_nothing if {
	count(exceptions.waived) == 0 with input as {}
	count(exceptions.in_use) == 0 with input as {}
}

test_without_a_clock_no_exception_is_in_force if {
	facts := object.union(samples_test.good, {"now": null, "item": {"source_id": "GFM_Booking_Guide_2024"}})
	not exceptions.permit with input as facts
}

test_what_is_waived if {
	facts := object.union(samples_test.good, {"item": {"source_id": "GFM_Booking_Guide_2024"}})
	exceptions.waived == {"FRS-004"} with input as facts
	exceptions.in_use == {"EXC-2026-001"} with input as facts
}

test_what_can_never_be_waived if {
	granted := [{
		"id": "EXC-X",
		"owner": "nobody",
		"reason": "none",
		"codes": ["CLS-001", "ENT-002", "JUR-001"],
		"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
		"expires": "2027-01-01",
		"rollback_trigger": "none",
	}]
	count(exceptions.waived) == 0 with input as samples_test.good with data.context.exceptions.granted as granted
}

test_a_renewed_exception_does_not_refuse if {
	scope := {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"}
	granted := [
		{"id": "EXC-OLD", "codes": ["FRS-004"], "scope": scope, "expires": "2026-01-01"},
		{"id": "EXC-NEW", "codes": ["FRS-004"], "scope": scope, "expires": "2027-01-01"},
	]
	exceptions.permit with input as samples_test.good with data.context.exceptions.granted as granted
}

test_a_release_on_review_is_in_use_for_its_own_scope[note] if {
	some note, example in {
		"its own": {"scope": {}, "used": {"REV-1"}},
		"another agent": {"scope": {"agent": "DESK"}, "used": set()},
		"another source": {"scope": {"source_id": "OTHER"}, "used": set()},
	}
	scope := object.union({"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"}, example.scope)
	review := {"id": "REV-1", "verdict": "released", "scope": scope, "expires": "2026-06-01T00:00:00.000000Z"}
	facts := object.union(samples_test.good, {"reviews": [review]})
	exceptions.in_use == example.used with input as facts
}

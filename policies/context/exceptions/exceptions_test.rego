package context.exceptions_test

import data.context.cases_test
import data.context.exceptions

# With nothing known no exception applies, so none has lapsed; and none is in force, so nothing is waived.
test_nothing_known_waives_nothing if {
	count(exceptions.waived) == 0 with input as {}
	count(exceptions.in_use) == 0 with input as {}
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
	count(exceptions.waived) == 0 with input as cases_test.good with data.context.exceptions.granted as granted
}

test_a_renewed_exception_does_not_refuse if {
	scope := {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"}
	granted := [
		{"id": "EXC-OLD", "codes": ["FRS-004"], "scope": scope, "expires": "2026-01-01"},
		{"id": "EXC-NEW", "codes": ["FRS-004"], "scope": scope, "expires": "2027-01-01"},
	]
	exceptions.permit with input as cases_test.good with data.context.exceptions.granted as granted
}

# Whatever is no time in UTC has passed: as a text "31/12/2020" comes after every year,
# and +08:00 is compared as if it were UTC.
test_an_expiry_that_cannot_be_read_has_passed if {
	scope := {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"}
	every end in [
		"31/12/2020", "31/12/2999", "2999-13-01", "2999-12-41", "2999-1-1", "tomorrow", "", " 2999-01-01",
		"2999-01-01T25:00:00Z",
		"2999-01-01T00:00:00+08:00", "2999-01-01\n", 2999, true, null, ["2999-01-01"], {"day": "2999-01-01"},
	] {
		granted := [{"id": "EXC-X", "codes": ["FRS-004"], "scope": scope, "expires": end}]
		refused := exceptions.deny with input as cases_test.good with data.context.exceptions.granted as granted
		{refusal.code | some refusal in refused} == {"EXC-001"}
		count(exceptions.waived) == 0 with input as cases_test.good with data.context.exceptions.granted as granted
	}
}

test_an_expiry_is_a_day_or_a_time_in_utc if {
	scope := {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"}
	every end, held in {
		"2026-03-02": 1, "2026-03-01": 0, "2026-03-01T09:15:00Z": 0, "2026-03-01T09:15:00.5Z": 1,
		"2026-03-01T09:15:01Z": 1, "2026-03-01T09:14:59.999999Z": 0,
	} {
		granted := [{"id": "EXC-X", "codes": ["FRS-004"], "scope": scope, "expires": end}]
		waived := exceptions.waived with input as cases_test.good with data.context.exceptions.granted as granted
		count(waived) == held
	}
}

test_a_clock_that_cannot_be_read_lets_nothing_in if {
	every now in ["01/03/2026", "0", "", 0, null] {
		facts := object.union(cases_test.good, {"now": now, "item": {"source_id": "GFM_Booking_Guide_2024"}})
		count(exceptions.waived) == 0 with input as facts
	}
}

test_reviews_that_are_no_list_release_nothing if {
	review := {
		"id": "REV-1",
		"verdict": "released",
		"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
		"expires": "2026-06-01T00:00:00.000000Z",
	}
	facts := object.union(cases_test.good, {"reviews": {"first": review}})
	not exceptions.released_on_review with input as facts
	count(exceptions.in_use) == 0 with input as facts
}

test_exceptions_on_request_that_are_no_list_let_nothing_in if {
	one := object.union(cases_test.good.exception, {
		"codes": ["JUR-001", "JUR-002"],
		"approved_by": {"role": "approver", "department": "LEGAL"},
	})
	about := {"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"}, "subject": {"department": "COO"}}
	listed := object.union(cases_test.good, object.union(about, {"exceptions": [one]}))
	count(exceptions.approved) == 1 with input as listed
	named := object.union(cases_test.good, object.union(about, {"exceptions": null}))
	facts := object.union(named, {"exceptions": {"first": one}})
	count(exceptions.approved) == 0 with input as facts
}

test_codes_that_are_no_list_are_waived_for_nobody if {
	exceptions.waivable_on_request({"codes": ["JUR-001"]})
	not exceptions.waivable_on_request({"codes": {"first": "JUR-001"}})
}

test_an_exception_that_lasts_no_time_is_not_short_enough if {
	exceptions.short_enough({"codes": ["JUR-001"], "lasts_seconds": 1})
	not exceptions.short_enough({"codes": ["JUR-001"], "lasts_seconds": 0})
	not exceptions.short_enough({"codes": ["JUR-001"], "lasts_seconds": -1})
}

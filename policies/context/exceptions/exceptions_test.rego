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

package context.standing_test

import data.context.cases_test
import data.context.standing

_contracts(status) := {"RISK-1.1.0": {"agent": "RISK", "status": status}}

test_a_retired_contract_answers_nobody if {
	tester := object.union(cases_test.good, {"subject": {"role": "admin", "entitlements": ["contracts:test"]}})
	not standing.permit with input as tester with data.registry.contracts as _contracts("RETIRED")
	codes := {refusal.code | some refusal in standing.deny} with input as tester
		with data.registry.contracts as _contracts("RETIRED")
	codes == {"CTR-008"}
}

test_a_draft_that_becomes_active_answers if {
	not standing.permit with input as cases_test.good with data.registry.contracts as _contracts("DRAFT")
	standing.permit with input as cases_test.good with data.registry.contracts as _contracts("ACTIVE")
}

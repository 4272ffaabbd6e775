package context.contract_test

import data.context.cases_test
import data.context.contract

# What is no list is gone through by nobody, whatever stands in it.
test_items_that_are_no_list_fill_nothing if {
	items := {
		"record": {"section": "entity", "source_type": "system_of_record", "entity_id": "NPA-2026-00142"},
		"sop": {"section": "knowledge", "source_type": "bank_sop"},
	}
	contract.permit with input as object.union(cases_test.good, {"items": [item | some item in items]})
	codes := {refusal.code | some refusal in contract.deny} with input as object.union(cases_test.good, {"items": items})
	codes == {"CTR-001", "CTR-003"}
}

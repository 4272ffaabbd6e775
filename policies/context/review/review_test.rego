package context.review_test

import data.context.cases_test
import data.context.review

# What is no list is gone through by nobody, whatever stands in it.
test_items_that_are_no_list_are_not_vouched_for if {
	items := {"r1": {"section": "prior_result", "source_id": "agent:ORM_ANALYST", "attested_by": "ORM_ANALYST"}}
	facts := object.union(cases_test.good, {"agent": {"id": "ORM_REVIEWER", "archetype": "reviewer"}})
	review.permit with input as object.union(facts, {"items": [item | some item in items]})
	codes := {refusal.code | some refusal in review.deny} with input as object.union(facts, {"items": items})
	codes == {"CTR-010", "CTR-011"}
}

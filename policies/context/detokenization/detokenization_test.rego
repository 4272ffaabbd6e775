package context.detokenization_test

import data.context.cases_test
import data.context.detokenization

test_a_role_that_may_learns_values_of_other_sessions if {
	facts := object.union(cases_test.good, {"subject": {"role": "checker"}, "caller": {"session": "s-2"}})
	not detokenization.permit with input as facts
	detokenization.permit with input as facts with data.context.detokenization.across_sessions as ["checker"]
}

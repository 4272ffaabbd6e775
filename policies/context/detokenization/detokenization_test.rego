package context.detokenization_test

import data.context.cases_test
import data.context.detokenization

test_a_role_that_may_learns_values_of_other_sessions if {
	facts := object.union(cases_test.good, {"subject": {"role": "checker"}, "caller": {"session": "s-2"}})
	not detokenization.permit with input as facts
	detokenization.permit with input as facts with data.context.detokenization.across_sessions as ["checker"]
}

test_a_token_of_no_session_is_not_of_another_one if {
	facts := object.union(cases_test.good, {"subject": {"role": "checker"}, "token": {"origin": {"session": null}}})
	not detokenization.permit with input as facts with data.context.detokenization.across_sessions as ["checker"]
}

_of_a_case := object.union(cases_test.good, {
	"subject": {"role": "checker"},
	"caller": {"purposes": []},
	"request": {"case": "CASE-2026-001"},
})

test_a_time_that_is_no_text_or_another_form_is_not_before_the_end if {
	detokenization.permit with input as _of_a_case
	every now in [null, 20260301, "1 March 2026", "", true] {
		not detokenization.permit with input as object.union(_of_a_case, {"now": now})
	}
}

test_a_case_whose_end_is_no_text_or_another_form_is_over if {
	case := data.context.detokenization.cases["CASE-2026-001"]
	every end in [null, 99999999, "31/12/2026", "never", true] {
		cases := {"CASE-2026-001": object.union(case, {"until": end})}
		not detokenization.permit with input as _of_a_case with data.context.detokenization.cases as cases
	}
}

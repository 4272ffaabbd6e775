package context.freshness_test

import data.context.cases_test
import data.context.freshness

test_a_source_type_may_have_a_longest_age if {
	rows := {"by_source_type": {"bank_sop": 100}, "by_label": {}}
	young := object.union(cases_test.good, {"item": {"age_days": 100}})
	old := object.union(cases_test.good, {"item": {"age_days": 101}})
	freshness.permit with input as young with data.context.freshness.longest_days as rows
	not freshness.permit with input as old with data.context.freshness.longest_days as rows
}

test_of_two_ages_the_shorter_binds if {
	rows := {"by_source_type": {"bank_sop": 100}, "by_label": {"document_type": {"procedure": 50}}}
	item := {"labels": {"document_type": "procedure"}, "age_days": 51}
	old := object.union(cases_test.good, {"item": item})
	not freshness.permit with input as old with data.context.freshness.longest_days as rows
}

test_an_age_binds_its_own_source_type if {
	rows := {"by_source_type": {"email": 1}, "by_label": {}}
	old := object.union(cases_test.good, {"item": {"age_days": 100}})
	freshness.permit with input as old with data.context.freshness.longest_days as rows
}

# What is no text is before or after every text, and no date.
test_dates_that_are_no_texts_let_nothing_in[note] if {
	some note, example in {
		"an effective date that is a number": {"change": {"item": {"effective_date": 20250101}}, "code": "FRS-003"},
		"an expiry date that is a list": {"change": {"item": {"expiry_date": ["2027-01-01"]}}, "code": "FRS-004"},
		"a clock that is a list": {"change": {"now": ["2026-03-01T09:15:00.000000Z"]}, "code": "FRS-003"},
	}
	codes := {refusal.code | some refusal in freshness.deny} with input as object.union(cases_test.good, example.change)
	codes == {example.code}
}

package context.trust_test

import data.context.cases_test
import data.context.trust

test_untrusted_items_are_fenced if {
	facts := object.union(cases_test.good, {"item": {"source_type": "email"}})
	{"type": "fence"} in trust.obligations with input as facts
	trust.trust_class == "UNTRUSTED" with input as facts
	trust.authority_tier == 5 with input as facts
}

test_procedures_are_trusted_and_cited if {
	trust.obligations == {{"type": "cite"}} with input as cases_test.good
	trust.trust_class == "TRUSTED" with input as cases_test.good
	trust.authority_tier == 2 with input as cases_test.good
}

test_an_unknown_source_is_not_trusted if {
	trust.trust_class == "UNTRUSTED" with input as {}
	trust.authority_tier == 5 with input as {}
}

test_a_result_of_another_form_than_agreed_has_no_authority if {
	facts := object.union(cases_test.good, {"item": {"meets_schema": false}})
	trust.authority_tier == 5 with input as facts
}

test_a_label_beside_provenance_may_be_required if {
	rows := {"bank_sop": ["source_id", "document_type"]}
	labelled := object.union(cases_test.good, {"item": {"labels": {"document_type": "procedure"}}})
	trust.permit with input as labelled with data.context.trust.required_labels as rows
	not trust.permit with input as cases_test.good with data.context.trust.required_labels as rows
}

test_another_label_does_not_stand_for_one_that_is_required if {
	rows := {"bank_sop": ["source_id", "document_type"]}
	labelled := object.union(cases_test.good, {"item": {"labels": {"approved_on": "2026-01-01"}}})
	not trust.permit with input as labelled with data.context.trust.required_labels as rows
}

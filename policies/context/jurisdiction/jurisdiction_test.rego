package context.jurisdiction_test

import data.context.jurisdiction
import data.context.samples_test

test_permitted[note] if {
	some note, change in {
		"at home": {},
		"group-wide": {"item": {"jurisdiction": "GLOBAL"}},
		"one of several": {"request": {"jurisdictions": ["SG", "HK"]}, "subject": {"jurisdictions": ["SG", "HK"]}, "item": {"jurisdiction": "HK"}},
	}
	facts := object.union(samples_test.good, change)
	jurisdiction.permit with input as facts
	count(jurisdiction.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"outside the request": {"change": {"subject": {"jurisdictions": ["SG", "HK"]}, "item": {"jurisdiction": "HK"}}, "codes": {"JUR-001"}},
		"outside the requester's jurisdictions": {"change": {"request": {"jurisdictions": ["SG", "HK"]}, "item": {"jurisdiction": "HK"}}, "codes": {"JUR-002"}},
		"no jurisdiction": {"change": {"item": {"jurisdiction": null}}, "codes": {"JUR-001", "JUR-002", "JUR-003"}},
		"a jurisdiction that is not on record": {"change": {"item": {"jurisdiction": "FR"}}, "codes": {"JUR-001", "JUR-002", "JUR-003"}},
	}
	facts := object.union(samples_test.good, example.change)
	not jurisdiction.permit with input as facts
	codes := {refusal.code | some refusal in jurisdiction.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not jurisdiction.permit with input as {}
	codes := {refusal.code | some refusal in jurisdiction.deny} with input as {}
	codes == {"JUR-001", "JUR-002", "JUR-003"}
}

test_corpora_are_the_union_over_jurisdictions if {
	facts := object.union(samples_test.good, {"request": {"jurisdictions": ["SG", "HK"]}})
	corpora := jurisdiction.corpora with input as facts
	{"mas_notices", "hkma_guidelines", "bank_sops_and_policies"} - corpora == set()
	not "rbi_directions" in corpora
}

test_every_jurisdiction_concerned_is_applicable if {
	facts := object.union(samples_test.good, {"request": {"jurisdictions": ["SG", "HK"]}, "item": {"jurisdiction": "GLOBAL"}})
	places := jurisdiction.applicable with input as facts
	places == {"SG", "HK", "GLOBAL"}
}

package context.jurisdiction_test

import data.context.cases_test
import data.context.jurisdiction

test_corpora_are_the_union_over_jurisdictions if {
	facts := object.union(cases_test.good, {"request": {"jurisdictions": ["SG", "HK"]}})
	corpora := jurisdiction.corpora with input as facts
	{"mas_notices", "hkma_guidelines", "bank_sops_and_policies"} - corpora == set()
	not "rbi_directions" in corpora
}

_corpora := {"laws": {"status": "active"}, "drafts": {"status": "staged"}, "old": {"status": "retired"}, "odd": {}}

# What the registry says of a corpus binds; of one that it does not list it says nothing.
test_corpora_in_use[note] if {
	some note, example in {
		"active": {"corpus": "laws", "codes": set()},
		"staged": {"corpus": "drafts", "codes": {"JUR-006"}},
		"retired": {"corpus": "old", "codes": {"JUR-006"}},
		"without a status": {"corpus": "odd", "codes": {"JUR-006"}},
		"not listed": {"corpus": "elsewhere", "codes": set()},
		"none": {"corpus": null, "codes": set()},
	}
	codes := {refusal.code | some refusal in jurisdiction.deny; refusal.code == "JUR-006"} with input as {"item": {
		"corpus": example.corpus,
		"jurisdiction": "SG",
	}}
		with data.registry.corpora as _corpora
	codes == example.codes
}

test_a_corpus_that_is_not_in_use_is_not_permitted if {
	listed := {"mas_notices": {"status": "staged"}}
	facts := object.union(cases_test.good, {"item": {"corpus": "mas_notices"}})
	jurisdiction.permit with input as facts
	not jurisdiction.permit with input as facts with data.registry.corpora as listed
}

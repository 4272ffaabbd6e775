package context.jurisdiction_test

import data.context.cases_test
import data.context.jurisdiction

test_corpora_are_the_union_over_jurisdictions if {
	facts := object.union(cases_test.good, {"request": {"jurisdictions": ["SG", "HK"]}})
	corpora := jurisdiction.corpora with input as facts
	{"mas_notices", "hkma_guidelines", "bank_sops_and_policies"} - corpora == set()
	not "rbi_directions" in corpora
}

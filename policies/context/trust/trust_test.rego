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

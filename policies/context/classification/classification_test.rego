package context.classification_test

import data.context.cases_test
import data.context.classification

test_a_request_is_as_sensitive_as_its_domain if {
	classification.request_sensitivity == "RESTRICTED" with input as cases_test.good
		with data.registry.domains as {"NPA": {"sensitivity": "RESTRICTED"}}
	classification.request_sensitivity == "PUBLIC" with input as cases_test.good
		with data.registry.domains as {"NPA": {"sensitivity": "PUBLIC"}}
}

test_a_request_in_a_domain_that_is_not_on_record if {
	facts := object.union(cases_test.good, {"request": {"domain": "FX"}})
	classification.request_sensitivity == null with input as facts
}

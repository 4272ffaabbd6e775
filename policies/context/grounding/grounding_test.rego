package context.grounding_test

import data.context.cases_test
import data.context.grounding

# What a domain must cite is cited there, also where claims of the kind need no source elsewhere.
test_a_domain_may_ask_for_more if {
	facts := object.union(cases_test.good, {"claim": {"type": "general"}, "sources": []})
	grounding.permit with input as facts
	not grounding.permit with input as facts
		with data.registry.domains as {"NPA": {"grounding_must_cite": ["general"]}}
}

# What is no list is gone through by nobody, whether what stands in it would do or is said not to exist.
test_sources_that_are_no_list_support_nothing[found] if {
	some found in {true, false}
	some good in cases_test.good.sources
	source := object.union(good, {"found": found})
	facts := object.union(cases_test.good, {"sources": {"first": source}})
	codes := {refusal.code | some refusal in grounding.deny} with input as facts
	codes == {"AUTHORITY_MISMATCH", "MISATTRIBUTION", "PHANTOM_CITATION", "STALE_SOURCE", "UNGROUNDED"}
}

# An end that is no text cannot be read, so that nobody knows whether it has come.
test_an_end_that_cannot_be_read_has_come if {
	some good in cases_test.good.sources
	facts := object.union(cases_test.good, {"sources": [object.union(good, {"expiry_date": 20270101})]})
	codes := {refusal.code | some refusal in grounding.deny} with input as facts
	codes == {"STALE_SOURCE"}
}

# Of a source of which nobody says whether it exists nobody says either that it does not.
test_a_source_that_nobody_looked_for_says_nothing if {
	some good in cases_test.good.sources
	facts := object.union(cases_test.good, {"sources": [object.union(good, {"found": null})]})
	codes := {refusal.code | some refusal in grounding.deny} with input as facts
	{"MISATTRIBUTION", "PHANTOM_CITATION"} & codes == {"MISATTRIBUTION", "PHANTOM_CITATION"}
}

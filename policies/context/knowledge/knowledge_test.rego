package context.knowledge_test

import data.context.cases_test
import data.context.knowledge

# The guards of a bank look at documents too.
test_guards_look_too if {
	knowledge.screenings == ["one", "two"] with data.context.knowledge.screened_for as ["one"]
		with data.context.injection.guards as ["two"]
}

# Metadata that is no list says nothing.
test_metadata_is_a_list if {
	document := {"metadata": {"first": "doc_id"}, "labels": {}}
	not knowledge.metadata_complete with input as {"corpus": {"mandatory": ["missing"]}, "document": document}
}

test_findings_that_are_no_list_are_none_and_suspicious if {
	facts := object.union(cases_test.good, {"findings": {"first": "none"}})
	not knowledge.permit with input as facts
	not knowledge.content_screened with input as facts
	{refusal.code | some refusal in knowledge.set_aside} == {"KNW-011"} with input as facts
}

test_a_score_that_cannot_be_read_is_suspicious if {
	facts := object.union(cases_test.good, {"findings": [{"kind": "injection", "type": "rule", "score": "high"}]})
	{refusal.code | some refusal in knowledge.set_aside} == {"KNW-011"} with input as facts
}

package context.knowledge_test

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

package context.knowledge_test

import data.context.jurisdiction
import data.context.knowledge

_corpora := {"laws": {"status": "active"}, "drafts": {"status": "staged"}, "old": {"status": "retired"}, "odd": {}}

# What the registry says of a corpus binds; of one that it does not list it says nothing.
test_usable[note] if {
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

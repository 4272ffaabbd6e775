package context.trust_test

import data.context.samples_test
import data.context.trust

test_permitted[note] if {
	some note, change in {
		"a bank procedure with its labels": {},
		"a user's words as data": {"item": {"source_type": "user_input", "section": "conversation"}},
		"the web for research": {"request": {"purpose": "general_research"}, "item": {"source_type": "general_web"}},
		"a trusted system prompt": {"item": {"section": "system", "source_type": "reference_data"}},
	}
	facts := object.union(samples_test.good, change)
	trust.permit with input as facts
	count(trust.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"social media": {"change": {"item": {"source_type": "social_media"}}, "codes": {"TRU-001"}},
		"pasted text that claims to be policy": {"change": {"item": {"source_type": "claimed_policy"}}, "codes": {"TRU-001"}},
		"no source type": {"change": {"item": {"source_type": null}}, "codes": {"TRU-001", "TRU-002", "TRU-003"}},
		"a source type that is not on record": {"change": {"item": {"source_type": "oracle"}}, "codes": {"TRU-002"}},
		"the web for another purpose": {"change": {"item": {"source_type": "general_web"}}, "codes": {"TRU-003"}},
		"a procedure without a version": {"change": {"item": {"version": null}}, "codes": {"TRU-004"}},
		"a procedure without an owner": {"change": {"item": {"owner": null}}, "codes": {"TRU-004"}},
		"an e-mail as system prompt": {"change": {"item": {"source_type": "email", "section": "system"}}, "codes": {"TRU-005"}},
	}
	facts := object.union(samples_test.good, example.change)
	not trust.permit with input as facts
	codes := {refusal.code | some refusal in trust.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not trust.permit with input as {}
	codes := {refusal.code | some refusal in trust.deny} with input as {}
	codes == {"TRU-001", "TRU-002", "TRU-003", "TRU-005"}
}

test_untrusted_items_are_fenced if {
	facts := object.union(samples_test.good, {"item": {"source_type": "email"}})
	{"type": "fence"} in trust.obligations with input as facts
	trust.trust_class == "UNTRUSTED" with input as facts
	trust.authority_tier == 5 with input as facts
}

test_web_items_are_labelled if {
	facts := object.union(samples_test.good, {"request": {"purpose": "general_research"}, "item": {"source_type": "general_web"}})
	trust.obligations == {{"type": "fence"}, {"type": "label_web_source"}} with input as facts
}

test_procedures_are_trusted_and_cited if {
	trust.obligations == {{"type": "cite"}} with input as samples_test.good
	trust.trust_class == "TRUSTED" with input as samples_test.good
	trust.authority_tier == 2 with input as samples_test.good
}

test_an_unknown_source_is_not_trusted if {
	trust.trust_class == "UNTRUSTED" with input as {}
	trust.authority_tier == 5 with input as {}
}

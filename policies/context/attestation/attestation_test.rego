package context.attestation_test

import data.context.attestation
import data.context.cases_test

test_what_an_item_counts_as[note] if {
	some note, example in {
		"attested": {"change": {}, "type": "bank_sop", "by": "development"},
		"nobody vouches for it": {"change": {"attestation": null}, "type": "third_party_api", "by": null},
		"it does not verify": {"change": {"attestation": {"verified": false}}, "type": "third_party_api", "by": null},
		"needs nobody": {"change": {"attestation": null, "source_type": "email"}, "type": "email", "by": null},
		"not on record": {"change": {"attestation": null, "source_type": "oracle"}, "type": "oracle", "by": null},
	}
	facts := object.union(cases_test.good, {"item": example.change})
	attestation.source_type == example.type with input as facts
	attestation.by == example.by with input as facts
}

test_a_tenant_with_a_list_of_its_own if {
	facts := object.union(cases_test.good, {"item": {"attestation": null}})
	attestation.source_type == "bank_sop" with input as facts
		with data.context.attestation.tenants as {"gfm": {"needed_for": ["system_of_record"]}}
}

# A line without a list, or with something else, vouches for nothing, and so does a table without one.
test_a_list_that_is_none_lets_nothing_count[note] if {
	some note, example in {
		"a line without a list": {"tenants": {"gfm": {}}, "all": ["bank_sop"]},
		"a line that is nothing": {"tenants": {"gfm": null}, "all": ["bank_sop"]},
		"a line with a text": {"tenants": {"gfm": {"needed_for": "bank_sop"}}, "all": ["bank_sop"]},
		"a table with a text": {"tenants": {}, "all": "bank_sop"},
	}
	facts := object.union(cases_test.good, {"item": {"attestation": null}})
	not attestation.source_type with input as facts
		with data.context.attestation.tenants as example.tenants
		with data.context.attestation.needed_for as example.all
}

_signed := object.union(cases_test.good, {"item": {"attestation": {
	"method": "signature",
	"issuer": "kb",
	"key": "k1",
	"signed_at": "2026-03-01T09:15:00.000000Z",
}}})

_source(key) := {"kb": {"keys": [object.union({"kid": "k1", "valid_from": "2026-01-01"}, key)], "grant": {
	"source_ids": ["SO*", "FAQ"],
	"source_types": ["bank_sop"],
	"corpora": [],
	"domains": ["NPA"],
	"jurisdictions": ["SG"],
	"data_classifications": ["INTERNAL"],
}}}

test_keys_in_force[note] if {
	some note, key in {
		"in use": {},
		"retired after it signed": {"retired_at": "2026-03-02"},
		"to be revoked later": {"revoked_at": "2026-03-02"},
		"ends that are not set": {"retired_at": null, "revoked_at": null},
	}
	attestation.permit with input as _signed with data.registry.sources as _source(key)
}

test_keys_that_are_not_in_force[note] if {
	some note, key in {
		"not yet": {"valid_from": "2026-03-02"},
		"retired before it signed": {"retired_at": "2026-03-01"},
		"revoked, whenever it signed": {"revoked_at": "2026-03-01"},
		"another key": {"kid": "k2"},
		"another key, of a name before it": {"kid": "k0"},
	}
	codes := {refusal.code | some refusal in attestation.deny} with input as _signed
		with data.registry.sources as _source(key)
	codes == {"ATT-002"}
}

test_names_and_beginnings_of_names[name] if {
	some name in {"FAQ", "SOP", "SO"}
	facts := object.union(_signed, {"item": {"source_id": name}})
	attestation.permit with input as facts with data.registry.sources as _source({})
}

test_other_names_are_beyond_the_grant[name] if {
	some name in {"FAQ2", "S", "so"}
	facts := object.union(_signed, {"item": {"source_id": name}})
	codes := {refusal.code | some refusal in attestation.deny} with input as facts
		with data.registry.sources as _source({})
	codes == {"ATT-004"}
}

_upload := object.union(cases_test.good, {"item": {"source_type": "uploaded_document"}})

_act := {
	"id": "REV-1",
	"verdict": "validated",
	"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
	"expires": "2026-06-01T00:00:00.000000Z",
}

test_an_upload_that_officers_validated_is_reference_data if {
	facts := object.union(_upload, {"reviews": [_act]})
	attestation.source_type == "reference_data" with input as facts
	attestation.validatable with input as facts
}

test_what_validates_no_upload[note] if {
	some note, change in {
		"only released": {"verdict": "released"},
		"for another agent": {"scope": {"agent": "AUTOFILL"}},
		"for another purpose": {"scope": {"purpose": "general_research"}},
		"for another source": {"scope": {"source_id": "upload:2"}},
		"expired": {"expires": "2026-03-01T09:15:00.000000Z"},
		"without an end": {"expires": null},
	}
	facts := object.union(_upload, {"reviews": [object.union(_act, change)]})
	attestation.source_type == "uploaded_document" with input as facts
}

test_what_is_not_listed_cannot_be_validated if {
	facts := object.union(cases_test.good, {"item": {"source_type": "email"}, "reviews": [_act]})
	attestation.source_type == "email" with input as facts
	attestation.validatable == false with input as facts
}

# What vouches for nothing does not make an item what it claims to be, whichever part of it is wanting.
test_what_is_not_vouched_for_counts_as_what_its_channel_makes_of_it[note] if {
	some note, example in {
		"a key that was revoked": {"item": {}, "key": {"revoked_at": "2026-03-01"}},
		"beyond the grant": {"item": {"source_id": "FAQ2"}, "key": {}},
		"another jurisdiction than the grant's": {"item": {"jurisdiction": "HK"}, "key": {}},
		"a higher classification than the grant's": {"item": {"data_classification": "CONFIDENTIAL"}, "key": {}},
	}
	facts := object.union(_signed, {"item": example.item})
	attestation.source_type == "third_party_api" with input as facts
		with data.registry.sources as _source(example.key)
}

test_what_is_not_of_its_time_counts_as_what_its_channel_makes_of_it[note] if {
	some note, item in {
		"signed in the future": {"attestation": {"age_seconds": -61}},
		"a receipt of the day before yesterday": {
			"source_type": "agent_output",
			"source_id": "agent:RISK",
			"attestation": {"method": "receipt", "issuer": "RISK", "age_seconds": 86401},
		},
	}
	facts := object.union(cases_test.good, {"item": item})
	attestation.source_type == "third_party_api" with input as facts
}

# Each way of vouching has its own grant, and none borrows that of another.
test_ways_of_vouching_are_not_mixed_up[note] if {
	some note, item in {
		"the library vouches for a source's item": {"attestation": {"method": "library"}},
		"a source vouches for the library's item": {
			"source_id": "tool_registry",
			"source_type": "reference_data",
			"jurisdiction": "GLOBAL",
		},
		"a source vouches for an agent's output": {"source_id": "agent:kb", "source_type": "agent_output"},
		"a source vouches for an agent's turn": {
			"source_id": "session:1",
			"source_type": "agent_output",
			"section": "conversation",
		},
	}
	facts := object.union(_signed, {"agent": {"id": "kb"}, "item": item})
	"ATT-004" in {refusal.code | some refusal in attestation.deny} with input as facts
		with data.registry.sources as _source({})
}

test_a_way_of_vouching_that_is_no_text_is_not_believed if {
	facts := object.union(cases_test.good, {"item": {"attestation": {"method": 3}}})
	"ATT-002" in {refusal.code | some refusal in attestation.deny} with input as facts
}

# Without a clock nobody knows whether a key was revoked, and without a time not whether it was in use.
test_times_that_cannot_be_read_are_not_believed[note] if {
	some note, change in {
		"no clock": {"now": null},
		"a clock that is a number": {"now": 20260301},
		"no time of signing": {"item": {"attestation": {"signed_at": null}}},
		"a time of signing that is a list": {"item": {"attestation": {"signed_at": ["2026-03-01"]}}},
	}
	codes := {refusal.code | some refusal in attestation.deny} with input as object.union(_signed, change)
		with data.registry.sources as _source({"revoked_at": "2026-02-01"})
	codes == {"ATT-002"}
	told := {refusal.code | some refusal in attestation.deny} with input as object.union(_signed, change)
		with data.registry.sources as _source({})
	told == {"ATT-002"}
}

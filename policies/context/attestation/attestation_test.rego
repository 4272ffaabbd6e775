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

package context.context_test

import data.context
import data.context.cases_test

facts(change) := object.union(cases_test.good, change)

# What may be found is what would be admitted.
test_reach_is_what_admit_decides[note] if {
	some note, item in {"good": {}, "of another domain": {"domain": "ORM"}}
	given := object.union(cases_test.good, {"item": item})
	answer := context.admit with input as given
	found := context.reach with input as given
	found == {"allow": answer.allow}
}

test_a_good_item_is_admitted_and_released if {
	context.admit.allow with input as cases_test.good
	context.admit.denials == [] with input as cases_test.good
	context.release.outcome == "released" with input as cases_test.good
}

test_outcomes[note] if {
	some note, example in {
		"masked": {
			"change": {"findings": [{"kind": "pii", "type": "PHONE_NUMBER", "score": 1}]},
			"outcome": "redacted",
		},
		"set aside": {
			"change": {"findings": [{"kind": "injection", "type": "r", "score": 0.96}]},
			"outcome": "quarantined",
		},
		"not screened": {"change": {"screened": []}, "outcome": "denied"},
		"not admitted": {"change": {"item": {"domain": "ORM"}}, "outcome": "denied"},
	}
	context.release.outcome == example.outcome with input as facts(example.change)
}

test_an_instruction_in_a_label_sets_aside_and_hides_the_label if {
	found := [{"label": "id", "kind": "injection", "type": "r", "score": 0.96}]
	told := {"findings": [], "item": {"label_findings": found}}
	context.release.outcome == "quarantined" with input as facts(told)
	codes := [refusal.code | some refusal in context.release.denials] with input as facts(told)
	codes == ["LAB-003"]
	rename := {"type": "rename", "fields": ["id"]}
	rename in context.admit.obligations with input as facts(told)
	rename in context.release.obligations with input as facts(told)
}

test_what_acts_in_a_text_is_neutralised if {
	told := {"findings": [{"kind": "rendering", "type": "chat_token", "score": 1}]}
	context.release.outcome == "released" with input as facts(told)
	due := {"type": "neutralise", "entities": ["chat_token"]}
	due in context.release.obligations with input as facts(told)
}

test_an_exception_in_force_waives_and_is_named if {
	change := {"item": {"source_id": "GFM_Booking_Guide_2024", "expiry_date": "2026-01-31"}}
	context.admit.allow with input as facts(change)
	context.admit.exceptions == ["EXC-2026-001"] with input as facts(change)
	context.release.exceptions == ["EXC-2026-001"] with input as facts(change)
}

test_an_expired_exception_refuses if {
	change := {
		"agent": {"id": "ORM_ANALYST"},
		"request": {"purpose": "incident_review"},
		"item": {"source_id": "ORM_Loss_Taxonomy_2019"},
	}
	codes := [refusal.code | some refusal in context.admit.denials] with input as facts(change)
	codes == ["EXC-001"]
}

test_an_exception_waives_only_its_codes if {
	change := {"item": {"source_id": "GFM_Booking_Guide_2024", "expiry_date": "2026-01-31", "age_seconds": 90000}}
	codes := [refusal.code | some refusal in context.admit.denials] with input as facts(change)
	codes == ["FRS-002"]
}

test_web_without_permission_can_be_waived if {
	granted := [{
		"id": "EXC-W",
		"codes": ["TRU-003"],
		"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
		"expires": "2027-01-01",
	}]
	change := {"item": {"source_type": "general_web"}}
	context.admit.allow with input as facts(change) with data.context.exceptions.granted as granted
}

test_nothing_known_is_denied_everywhere if {
	not context.scope.allow with input as {}
	context.scope.filters == {} with input as {}
	not context.admit.allow with input as {}
	context.release.outcome == "denied" with input as {}
	not context.pack.allow with input as {}
}

test_scope_and_pack_of_a_good_request if {
	context.scope.allow with input as cases_test.good
	"mas_notices" in context.scope.filters.corpora with input as cases_test.good
	change := {"agent": {"id": "MASTER_COO", "archetype": "orchestrator"}}
	context.pack.allow with input as facts(change)
}

test_warnings_and_refusals_of_release_carry_labels if {
	change := {"item": {"age_seconds": 80000}}
	context.release.obligations == [{"type": "cite"}, {"type": "warn_stale"}] with input as facts(change)
}

test_a_token_is_revealed_to_a_checker_and_not_to_an_analyst if {
	context.detokenize == {"allow": true, "denials": []} with input as facts({"subject": {"role": "checker"}})
	context.detokenize.allow == false with input as facts({})
	context.citation == {"allow": true, "denials": []} with input as facts({})
	context.citation.allow == false with input as facts({"sources": []})
}

test_an_orchestrator_gets_listed_members if {
	given := facts({
		"agent": {"archetype": "orchestrator"},
		"item": {"section": "entity", "media_type": "application/json", "structured": true},
		"screened": ["pii/patterns", "pii/structured", "pii/full", "injection", "rendering"],
	})
	data.context.release.outcome == "redacted" with input as given
	kinds := {obligation.type | some obligation in data.context.release.obligations} with input as given
	kinds == {"expose", "cite"}
}

test_a_pack_says_what_the_gateway_needs if {
	codes := {warning.code | some warning in context.pack.gateway_warnings} with input as cases_test.good
	codes == {"AGENT-DECLARED", "BUDGET-CUT", "QUARANTINED"}
	"KB-EMPTY" in context.pack.tell_the_model with input as cases_test.good
	"upload" in context.pack.may_stay_outside with input as cases_test.good
}

test_a_pack_leaves_out_what_loses_a_conflict_and_what_the_contract_limits if {
	turns := [{"id": id, "section": "conversation"} | some id in ["t1", "t2", "t3", "t4", "t5"]]
	sops := [
		{"id": "old", "section": "knowledge", "source_type": "bank_sop", "effective_date": "2025-01-01"},
		{"id": "new", "section": "knowledge", "source_type": "bank_sop", "effective_date": "2026-01-01"},
	]
	dates := [["new", "2026-01-01"], ["old", "2025-01-01"]]
	lots := [lot |
		some [id, day] in dates
		sides := [{"says": id, "jurisdiction": "SG", "items": [id]}]
		lot := {"source_type": "bank_sop", "effective_date": day, "sides": sides}
	]
	given := facts({"items": array.concat(turns, sops), "groups": [{"items": ["old", "new"], "lots": lots}]})
	lost := {[loss.item, loss.reason] | some loss in context.pack.drop} with input as given
	lost == {["t1", "contract"], ["old", "conflict"]}
}

test_what_counts_as_an_incident_comes_with_the_scope if {
	incidents := context.scope.incidents with input as cases_test.good
	"TRU-001" in incidents.trust
	not "TRU-004" in incidents.trust
}

test_without_a_table_nothing_counts_and_all_else_is_as_before if {
	context.scope.incidents == {} with input as cases_test.good with data.context.notices as {}
	context.scope.allow with input as cases_test.good with data.context.notices as {}
}

test_the_fields_to_compare_come_with_the_scope if {
	"credit_limit" in context.scope.compared_fields with input as cases_test.good
	context.scope.compared_fields == [] with input as cases_test.good with data.context.fields as {}
}

test_who_may_not_ask_is_told_nothing_to_look_for if {
	change := {"subject": {"role": "nobody"}}
	not context.scope.allow with input as facts(change)
	context.scope.filters == {} with input as facts(change)
}

test_what_an_item_was_taken_as_is_told if {
	context.admit.taken_as == "bank_sop" with input as cases_test.good
	context.release.taken_as == "third_party_api" with input as facts({"item": {"attestation": null}})
}

test_an_instruction_among_personal_data_is_set_aside_and_explained if {
	told := {"findings": [
		{"kind": "pii", "type": "PHONE_NUMBER", "score": 1},
		{"kind": "injection", "type": "r", "score": 0.96},
	]}
	context.release.outcome == "quarantined" with input as facts(told)
	codes := [refusal.code | some refusal in context.release.denials] with input as facts(told)
	codes == ["INJ-003"]
	mask := {"type": "redact", "operator": "mask", "entities": ["PHONE_NUMBER"]}
	mask in context.release.obligations with input as facts(told)
}

test_what_is_refused_is_not_called_set_aside if {
	told := {
		"findings": [{"kind": "injection", "type": "r", "score": 0.96}],
		"item": {
			"data_classification": "RESTRICTED",
			"label_findings": [{"label": "id", "kind": "injection", "type": "r", "score": 0.96}],
		},
	}
	codes := {refusal.code | some refusal in context.release.denials} with input as facts(told)
	"CLS-001" in codes
	count(codes & {"INJ-003", "LAB-003"}) == 0
}

test_a_waived_refusal_is_not_told_beside_another if {
	granted := [{
		"id": "EXC-W",
		"codes": ["TRU-003"],
		"scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
		"expires": "2027-01-01",
	}]
	change := {"item": {"source_type": "general_web", "data_classification": "RESTRICTED"}}
	codes := {refusal.code | some refusal in context.admit.denials} with input as facts(change)
		with data.context.exceptions.granted as granted
	"CLS-001" in codes
	not "TRU-003" in codes
}

across := object.union(cases_test.good, {
	"item": {"jurisdiction": "HK", "entity_id": "NPA-2026-00142"},
	"subject": {"department": "COO"},
	"exceptions": [object.union(cases_test.good.exception, {
		"codes": ["JUR-001", "JUR-002"],
		"approved_by": {"role": "approver", "department": "LEGAL"},
	})],
})

# What two officers approved lets through what it names, and is used by it alone.
test_an_exception_on_request_lets_an_item_across_the_border if {
	answer := context.admit with input as across
	answer.allow
	answer.exceptions == ["EXR-1"]
}

test_an_exception_on_request_waives_no_other_refusal if {
	restricted := object.union(across, {"item": {"data_classification": "RESTRICTED"}})
	answer := context.admit with input as restricted
	not answer.allow
	not "JUR-002" in {refusal.code | some refusal in answer.denials}
	"CLS-001" in {refusal.code | some refusal in answer.denials}
}

test_an_exception_on_request_is_not_used_by_what_needs_none if {
	at_home := object.union(across, {"request": {"jurisdictions": ["HK"]}, "subject": {"jurisdictions": ["HK"]}})
	answer := context.admit with input as at_home
	answer.allow
	answer.exceptions == []
}

test_an_officer_may_approve_within_the_table if {
	answer := context.exception with input as cases_test.good
	answer.allow
	answer.denials == []
}

test_an_exception_on_request_from_trust_and_freshness if {
	given := object.union(cases_test.good, {
		"item": {"source_type": "general_web", "expiry_date": "2026-02-28"},
		"exceptions": [object.union(cases_test.good.exception, {
			"codes": ["TRU-003", "FRS-004"],
			"scope": {
				"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP",
				"department": null, "entity_id": null, "jurisdiction": null,
			},
			"approved_by": {"role": "approver", "department": "RMG"},
		})],
	})
	answer := context.admit with input as given
	answer.exceptions == ["EXR-1"]
	not "TRU-003" in {refusal.code | some refusal in answer.denials}
}

# What is used is told where it waives a refusal of either area alone.
test_an_exception_on_request_is_used_by_either_area[code] if {
	some code, one in {
		"TRU-003": {"item": {"source_type": "general_web"}, "purpose": "classification"},
		"FRS-004": {"item": {"expiry_date": "2026-02-28"}, "purpose": "risk_assessment"},
	}
	given := object.union(cases_test.good, {
		"item": one.item,
		"request": {"purpose": one.purpose},
		"exceptions": [object.union(cases_test.good.exception, {
			"codes": [code],
			"scope": {
				"agent": "RISK", "purpose": one.purpose, "source_id": "SOP",
				"department": null, "entity_id": null, "jurisdiction": null,
			},
			"approved_by": {"role": "approver", "department": "RMG"},
		})],
	})
	answer := context.admit with input as given
	answer.allow
	answer.exceptions == ["EXR-1"]
}

test_a_document_is_taken_in_set_aside_or_denied if {
	data.context.document.outcome == "accepted" with input as cases_test.good
	suspicious := object.union(cases_test.good, {"findings": [{"kind": "injection", "type": "rule", "score": 0.95}]})
	answer := data.context.document with input as suspicious
	answer.outcome == "set_aside"
	not answer.allow
	{refusal.code | some refusal in answer.denials} == {"KNW-011"}
	data.context.document.outcome == "denied" with input as {}
}

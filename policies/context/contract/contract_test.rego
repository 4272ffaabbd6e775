package context.contract_test

import data.context.contract
import data.context.samples_test

record := {
	"id": "record",
	"section": "entity",
	"source_type": "system_of_record",
	"source_id": "SoR",
	"doc_section": "limits",
	"version": "live",
	"effective_date": null,
	"jurisdiction": "SG",
	"entity_id": "NPA-2026-00142",
}

sop := {
	"id": "sop",
	"section": "knowledge",
	"source_type": "bank_sop",
	"source_id": "SOP",
	"doc_section": "4",
	"version": "2",
	"effective_date": "2025-01-01",
	"jurisdiction": "GLOBAL",
	"entity_id": null,
}

result := {"id": "result", "section": "prior_result", "source_type": "agent_output"}

facts(change) := object.union(object.union(samples_test.good, {"items": [record, sop], "rivals": [], "contradictions": []}), change)

test_permitted[note] if {
	some note, change in {
		"a worker with its record and its knowledge": {},
		"a worker without knowledge": {"items": [record]},
		"a worker on nothing in particular": {
			"request": {"entity": null},
			"items": [{"id": "result", "section": "tool_result"}],
		},
		"an orchestrator with a question": {"agent": {"archetype": "orchestrator"}, "items": []},
		"a reviewer with what to review": {"agent": {"archetype": "reviewer"}, "items": [result, sop]},
		"a task in place of the query": {
			"request": {"has_query": false},
			"items": [record, sop, {"id": "task", "section": "task"}],
		},
	}
	contract.permit with input as facts(change)
	count(contract.deny) == 0 with input as facts(change)
}

test_refused[note] if {
	some note, example in {
		"a worker without a task": {"change": {"request": {"has_query": false}}, "codes": {"CTR-001"}},
		"a worker without the record": {"change": {"items": [sop]}, "codes": {"CTR-001", "CTR-002"}},
		"a record that is not of the system of record": {
			"change": {"items": [object.union(record, {"source_type": "agent_output"}), sop]},
			"codes": {"CTR-002"},
		},
		"a reviewer with nothing to review": {
			"change": {"agent": {"archetype": "reviewer"}, "items": [sop]},
			"codes": {"CTR-001"},
		},
		"an orchestrator with knowledge": {"change": {"agent": {"archetype": "orchestrator"}}, "codes": {"CTR-003"}},
		"an archetype without a contract": {
			"change": {"agent": {"archetype": "poet"}},
			"codes": {"CTR-001", "CTR-003", "CTR-004"},
		},
	}
	not contract.permit with input as facts(example.change)
	codes := {refusal.code | some refusal in contract.deny} with input as facts(example.change)
	codes == example.codes
}

test_nothing_known_is_refused if {
	not contract.permit with input as {}
	codes := {refusal.code | some refusal in contract.deny} with input as {}
	codes == {"CTR-001", "CTR-002", "CTR-003", "CTR-004"}
}

test_what_is_missing_is_named if {
	contract.missing == {"worker_output"} with input as facts({"agent": {"archetype": "reviewer"}, "items": [sop]})
}

test_missing_knowledge_warns if {
	codes := {warning.code | some warning in contract.warn} with input as facts({"items": [record]})
	codes == {"KB-EMPTY"}
}

conflict(left, right) := answer if {
	given := facts({"items": [record, left, right], "rivals": [[1, 2]]})
	lost := contract.drop with input as given
	warned := contract.warn with input as given
	answer := {
		"lost": {loss.item | some loss in lost},
		"warned": {warning.code | some warning in warned},
	}
}

test_conflicts[note] if {
	some note, example in {
		"the newer of two procedures prevails": {
			"left": sop,
			"right": object.union(sop, {"id": "newer", "version": "3", "effective_date": "2026-01-01"}),
			"answer": {"lost": {"sop"}, "warned": set()},
		},
		"whichever comes first": {
			"left": object.union(sop, {"id": "newer", "version": "3", "effective_date": "2026-01-01"}),
			"right": sop,
			"answer": {"lost": {"sop"}, "warned": set()},
		},
		"the system of record prevails over a sheet": {
			"left": object.union(record, {"id": "sheet", "source_type": "reference_data", "source_id": "sheet"}),
			"right": object.union(record, {"id": "live"}),
			"answer": {"lost": {"sheet"}, "warned": {"KB-EMPTY"}},
		},
		"group policy prevails over local policy": {
			"left": object.union(sop, {"id": "local", "jurisdiction": "SG", "version": "2-SG"}),
			"right": sop,
			"answer": {"lost": {"local"}, "warned": set()},
		},
		"newer local policy prevails over older group policy": {
			"left": object.union(sop, {"id": "local", "jurisdiction": "SG", "effective_date": "2026-01-01"}),
			"right": sop,
			"answer": {"lost": {"sop"}, "warned": set()},
		},
		"otherwise a person must look": {
			"left": sop,
			"right": object.union(sop, {"id": "other", "version": "2b"}),
			"answer": {"lost": set(), "warned": {"CONFLICT"}},
		},
		"one text for two places, undated": {
			"left": object.union(sop, {"id": "hk", "jurisdiction": "HK"}),
			"right": object.union(sop, {"id": "sg", "jurisdiction": "SG"}),
			"answer": {"lost": set(), "warned": {"CONFLICT"}},
		},
		"two chapters that nearly say the same need a person": {
			"left": sop,
			"right": object.union(sop, {"id": "chapter", "doc_section": "7"}),
			"answer": {"lost": set(), "warned": {"CONFLICT"}},
		},
		"two parts of one version do not conflict": {
			"left": sop,
			"right": object.union(sop, {"id": "part two"}),
			"answer": {"lost": set(), "warned": set()},
		},
	}
	conflict(example.left, example.right) == example.answer
}

clash(left, right) := answer if {
	given := facts({
		"items": [record, sop, left, right],
		"contradictions": [
			{"left": 2, "right": 3, "field": "credit_limit"},
			{"left": 2, "right": 3, "field": "remark"},
		],
	})
	gone := contract.yields with input as given
	warned := contract.warn with input as given
	answer := {
		"gone": {concat(".", [one.item, one.field]) | some one in gone},
		"warned": {warning.code | some warning in warned},
	}
}

test_fields_that_contradict[note] if {
	some note, example in {
		"the record's value stands": {
			"left": record,
			"right": result,
			"answer": {"gone": {"result.credit_limit"}, "warned": {"FIELD-CONFLICT"}},
		},
		"whichever comes first": {
			"left": result,
			"right": record,
			"answer": {"gone": {"result.credit_limit"}, "warned": {"FIELD-CONFLICT"}},
		},
		"a person must look at two results": {
			"left": object.union(result, {"jurisdiction": "SG"}),
			"right": object.union(result, {"id": "other", "jurisdiction": "SG"}),
			"answer": {"gone": set(), "warned": {"FIELD-UNDECIDED"}},
		},
	}
	clash(example.left, example.right) == example.answer
}

test_agents_of_their_own[note] if {
	some note, example in {
		"an agent that must not hear talk": {
			"change": {"agent": {"id": "AUTOFILL"}, "items": [record, sop, {"id": "turn", "section": "conversation"}]},
			"codes": {"CTR-003"},
		},
		"an agent that hears it": {
			"change": {"items": [record, sop, {"id": "turn", "section": "conversation"}]},
			"codes": set(),
		},
	}
	codes := {refusal.code | some refusal in contract.deny} with input as facts(example.change)
	codes == example.codes
}

test_an_agent_s_own_need_warns if {
	warned := contract.warn with input as facts({"agent": {"id": "CLASSIFIER"}, "items": [record]})
	{warning.code | some warning in warned} == {"KB-EMPTY"}
}

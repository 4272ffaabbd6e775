package context.scoping_test

import data.context.samples_test
import data.context.scoping

test_permitted[note] if {
	some note, change in {
		"an analyst asks for a risk assessment": {},
		"without an entity": {"request": {"entity": null}},
		"group-wide only": {"request": {"jurisdictions": ["GLOBAL"]}},
	}
	facts := object.union(samples_test.good, change)
	scoping.permit with input as facts
	count(scoping.deny) == 0 with input as facts
}

test_refused[note] if {
	some note, example in {
		"unknown role": {"change": {"subject": {"role": "intern"}}, "codes": {"SCP-001"}},
		"a purpose for other agents": {"change": {"request": {"purpose": "routing"}}, "codes": {"SCP-002"}},
		"a jurisdiction not held": {"change": {"request": {"jurisdictions": ["SG", "HK"]}}, "codes": {"SCP-003"}},
		"no jurisdiction": {"change": {"request": {"jurisdictions": []}}, "codes": {"SCP-003"}},
		"a department without the domain": {"change": {"subject": {"department": "DESK"}}, "codes": {"SCP-004"}},
		"an entity of another domain": {"change": {"request": {"entity": {"type": "incident"}}}, "codes": {"SCP-005"}},
	}
	facts := object.union(samples_test.good, example.change)
	not scoping.permit with input as facts
	codes := {refusal.code | some refusal in scoping.deny} with input as facts
	codes == example.codes
}

test_nothing_known_is_refused if {
	not scoping.permit with input as {}
	codes := {refusal.code | some refusal in scoping.deny} with input as {}
	codes == {"SCP-001", "SCP-002", "SCP-003", "SCP-004", "SCP-005"}
}

test_filters_name_what_may_be_looked_for if {
	filters := scoping.filters with input as samples_test.good
	filters.jurisdictions == ["GLOBAL", "SG"]
	filters.classifications == ["CONFIDENTIAL", "INTERNAL", "PUBLIC"]
	"mas_notices" in filters.corpora
}

test_release_modes[note] if {
	some note, example in {
		"durable where nothing is said": {"modes": {"sequenced": [], "witnessed": []}, "mode": "durable"},
		"sequenced": {"modes": {"sequenced": ["risk_assessment"], "witnessed": []}, "mode": "sequenced"},
		"the stricter of two": {
			"modes": {"sequenced": ["risk_assessment"], "witnessed": ["risk_assessment"]},
			"mode": "witnessed",
		},
	}
	mode := scoping.release_mode with input as samples_test.good
		with data.context.scoping.release_modes as example.modes
	mode == example.mode
}

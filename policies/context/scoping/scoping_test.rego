package context.scoping_test

import data.context.cases_test
import data.context.scoping

test_filters_name_what_may_be_looked_for if {
	filters := scoping.filters with input as cases_test.good
		with data.context.entitlement.clearance as {"analyst": "INTERNAL"}
	filters.jurisdictions == ["GLOBAL", "SG"]
	filters.classifications == ["INTERNAL", "PUBLIC"]
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
	mode := scoping.release_mode with input as cases_test.good
		with data.context.scoping.release_modes as example.modes
	mode == example.mode
}

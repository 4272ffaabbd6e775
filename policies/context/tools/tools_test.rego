package context.tools_test

import data.context.tools

_input(safety) := {
	"subject": {"department": "RMG", "domains": null, "entitlements": null, "agents": ["RISK"]},
	"agent": {"id": "RISK", "archetype": "worker", "domains": ["NPA"]},
	"request": {"purpose": "risk_assessment"},
	"tool": {"domains": ["NPA"], "safety": safety, "available": true},
}

# What is no list says nothing of what a tool may do, whatever stands in it.
test_only_a_list_says_what_a_tool_may_do[note] if {
	some note, example in {
		"a list": {"safety": ["reads"], "codes": set()},
		"no list": {"safety": {"first": "reads"}, "codes": {"TOL-002", "TOL-003"}},
		"a number": {"safety": 1, "codes": {"TOL-002", "TOL-003"}},
	}
	codes := {refusal.code | some refusal in tools.deny} with input as _input(example.safety)
	codes == example.codes
}

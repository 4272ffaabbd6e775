package context.signatures_test

import data.context.signatures

_tools := {
	"ask_outside": {"domains": ["NPA"], "safety": ["reads", "leaves_the_bank"]},
	"ask_inside": {"domains": ["NPA"], "safety": ["reads"]},
}

_input(tool, purpose) := {
	"subject": {"department": "RMG", "domains": null, "entitlements": null, "agents": ["RISK"]},
	"agent": {"id": "RISK", "archetype": "worker", "domains": ["NPA"]},
	"request": {"purpose": purpose},
	"item": {"section": "tool_schema", "tools": {"known": [tool], "changed": 0, "unknown": 0}},
}

# No shipped tool is for some purposes alone.
test_a_tool_is_told_of_for_its_purposes[note] if {
	some note, example in {
		"out of the bank, for research": {"tool": "ask_outside", "purpose": "general_research", "codes": set()},
		"out of the bank, for another purpose": {"tool": "ask_outside", "purpose": "risk_assessment", "codes": {"TOL-012"}},
		"inside, for any purpose": {"tool": "ask_inside", "purpose": "risk_assessment", "codes": set()},
	}
	codes := {refusal.code | some refusal in signatures.deny} with input as _input(example.tool, example.purpose)
		with data.registry.tools as _tools
	codes == example.codes
}

# What is no list names no tool that is known.
test_only_a_list_names_known_tools[note] if {
	some note, known in {"no list": {"first": "ask_inside"}, "a number": 1}
	facts := object.union(_input("ask_inside", "risk_assessment"), {"item": {"tools": {"known": known}}})
	codes := {refusal.code | some refusal in signatures.deny} with input as facts
		with data.registry.tools as _tools
	"TOL-010" in codes
}

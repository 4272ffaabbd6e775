# METADATA
# title: Signatures of tools
# description: |
#   What tells a model which tools it may call says of each what the registry says, and names only tools that the
#   agent may be shown, or is a text that the prompt library lists for the agent.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.admit_input
package context.signatures

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	tools_known
	tools_unchanged
	tools_for_agent
}

# METADATA
# title: Tool not on record
# description: The item tells of a tool that the registry does not have, or cannot be read as signatures of tools.
# related_resources:
#   - ref: https://controls.bank.example/AGT-044
# custom:
#   code: TOL-010
deny contains {"code": "TOL-010", "message": "The item tells of a tool that is not on record."} if {
	not tools_known
}

# METADATA
# title: Tool changed
# description: The item says something else of a tool than the registry.
# related_resources:
#   - ref: https://controls.bank.example/AGT-045
# custom:
#   code: TOL-011
deny contains {"code": "TOL-011", "message": "The item says something else of a tool than the registry."} if {
	not tools_unchanged
}

# METADATA
# title: Tool not for the agent
# description: The item tells of a tool that this agent is not shown for this purpose.
# related_resources:
#   - ref: https://controls.bank.example/AGT-046
# custom:
#   code: TOL-012
deny contains {"code": "TOL-012", "message": "The item tells of a tool that is not for this agent and purpose."} if {
	not tools_for_agent
}

tools_known if _elsewhere

tools_known if data.context.attestation.in_library

tools_known if {
	input.item.tools.unknown == 0
	is_array(input.item.tools.known)
	count(input.item.tools.known) > 0
}

tools_unchanged if _elsewhere

tools_unchanged if data.context.attestation.in_library

tools_unchanged if input.item.tools.changed == 0

tools_for_agent if _elsewhere

tools_for_agent if data.context.attestation.in_library

tools_for_agent if {
	every name in input.item.tools.known {
		_for_agent(name)
	}
}

_for_agent(name) if {
	some id, tool in data.registry.tools
	id == name
	data.context.tools.open_domain(tool)
	data.context.tools.safe(tool)
	data.context.tools.for_purpose(tool)
}

_elsewhere if {
	is_string(input.item.section)
	input.item.section != data.registry.offering.section
}

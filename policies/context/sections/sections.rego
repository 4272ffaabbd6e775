# METADATA
# title: Sections
# description: An item stands in a section that the agent's contract allows, and in the form that the section asks for.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.admit_input
package context.sections

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	section_permitted
	result_structured
	routing_where_it_belongs
}

# METADATA
# title: Section forbidden
# description: The agent's contract forbids items in this section, or does not speak of it.
# related_resources:
#   - ref: https://controls.bank.example/CTX-005
# custom:
#   code: CTR-005
deny contains {"code": "CTR-005", "message": "The agent's contract does not allow items in this section."} if {
	not section_permitted
}

# METADATA
# title: Raw result of another agent
# description: Between agents only structured results are passed on, never raw text or history.
# related_resources:
#   - ref: https://controls.bank.example/CTX-006
# custom:
#   code: CTR-006
deny contains {"code": "CTR-006", "message": "A result of another agent must be structured, never raw text."} if {
	not result_structured
}

# METADATA
# title: Routing data for a worker
# description: Which agent was asked what, and by whom, is for orchestrators; a worker gets its task.
# related_resources:
#   - ref: https://controls.bank.example/AGT-027
# custom:
#   code: CTR-012
deny contains {"code": "CTR-012", "message": "Routing and delegation data are not for this agent."} if {
	not routing_where_it_belongs
}

section_permitted if {
	input.item.section in data.context.contract.contracts[input.agent.archetype].allowed
	not _forbidden_to_agent
}

_forbidden_to_agent if input.item.section in data.context.contract.agents[input.agent.id].forbidden

result_structured if {
	is_string(input.item.section)
	not input.item.section in data.context.sections.structured
}

result_structured if {
	input.item.section in data.context.sections.structured
	input.item.media_type in data.context.sections.structured_media_types
}

routing_where_it_belongs if {
	is_string(input.item.section)
	not _routing
}

_routing if input.item.doc_section in data.context.sections.routing.labels

routing_where_it_belongs if input.agent.archetype in data.context.sections.routing.archetypes

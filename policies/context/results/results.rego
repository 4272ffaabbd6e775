# METADATA
# title: Results of agents
# description: A result that is passed on comes from a registered agent and is what the schema in its contract asks for.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.admit_input
package context.results

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	from_agent_on_record
	schema_on_record
	meets_schema
}

# METADATA
# title: Result of nobody on record
# description: A result names no registered agent as its source.
# related_resources:
#   - ref: https://controls.bank.example/AGT-022
# custom:
#   code: CTR-013
deny contains {"code": "CTR-013", "message": "The result does not come from a registered agent."} if {
	not from_agent_on_record
}

# METADATA
# title: Agent passes no results on
# description: The agent that the result names has no output schema on record, so that it passes no results on.
# related_resources:
#   - ref: https://controls.bank.example/AGT-023
# custom:
#   code: CTR-014
deny contains {"code": "CTR-014", "message": "The agent that the result names has no output schema on record."} if {
	not schema_on_record
}

# METADATA
# title: Result against its schema
# description: The result is not what the schema of the agent that it names asks for, or was not held against one.
# related_resources:
#   - ref: https://controls.bank.example/AGT-024
# custom:
#   code: CTR-015
deny contains {
	"code": "CTR-015",
	"message": "The result does not meet the output schema of the agent that it names.",
} if {
	not meets_schema
}

from_agent_on_record if _no_result

from_agent_on_record if data.registry.agents[_author]

schema_on_record if _no_result

# Of an agent that is not on record the rule above speaks.
schema_on_record if {
	_result
	not _passes_nothing_on
}

meets_schema if _no_result

meets_schema if input.item.meets_schema == true

_result if input.item.section in data.context.results.sections

_no_result if {
	is_string(input.item.section)
	not _result
}

_author := trim_prefix(input.item.source_id, data.context.results.author_prefix) if {
	is_string(input.item.source_id)
	startswith(input.item.source_id, data.context.results.author_prefix)
}

_passes_nothing_on if {
	data.registry.agents[_author]
	not _schema
}

_schema := data.registry.outputs[data.registry.contracts[data.registry.agents[_author].contract].output_schema]

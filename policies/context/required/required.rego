# METADATA
# title: Required sources
# description: The sources that the agent's contract requires gave something that may be used.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.pack_input
package context.required

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	sources_present
}

# METADATA
# title: Required source missing
# description: A source that the agent's contract requires gave nothing that may be used.
# related_resources:
#   - ref: https://controls.bank.example/CTX-012
# custom:
#   code: CTR-007
deny contains {
	"code": "CTR-007",
	"message": "A source that the agent's contract requires gave nothing that may be used.",
} if {
	not sources_present
}

sources_present if {
	_contract
	is_array(input.items)
	count(missing) == 0
}

# METADATA
# description: The names of those sources whose absence refuses the pack, for the error.
missing contains need.name if {
	some need in _absent
	need.missing == "refuse"
}

# METADATA
# title: Required source missing, go on
# description: A source that the agent's contract wants gave nothing that may be used; the model is told which.
# related_resources:
#   - ref: https://controls.bank.example/CTX-013
# custom:
#   code: SRC-MISSING
warn contains {
	"code": "SRC-MISSING",
	"message": concat("", [
		"Nothing usable came from these sources: ",
		concat(", ", _wanted),
		". Say so where it matters.",
	]),
	"items": [],
} if {
	count(_wanted) > 0
}

_wanted contains need.name if {
	some need in _absent
	need.missing == "warn"
}

_contract := data.registry.contracts[data.registry.agents[input.agent.id].contract]

_absent contains need if {
	some need in _contract.required_sources
	_applies(need)
	not _given(need)
}

_applies(need) if need.with_entity == false

# Where it is not known whether there is an entity, there is one: more is required then.
_applies(need) if {
	need.with_entity == true
	not _without_entity
}

_without_entity if input.request.entity == null

# An item fills a need only where somebody vouches for its labels: a name alone is the caller's word.
_names contains item.source_id if {
	some item in input.items
	is_string(item.attested_by)
	is_string(item.source_id)
}

_names contains item.corpus if {
	some item in input.items
	is_string(item.corpus)
	is_string(item.attested_by)
}

_names contains id if some id in _answering

_names_of_entity contains item.source_id if {
	some item in input.items
	item.entity_id == input.request.entity.id
	is_string(item.attested_by)
	is_string(item.source_id)
}

_names_of_entity contains id if some id in _answering

_answering contains source.id if {
	some source in input.asked
	source.status == "answered"
}

# What is needed of the entity of the request no other entity's item can fill.
_given(need) if {
	need.with_entity == false
	_named(need, _names)
}

_given(need) if {
	need.with_entity == true
	_named(need, _names_of_entity)
}

_named(need, names) if need.name in names

_named(need, names) if {
	some name in need.sources
	name in names
}

_named(need, names) if {
	some pattern in need.sources
	endswith(pattern, "*")
	some beginning in [trim_suffix(pattern, "*")]
	some name in names
	startswith(name, beginning)
}

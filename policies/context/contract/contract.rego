# METADATA
# title: Contract
# description: The items together give the agent what its contract requires, and nothing that it forbids.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.pack_input
package context.contract

# METADATA
# description: |
#   Every condition below holds. A condition we cannot check does not hold; without a contract it is not known
#   what is required, so something always is missing.
permit if {
	required_present
	entity_data_present
	within_contract
}

# METADATA
# title: Required context missing
# description: A section that the agent's contract requires is not there (context starvation).
# related_resources:
#   - ref: https://controls.bank.example/CTX-001
# custom:
#   code: CTR-001
deny contains {"code": "CTR-001", "message": "A section that the agent's contract requires is missing."} if {
	not required_present
}

# METADATA
# title: Entity data empty
# description: The set lacks the live record of the request's own entity; that of another entity is no substitute.
# related_resources:
#   - ref: https://controls.bank.example/CTX-002
# custom:
#   code: CTR-002
deny contains {"code": "CTR-002", "message": "There is no system-of-record data about the entity of the request."} if {
	not entity_data_present
}

# METADATA
# title: Forbidden section
# description: A section that the agent's contract forbids is there.
# related_resources:
#   - ref: https://controls.bank.example/CTX-003
# custom:
#   code: CTR-003
deny contains {"code": "CTR-003", "message": "A section that the agent's contract forbids is there."} if {
	not within_contract
}

# METADATA
# title: Contract not known
# description: The agent's archetype has no contract on record.
# related_resources:
#   - ref: https://controls.bank.example/CTX-004
# custom:
#   code: CTR-004
deny contains {"code": "CTR-004", "message": "The agent's archetype has no contract on record."} if {
	not contract_known
}

contract_known if _terms

required_present if {
	contract_known
	is_array(input.items)
	not _something_missing
}

_something_missing if {
	some need in _unfilled
	need.missing == "refuse"
}

entity_data_present if {
	is_string(input.agent.archetype)
	not input.agent.archetype in data.context.contract.entity_data_for
}

entity_data_present if input.request.entity == null

entity_data_present if {
	some item in input.items
	item.section == data.context.contract.entity_section
	item.source_type == data.context.contract.entity_source
	item.entity_id == input.request.entity.id
}

within_contract if {
	contract_known
	is_array(input.items)
	not _something_forbidden
}

_something_forbidden if {
	some section in _sections
	section in _terms.forbidden
}

_something_forbidden if {
	some section in _sections
	section in data.context.contract.agents[input.agent.id].forbidden
}

# Once for all conditions, since a set may have many items and a contract many needs.
_sections contains item.section if some item in input.items

_labels contains item.doc_section if some item in input.items

_terms := data.context.contract.contracts[input.agent.archetype]

_needs contains need if some need in _terms.required

_filled contains need if {
	some need in _needs
	some section in need.sections
	section in _sections
}

_filled contains need if {
	some need in _needs
	some label in need.labels
	label in _labels
}

_filled contains need if {
	some need in _needs
	need.query_fills
	input.request.has_query
}

_unfilled contains need if {
	some need in _needs
	not need in _filled
}

# METADATA
# description: The names of those needs whose absence refuses the pack, for the error.
missing contains need.name if {
	some need in _unfilled
	need.missing == "refuse"
}

# METADATA
# title: Knowledge base empty
# description: No knowledge was found, so that the agent must say when a claim has no documentary support.
# related_resources:
#   - ref: https://controls.bank.example/CTX-007
# custom:
#   code: KB-EMPTY
warn contains {
	"code": "KB-EMPTY",
	"message": "No relevant documents were found. State when a claim is made without documentary support.",
	"items": [],
} if {
	some need in _unfilled
	need.missing == "warn"
}

# METADATA
# title: Works without
# description: The agent works without something that its contract asks for and that it can do without.
# related_resources:
#   - ref: https://controls.bank.example/CTX-016
# custom:
#   code: CTX-THIN
warn contains {
	"code": "CTX-THIN",
	"message": concat("", ["The agent works without: ", concat(", ", _noted), "."]),
	"items": [],
} if {
	count(_noted) > 0
}

_noted contains need.name if {
	some need in _unfilled
	need.missing == "note"
}

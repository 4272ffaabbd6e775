# METADATA
# title: Pack
# description: |
#   The items together give the agent what its contract asks for, nothing that it forbids, and no two
#   answers to one question without saying so.
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
	nothing_required_missing
	entity_data_present
	nothing_forbidden_present
}

# METADATA
# title: Required context missing
# description: A section that the agent's contract requires is not there (context starvation).
# related_resources:
#   - ref: https://controls.bank.example/CTX-001
# custom:
#   code: CTR-001
deny contains {"code": "CTR-001", "message": "A section that the agent's contract requires is missing."} if {
	not nothing_required_missing
}

# METADATA
# title: Entity data empty
# description: There is no live system-of-record item about the entity of the request.
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
	not nothing_forbidden_present
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

contract_known if terms

nothing_required_missing if {
	contract_known
	is_array(input.items)
	not any_refusal_missing
}

any_refusal_missing if {
	some need in missing_needs
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
}

nothing_forbidden_present if {
	contract_known
	is_array(input.items)
	not any_forbidden
}

any_forbidden if {
	some item in input.items
	item.section in terms.forbidden
}

any_forbidden if {
	some item in input.items
	item.section in data.context.contract.agents[input.agent.id].forbidden
}

terms := data.context.contract.contracts[input.agent.archetype]

# METADATA
# description: The needs of the contract that no item fills.
missing_needs contains need if {
	some need in terms.required
	not filled(need)
}

missing_needs contains need if {
	some need in data.context.contract.agents[input.agent.id].required
	not filled(need)
}

# METADATA
# description: The names of those needs whose absence refuses the pack, for the error.
missing contains need.name if {
	some need in missing_needs
	need.missing == "refuse"
}

filled(need) if {
	some item in input.items
	item.section in need.sections
}

filled(need) if {
	need.query_fills
	input.request.has_query
}

# METADATA
# title: Knowledge base empty
# description: No knowledge was found, so that the agent must say when a claim has no documentary support.
# custom:
#   code: KB-EMPTY
warn contains {
	"code": "KB-EMPTY",
	"message": "No relevant documents were found. State when a claim is made without documentary support.",
	"items": [],
} if {
	some need in missing_needs
	need.missing == "warn"
}

# METADATA
# title: Sources conflict
# description: Two sources say different things about one subject and no rule tells which one holds.
# custom:
#   code: CONFLICT
warn contains {
	"code": "CONFLICT",
	"message": "Two sources differ and no rule decides between them. A person must review this.",
	"items": [input.items[pair[0]].id, input.items[pair[1]].id],
} if {
	some pair in _rivals
	not prevails(input.items[pair[0]], input.items[pair[1]])
	not prevails(input.items[pair[1]], input.items[pair[0]])
}

# METADATA
# description: Items that lose a conflict, and to which one. Where several prevail, each is named.
drop contains {"item": input.items[pair[1]].id, "reason": "conflict", "in_favour_of": input.items[pair[0]].id} if {
	some pair in _rivals
	prevails(input.items[pair[0]], input.items[pair[1]])
}

drop contains {"item": input.items[pair[0]].id, "reason": "conflict", "in_favour_of": input.items[pair[1]].id} if {
	some pair in _rivals
	prevails(input.items[pair[1]], input.items[pair[0]])
}

# The request names the pairs that speak of one section of one source, or of one section on one entity.
_rivals contains pair if {
	some pair in input.rivals
	is_string(input.items[pair[0]].id)
	is_string(input.items[pair[1]].id)
	differ(input.items[pair[0]], input.items[pair[1]])
}

differ(left, right) if left.version != right.version

differ(left, right) if left.effective_date != right.effective_date

differ(left, right) if left.source_id != right.source_id

differ(left, right) if left.doc_section != right.doc_section

differ(left, right) if left.jurisdiction != right.jurisdiction

# Two items on one entity give one field different values: of the fields that the table names, the one that prevails stands.
_contradictions contains one if {
	some one in input.contradictions
	one.field in data.context.contract.compared_fields
	is_string(input.items[one.left].id)
	is_string(input.items[one.right].id)
}

# METADATA
# description: Fields that give way to the same field of another item.
yields contains {
	"item": input.items[one.right].id,
	"field": one.field,
	"in_favour_of": input.items[one.left].id,
} if {
	some one in _contradictions
	prevails(input.items[one.left], input.items[one.right])
}

yields contains {
	"item": input.items[one.left].id,
	"field": one.field,
	"in_favour_of": input.items[one.right].id,
} if {
	some one in _contradictions
	prevails(input.items[one.right], input.items[one.left])
}

# METADATA
# title: Field gave way
# description: Two items gave one field different values, and a rule told which one stands.
# custom:
#   code: FIELD-CONFLICT
warn contains {
	"code": "FIELD-CONFLICT",
	"message": "A field was left out of an item since another item with more authority gives it another value.",
	"items": [input.items[one.left].id, input.items[one.right].id],
} if {
	some one in _contradictions
	_one_prevails(input.items[one.left], input.items[one.right])
}

# METADATA
# title: Fields conflict
# description: Two items give one field different values and no rule tells which one stands.
# custom:
#   code: FIELD-UNDECIDED
warn contains {
	"code": "FIELD-UNDECIDED",
	"message": "Two items give one field different values and no rule decides between them. A person must review this.",
	"items": [input.items[one.left].id, input.items[one.right].id],
} if {
	some one in _contradictions
	not _one_prevails(input.items[one.left], input.items[one.right])
}

_one_prevails(left, right) if prevails(left, right)

_one_prevails(left, right) if prevails(right, left)

# The system of record prevails over everything else.
prevails(winner, loser) if {
	winner.source_type == data.context.contract.entity_source
	not loser.source_type == data.context.contract.entity_source
}

# Between two SOPs the newer effective date prevails.
prevails(winner, loser) if {
	both_versioned(winner, loser)
	winner.effective_date > loser.effective_date
}

# Group policy prevails over local policy, where neither of the above decides.
prevails(winner, loser) if {
	winner.jurisdiction == data.context.jurisdiction.group_wide
	not loser.jurisdiction == data.context.jurisdiction.group_wide
	same_kind(winner, loser)
	not dated_apart(winner, loser)
}

same_kind(left, right) if left.source_type == right.source_type

dated_apart(left, right) if {
	both_versioned(left, right)
	left.effective_date != right.effective_date
}

both_versioned(left, right) if {
	left.source_type == data.context.contract.versioned_source
	right.source_type == data.context.contract.versioned_source
	is_string(left.effective_date)
	is_string(right.effective_date)
}

# METADATA
# title: Entity
# description: |
#   An item that belongs to an entity is used only in a request about that entity, or about one whose own record
#   lists it
#   as related; and a request is made only for jurisdictions of its entity.
# organizations:
#   - Group Data Office
# schemas:
#   - input: schema.admit_input
package context.entity

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	within_entity
	request_names_entity
	entity_named
	jurisdictions_of_entity
}

# METADATA
# title: Another entity
# description: |
#   The item belongs to another entity than the request's, and the request's record does not list it as related.
# related_resources:
#   - ref: https://controls.bank.example/GDO-010
# custom:
#   code: ENY-001
deny contains {"code": "ENY-001", "message": "The item belongs to another entity than the request's."} if {
	not within_entity
}

# METADATA
# title: Request without an entity
# description: The item belongs to an entity, and the request is about none.
# related_resources:
#   - ref: https://controls.bank.example/GDO-011
# custom:
#   code: ENY-002
deny contains {"code": "ENY-002", "message": "The item belongs to an entity, and the request names none."} if {
	not request_names_entity
}

# METADATA
# title: Entity not named
# description: The item does not say which entity it belongs to, as items of its source type in its section must.
# related_resources:
#   - ref: https://controls.bank.example/GDO-012
# custom:
#   code: ENY-003
deny contains {"code": "ENY-003", "message": "The item does not name the entity that it belongs to."} if {
	not entity_named
}

# METADATA
# title: Jurisdictions are not the entity's
# description: The request is for a jurisdiction that the entity, by its own record, does not belong to.
# related_resources:
#   - ref: https://controls.bank.example/GDO-013
# custom:
#   code: ENY-004
deny contains {
	"code": "ENY-004",
	"message": "The request is for a jurisdiction that is not one of its entity's record.",
} if {
	not jurisdictions_of_entity
}

within_entity if input.item.entity_id == null

# A request about nothing has no entity that another one could differ from: that it has none is said below.
within_entity if {
	is_string(input.item.entity_id)
	input.request.entity == null
}

within_entity if input.item.entity_id == input.request.entity.id

within_entity if {
	some record in _records
	input.item.entity_id in record.related
}

request_names_entity if input.item.entity_id == null

request_names_entity if is_string(input.request.entity.id)

entity_named if {
	is_string(input.item.section)
	not data.context.entity.must_name_an_entity[input.item.section]
}

entity_named if {
	some section, types in data.context.entity.must_name_an_entity
	section == input.item.section
	is_string(data.context.attestation.source_type)
	not data.context.attestation.source_type in types
}

entity_named if is_string(input.item.entity_id)

# METADATA
# description: |
#   Whether the request is for jurisdictions of its entity alone, as far as a record of it says which those are.
jurisdictions_of_entity if {
	is_array(input.records)
	is_array(input.request.jurisdictions)
	count(foreign_jurisdictions) == 0
}

# METADATA
# description: The jurisdictions of the request that the entity, by its record, does not belong to. An array, sorted.
foreign_jurisdictions := [jurisdiction | some jurisdiction in _foreign]

_foreign contains jurisdiction if {
	some record in _records
	count(record.jurisdictions) > 0
	not data.context.jurisdiction.group_wide in record.jurisdictions
	some jurisdiction in input.request.jurisdictions
	jurisdiction != data.context.jurisdiction.group_wide
	not jurisdiction in record.jurisdictions
}

# The records that speak for the entity of the request: its own, of the system of record of the request's domain, and
# recent. What a caller only says is a record is none.
_records contains record if {
	some record in input.records
	record.section == data.context.contract.entity_section
	record.entity_id == input.request.entity.id
	record.domain == input.request.domain
	record.source_id in data.registry.domains[input.request.domain].record.source_ids
	data.context.attestation.source_type_of(record) in data.context.entity.record_types
	record.age_seconds >= 0
	record.age_seconds <= data.context.entity.record_within_seconds
}

# METADATA
# title: Record of the entity
# description: |
#   What a set of items must fit of the record of its entity, and which error tells the caller where it does not.
# organizations:
#   - Group Data Office
# schemas:
#   - input: schema.pack_input
package context.record

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	jurisdictions_fit
}

# METADATA
# title: Pack for jurisdictions that are not the entity's
# description: The pack is asked for a jurisdiction that the entity, by its own record, does not belong to.
# related_resources:
#   - ref: https://controls.bank.example/GDO-013
# custom:
#   code: ENY-005
deny contains {
	"code": "ENY-005",
	"message": "The pack is asked for a jurisdiction that is not one of its entity's record.",
} if {
	not jurisdictions_fit
}

jurisdictions_fit if data.context.entity.jurisdictions_of_entity

# METADATA
# description: |
#   Which of the gateway's errors says what is wrong with the entity, and what it names: the jurisdictions that are
#   not the
#   entity's, or the sources from which its record comes. At most one: without the right jurisdictions nothing is
#   left to miss.
errors contains {"kind": "entity_jurisdictions", "names": data.context.entity.foreign_jurisdictions} if {
	not jurisdictions_fit
}

errors contains {"kind": "entity_data_empty", "names": [source | some source in _sources_of_record]} if {
	jurisdictions_fit
	not data.context.contract.entity_data_present
}

_sources_of_record contains id if {
	some id, source in data.registry.sources
	data.context.contract.entity_source in source.grant.source_types
	input.request.domain in source.grant.domains
}

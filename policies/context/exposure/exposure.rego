# METADATA
# title: Exposure
# description: Of structured items an agent sees the members that its archetype needs, and no others.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.admit_input
package context.exposure

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	members_can_be_listed
}

# METADATA
# title: Members cannot be listed
# description: Only listed members of this kind of item may be shown, and the item is not structured.
# related_resources:
#   - ref: https://controls.bank.example/ISO-001
# custom:
#   code: EXP-001
deny contains {
	"code": "EXP-001",
	"message": "Only listed members of such items may be shown, and this one is not structured.",
} if {
	not members_can_be_listed
}

members_can_be_listed if {
	is_string(input.agent.archetype)
	is_string(input.item.section)
	not _shown_in_part
}

members_can_be_listed if {
	_shown_in_part
	input.item.media_type in data.context.exposure.structured_media_types
}

_shown_in_part if data.context.exposure.exposed_fields[input.agent.archetype][input.item.section]

# METADATA
# description: What must be done before release, where only some members may be shown.
obligations contains {"type": "expose", "fields": fields} if {
	some section, fields in data.context.exposure.exposed_fields[input.agent.archetype]
	section == input.item.section
}

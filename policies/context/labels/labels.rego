# METADATA
# title: Labels
# description: |
#   Labels name an item and say nothing else: what instructs somebody, or is somebody's, has no place in an id, a
#   source, a version or a section, which stand in prompts and records.
# organizations:
#   - AI Governance
# schemas:
#   - input: schema.admit_input
package context.labels

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	labels_read
	values_acceptable
	plain
	declared
}

# METADATA
# title: Labels not read
# description: Nobody looked at what the item's labels say, so it cannot be released.
# related_resources:
#   - ref: https://controls.bank.example/AIG-020
# custom:
#   code: LAB-001
deny contains {"code": "LAB-001", "message": "The item's labels were not looked at."} if {
	not labels_read
}

# METADATA
# title: Personal data in a label
# description: A label of the item holds personal data that the requester may not receive as it is.
# related_resources:
#   - ref: https://controls.bank.example/DPO-032
# custom:
#   code: LAB-002
deny contains {"code": "LAB-002", "message": "A label of the item holds personal data; give it another name."} if {
	not values_acceptable
}

# METADATA
# title: A label that acts
# description: A label of the item holds a token of a chat template, or what fetches or links where it is rendered.
# related_resources:
#   - ref: https://controls.bank.example/AIG-023
# custom:
#   code: LAB-004
deny contains {"code": "LAB-004", "message": "A label of the item would act where it is rendered."} if {
	not plain
}

# METADATA
# title: Label not declared
# description: The item carries a label that is not declared for its source type, or not with what it says.
# related_resources:
#   - ref: https://controls.bank.example/AIG-024
# custom:
#   code: LAB-005
deny contains {"code": "LAB-005", "message": "The item carries a label that is not declared as it is used."} if {
	not declared
}

declared if input.item.labels_declared == true

plain if {
	is_array(input.item.label_findings)
	count(_acting) == 0
}

_acting contains finding.label if {
	is_array(input.item.label_findings)
	some finding in input.item.label_findings
	finding.kind == "rendering"
}

labels_read if {
	is_array(input.item.label_findings)
	every finding in input.item.label_findings {
		is_string(finding.kind)
		is_string(finding.type)
		is_string(finding.label)
	}
}

values_acceptable if {
	is_array(input.item.label_findings)
	not _value_hidden
}

_value_hidden if {
	some finding in _personal
	not _shown(finding.type)
}

# A type that the role may see as it is, unless a law that applies asks for more.
_shown(type) if {
	data.context.pii.types[type][input.subject.role] == data.context.labels.shown_operator
	not _restricted(type)
}

_restricted(type) if {
	some place in data.context.jurisdiction.applicable
	some restricted, operator in data.context.pii.floors[place]
	restricted == type
	operator != data.context.labels.shown_operator
}

_personal contains finding if {
	is_array(input.item.label_findings)
	some finding in input.item.label_findings
	data.context.pii.acted_on(finding)
	not _by_right(finding)
}

_by_right(finding) if {
	finding.type == data.context.labels.people
	finding.label in data.context.labels.may_name_people
}

# METADATA
# title: Instructions in a label
# description: A label of the item looks like instructions to the model, so the item is set aside.
# related_resources:
#   - ref: https://controls.bank.example/AIG-021
# custom:
#   code: LAB-003
set_aside contains {"code": "LAB-003", "message": "A label of the item looks like instructions to the model."} if {
	not instructs_nobody
}

instructs_nobody if count(_instructing) == 0

_instructing contains finding.label if {
	is_array(input.item.label_findings)
	some finding in input.item.label_findings
	finding.kind == "injection"
	not _below(finding)
}

# A score we cannot read is not below anything.
_below(finding) if {
	is_number(finding.score)
	finding.score < data.context.labels.injection_score
}

# METADATA
# description: Labels that records may not repeat, so that a keyed name stands in their place.
obligations contains {"type": "rename", "fields": _renamed} if {
	count(_renamed) > 0
}

_renamed := [label | some label in _told]

_told contains label if some label in _instructing

_told contains label if some label in _acting

_told contains finding.label if {
	some finding in _personal
	not finding.type in data.context.labels.recorded
}

# An id that may be a person's: nothing need be found in it for that.
_told contains label if {
	some label, types in data.context.labels.named_after_documents
	not _document(types)
}

_document(types) if input.item.source_type in types

# METADATA
# title: Personal data
# description: |
#   Each kind of personal value found in an item is released, masked, replaced, redacted or refused by the
#   requester's role; the law of every jurisdiction concerned may ask for more, and the strictest applies.
# organizations:
#   - Group Data Protection Office
# schemas:
#   - input: schema.release_input
package context.pii

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	screened
	types_acceptable
}

# METADATA
# title: Not screened
# description: The item was not screened for personal data, so it cannot be released.
# related_resources:
#   - ref: https://controls.bank.example/DPO-030
# custom:
#   code: PII-001
deny contains {"code": "PII-001", "message": "The item was not screened for personal data."} if {
	not screened
}

# METADATA
# title: Personal data refused
# description: The item holds personal data that the requester may not receive in any form.
# related_resources:
#   - ref: https://controls.bank.example/DPO-031
# custom:
#   code: PII-002
deny contains {"code": "PII-002", "message": "The item holds personal data that the requester may not receive."} if {
	not types_acceptable
}

screened if {
	_findings_readable
	profile in input.screened
}

_findings_readable if {
	is_array(input.findings)
	every finding in input.findings {
		is_string(finding.kind)
		is_string(finding.type)
	}
}

types_acceptable if {
	is_array(input.findings)
	not _refused_type_found
}

_refused_type_found if {
	some treatment in _treatments
	treatment.operator == "deny"
}

_refused_type_found if {
	some treatment in _treatments
	not treatment.operator in object.keys(data.context.pii.strictness)
}

# METADATA
# description: Entity types found with a score worth acting on. A score we cannot read counts as certain.
_found contains type if {
	is_array(input.findings)
	some finding in input.findings
	some type in [finding.type]
	acted_on(finding)
}

# METADATA
# description: Whether a finding is of personal data, with a score worth acting on.
acted_on(finding) if {
	finding.kind == "pii"
	not _negligible(finding)
}

# A score that is no number says nothing, and null would be below every threshold.
_negligible(finding) if {
	is_number(finding.score)
	finding.score < _threshold_for(finding.type)
}

_threshold_for(type) := data.context.pii.minimum_score[type]

_threshold_for(type) := data.context.pii.minimum_score.default if {
	not data.context.pii.minimum_score[type]
}

# METADATA
# description: What the requester's role and the law of each jurisdiction ask for, per entity type found.
_demands contains {"type": type, "operator": operator} if {
	some type in _found
	some role, operator in data.context.pii.types[type]
	role == input.subject.role
}

_demands contains {"type": type, "operator": data.context.pii.default_operator} if {
	some type in _found
	not type in _types_of_role
}

_demands contains {"type": type, "operator": operator} if {
	some place in data.context.jurisdiction.applicable
	some type, operator in data.context.pii.floors[place]
	type in _found
}

_types_of_role contains type if {
	some type in _found
	data.context.pii.types[type][input.subject.role]
}

# METADATA
# description: The strictest demand for each entity type found.
_treatments contains demand if {
	some demand in _demands
	not _outranked(demand)
}

_outranked(demand) if {
	some other in _demands
	other.type == demand.type
	data.context.pii.strictness[other.operator] > data.context.pii.strictness[demand.operator]
}

# METADATA
# description: One obligation per operator, with the entity types it is for.
obligations contains {"type": "redact", "operator": name, "entities": entities} if {
	some name in object.keys(data.context.pii.strictness)
	not name in data.context.pii.no_change
	entities := [type | some treatment in _treatments; treatment.operator == name; some type in [treatment.type]]
	count(entities) > 0
}

# METADATA
# description: The screening profile for the item, by what it is and where it comes from.
default profile := "pii/full"

profile := data.context.pii.profiles.structured if _structured

profile := data.context.pii.profiles.by_source_type[data.context.attestation.labelled_as] if {
	not _structured
	is_string(data.context.attestation.by)
}

# What the content is and not what it is said to be: a media type is the caller's word.
_structured if input.item.structured == true

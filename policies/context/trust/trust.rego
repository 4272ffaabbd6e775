# METADATA
# title: Trust
# description: |
#   Every item is TRUSTED or UNTRUSTED by its source, and has an authority tier from 1 to 5.
#   Untrusted content is data, never instructions.
# organizations:
#   - AI Governance
# schemas:
#   - input: schema.admit_input
package context.trust

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	source_allowed
	source_known
	web_permitted
	provenance_complete
	section_fits_trust
}

# METADATA
# title: Source never allowed
# description: Unverified, social, unattributed, hearsay and pretended policy content is never used.
# related_resources:
#   - ref: https://controls.bank.example/AIG-001
# custom:
#   code: TRU-001
deny contains {"code": "TRU-001", "message": "Content of this source type is never allowed."} if {
	not source_allowed
}

# METADATA
# title: Source not known
# description: The item carries no source type, or one without a trust class on record.
# related_resources:
#   - ref: https://controls.bank.example/AIG-002
# custom:
#   code: TRU-002
deny contains {"code": "TRU-002", "message": "The item's source type has no trust class on record."} if {
	not source_known
}

# METADATA
# title: Web not permitted
# description: The general web is read only for purposes that permit it.
# related_resources:
#   - ref: https://controls.bank.example/AIG-003
# custom:
#   code: TRU-003
deny contains {"code": "TRU-003", "message": "The request's purpose does not permit general web content."} if {
	not web_permitted
}

# METADATA
# title: Provenance incomplete
# description: The item lacks a label that its source type must carry to be relied on.
# related_resources:
#   - ref: https://controls.bank.example/AIG-004
# custom:
#   code: TRU-004
deny contains {"code": "TRU-004", "message": "The item's provenance is incomplete for its source type."} if {
	not provenance_complete
}

# METADATA
# title: Untrusted instructions
# description: Untrusted content is data, so it has no place in a section that instructs the model.
# related_resources:
#   - ref: https://controls.bank.example/AIG-005
# custom:
#   code: TRU-005
deny contains {
	"code": "TRU-005",
	"message": "Untrusted content may not stand in a section that instructs the model.",
} if {
	not section_fits_trust
}

source_allowed if {
	is_string(data.context.attestation.source_type)
	not data.context.attestation.source_type in data.context.trust.never_allowed
}

source_known if data.context.trust.sources[data.context.attestation.source_type]

source_known if data.context.attestation.source_type in data.context.trust.never_allowed

web_permitted if {
	is_string(data.context.attestation.source_type)
	data.context.attestation.source_type != data.context.trust.web_source
}

web_permitted if input.request.purpose in data.context.trust.web_purposes

provenance_complete if count(_missing_labels) == 0

_missing_labels := [label |
	some label in data.context.trust.required_labels[data.context.attestation.source_type]
	not label in _present
]

section_fits_trust if trust_class == data.context.trust.unfenced_trust_class

section_fits_trust if {
	is_string(input.item.section)
	not input.item.section in data.context.trust.instructing_sections
}

# What an agent wrote is relied on only where it is of the form that the agent's schema asks for. Where no schema
# applies its own signature is enough; a receipt is not, since it binds the agent and the pack and leaves the text open.
_as_agreed if {
	input.item.meets_schema == null
	not _by_receipt
}

_by_receipt if input.item.attestation.method == "receipt"

_as_agreed if input.item.meets_schema == true

_present contains label if {
	some label in data.context.trust.required_labels[data.context.attestation.source_type]
	is_string(input.item[label])
}

_present contains label if {
	some label in data.context.trust.required_labels[data.context.attestation.source_type]
	some name, _ in input.item.labels
	name == label
}

# METADATA
# description: The trust class of the item's source. A source without one is not trusted.
default trust_class := "UNTRUSTED"

trust_class := data.context.trust.sources[data.context.attestation.source_type].trust_class if _as_agreed

# METADATA
# description: The authority tier of the item's source. A source without one has the lowest.
default authority_tier := 5

authority_tier := data.context.trust.sources[data.context.attestation.source_type].authority_tier if _as_agreed

# METADATA
# description: What must be done to the item because of where it comes from.
obligations contains {"type": "fence"} if {
	trust_class != data.context.trust.unfenced_trust_class
}

obligations contains {"type": "label_web_source"} if {
	data.context.attestation.source_type == data.context.trust.web_source
}

obligations contains {"type": "cite"} if data.context.attestation.source_type in data.context.trust.cited

# METADATA
# title: Context decisions
# description: |
#   The questions that the gateway asks. Each answer is always defined: `allow` or `outcome` decides, `denials` explain,
#   in a stable order. Which areas help to answer which question stands in areas/data.yaml.
# organizations:
#   - AI Governance
package context

# METADATA
# title: May this request be made at all, and what may be looked for?
# entrypoint: true
# schemas:
#   - input: schema.scope_input
scope := {
	"allow": _scope_permitted,
	"denials": [refusal | some refusal in _scope_denials],
	"filters": _filters,
	"release_mode": data.context.scoping.release_mode,
	"incidents": _incidents,
	"compared_fields": _compared_fields,
	"data_sensitivity": data.context.classification.request_sensitivity,
	"label_screenings": data.context.labels.screenings,
	"together": data.context.injection.together,
}

default _filters := {}

_filters := data.context.scoping.filters if _scope_permitted

# Which codes the metrics count as incidents; what they count never decides.
default _incidents := {}

_incidents := data.context.notices.incidents

# Which fields of JSON items the gateway compares; of others `pack` is told nothing.
default _compared_fields := []

_compared_fields := data.context.fields.compared_fields

# METADATA
# title: May this item be considered, by its labels alone?
# entrypoint: true
# schemas:
#   - input: schema.admit_input
admit := {
	"allow": _admit_permitted,
	"denials": [refusal | some refusal in _admit_denials],
	"trust_class": data.context.trust.trust_class,
	"authority_tier": data.context.trust.authority_tier,
	"screen": array.concat(_screenings, data.context.injection.guards),
	"obligations": [obligation | some obligation in _label_obligations],
	"exceptions": [id | some id in _exceptions_in_use],
	"taken_as": _taken_as,
	"attested_by": data.context.attestation.by,
	"validatable": data.context.attestation.validatable,
}

_screenings := [data.context.pii.profile, data.context.injection.detector, data.context.rendering.screening]

default _taken_as := null

_taken_as := data.context.attestation.source_type

_label_obligations contains obligation if some obligation in data.context.trust.obligations

_label_obligations contains obligation if some obligation in data.context.freshness.obligations

_label_obligations contains obligation if some obligation in data.context.labels.obligations

# METADATA
# title: May an item with these labels be found at all?
# description: What `admit` decides, without the reasons; asked of every combination of labels before a search.
# entrypoint: true
# schemas:
#   - input: schema.admit_input
reach := {"allow": _admit_permitted}

# METADATA
# title: May this item be released, and how?
# description: The same conditions again, and what was found in the content.
# entrypoint: true
# schemas:
#   - input: schema.release_input
release := {
	"outcome": _outcome,
	"denials": [refusal | some refusal in _release_denials],
	"obligations": [obligation | some obligation in _release_obligations],
	"trust_class": data.context.trust.trust_class,
	"authority_tier": data.context.trust.authority_tier,
	"exceptions": [id | some id in _exceptions_in_use],
	"taken_as": _taken_as,
}

default _outcome := "denied"

_outcome := "quarantined" if {
	_release_permitted
	_set_aside
}

_outcome := "redacted" if {
	_release_permitted
	not _set_aside
	_redaction_due
}

_outcome := "released" if {
	_release_permitted
	not _set_aside
	not _redaction_due
}

_set_aside if count(data.context.injection.set_aside) > 0

_set_aside if count(data.context.labels.set_aside) > 0

_redaction_due if count(data.context.pii.obligations) > 0

_redaction_due if count(data.context.exposure.obligations) > 0

# What is set aside is explained too, once nothing refuses the item.
_release_denials contains refusal if {
	_release_permitted
	some refusal in data.context.injection.set_aside
}

_release_denials contains refusal if {
	_release_permitted
	some refusal in data.context.labels.set_aside
}

_release_obligations contains obligation if some obligation in _label_obligations

_release_obligations contains obligation if some obligation in data.context.pii.obligations

_release_obligations contains obligation if some obligation in data.context.exposure.obligations

_release_obligations contains obligation if some obligation in data.context.rendering.obligations

# METADATA
# title: Do these items together make a pack for this agent?
# entrypoint: true
# schemas:
#   - input: schema.pack_input
pack := {
	"allow": _pack_permitted,
	"denials": [refusal | some refusal in _pack_denials],
	"errors": [error | some error in data.context.record.errors],
	"missing": [name | some name in data.context.contract.missing],
	"missing_sources": [name | some name in data.context.required.missing],
	"drop": [loss | some loss in _drops],
	"yields": [one | some one in data.context.fields.yields],
	"warnings": [warning | some warning in _pack_warnings],
	"tell_the_model": data.context.notices.tell_the_model,
	"gateway_warnings": [warning | some warning in _gateway_warnings],
	"may_stay_outside": data.context.sections.may_stay_outside,
}

_drops contains loss if some loss in data.context.limits.drop

_drops contains loss if some loss in data.context.conflicts.drop

# What the gateway says of a pack itself, in the words of the table.
_gateway_warnings contains {"code": code, "message": row.message} if {
	some code, row in data.context.notices.raised_by_gateway
}

# METADATA
# title: May the requester learn what a token stands for?
# entrypoint: true
# schemas:
#   - input: schema.detokenize_input
detokenize := {
	"allow": _detokenize_permitted,
	"denials": [refusal | some refusal in _detokenize_denials],
}

# METADATA
# title: Is a claim grounded in what it cites?
# entrypoint: true
# schemas:
#   - input: schema.citation_input
citation := {
	"allow": _citation_permitted,
	"denials": [refusal | some refusal in _citation_denials],
}

# METADATA
# title: May this exception be asked for, or approved?
# entrypoint: true
# schemas:
#   - input: schema.exception_input
exception := {
	"allow": _exception_permitted,
	"denials": [refusal | some refusal in _exception_denials],
}

# METADATA
# title: May the agent be shown this tool?
# entrypoint: true
# schemas:
#   - input: schema.tool_input
tool := {
	"allow": _tool_permitted,
	"denials": [refusal | some refusal in _tool_denials],
}

# METADATA
# title: May this document be taken in?
# entrypoint: true
# schemas:
#   - input: schema.document_input
document := {
	"allow": _document_outcome == "accepted",
	"outcome": _document_outcome,
	"denials": [refusal | some refusal in _document_reasons],
	"screen": data.context.knowledge.screenings,
}

default _document_outcome := "denied"

_document_outcome := "set_aside" if {
	_document_permitted
	count(data.context.knowledge.set_aside) > 0
}

_document_outcome := "accepted" if {
	_document_permitted
	count(data.context.knowledge.set_aside) == 0
}

_document_reasons contains refusal if some refusal in _document_denials

# What is set aside is explained too, once nothing refuses the document.
_document_reasons contains refusal if {
	_document_permitted
	some refusal in data.context.knowledge.set_aside
}

_exceptions_in_use contains id if some id in data.context.exceptions.in_use

# One that two officers approved is used where something is refused that it waives, and not by whatever it is for.
_exceptions_in_use contains one.id if {
	some one in data.context.exceptions.approved
	some code in one.codes
	code in _waivable_refusals
}

# Refusals there are, and each of them is waived by an exception in force.
_waived(refusals) if {
	count(refusals) > 0
	every refusal in refusals {
		refusal.code in data.context.exceptions.waived
	}
}

# Areas: written from areas/data.yaml by `ctxgate policy areas --write`; edit that list, not these lines.

default _scope_permitted := false

_scope_permitted if {
	data.context.scoping.permit
	data.context.standing.permit
}

_scope_denials contains refusal if {
	not _scope_permitted
	some refusal in data.context.scoping.deny
}

_scope_denials contains refusal if {
	not _scope_permitted
	some refusal in data.context.standing.deny
}

default _admit_permitted := false

_admit_permitted if {
	data.context.entitlement.permit
	_jurisdiction_permitted
	data.context.classification.permit
	data.context.exceptions.permit
	data.context.sections.permit
	data.context.results.permit
	data.context.exposure.permit
	data.context.attestation.permit
	data.context.signatures.permit
	data.context.entity.permit
	_trust_permitted
	_freshness_permitted
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.entitlement.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.jurisdiction.deny
	not refusal.code in data.context.exceptions.waived
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.classification.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.exceptions.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.sections.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.results.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.exposure.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.attestation.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.signatures.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.entity.deny
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.trust.deny
	not refusal.code in data.context.exceptions.waived
}

_admit_denials contains refusal if {
	not _admit_permitted
	some refusal in data.context.freshness.deny
	not refusal.code in data.context.exceptions.waived
}

_jurisdiction_permitted if data.context.jurisdiction.permit

_jurisdiction_permitted if _waived(data.context.jurisdiction.deny)

_waivable_refusals contains refusal.code if some refusal in data.context.jurisdiction.deny

_trust_permitted if data.context.trust.permit

_trust_permitted if _waived(data.context.trust.deny)

_waivable_refusals contains refusal.code if some refusal in data.context.trust.deny

_freshness_permitted if data.context.freshness.permit

_freshness_permitted if _waived(data.context.freshness.deny)

_waivable_refusals contains refusal.code if some refusal in data.context.freshness.deny

default _release_permitted := false

_release_permitted if {
	_admit_permitted
	data.context.labels.permit
	data.context.pii.permit
	data.context.injection.permit
	data.context.rendering.permit
}

_release_denials contains refusal if some refusal in _admit_denials

_release_denials contains refusal if {
	not _release_permitted
	some refusal in data.context.labels.deny
}

_release_denials contains refusal if {
	not _release_permitted
	some refusal in data.context.pii.deny
}

_release_denials contains refusal if {
	not _release_permitted
	some refusal in data.context.injection.deny
}

_release_denials contains refusal if {
	not _release_permitted
	some refusal in data.context.rendering.deny
}

default _pack_permitted := false

_pack_permitted if {
	data.context.record.permit
	data.context.contract.permit
	data.context.required.permit
	data.context.review.permit
}

_pack_denials contains refusal if {
	not _pack_permitted
	some refusal in data.context.record.deny
}

_pack_denials contains refusal if {
	not _pack_permitted
	some refusal in data.context.contract.deny
}

_pack_denials contains refusal if {
	not _pack_permitted
	some refusal in data.context.required.deny
}

_pack_denials contains refusal if {
	not _pack_permitted
	some refusal in data.context.review.deny
}

_pack_warnings contains warning if some warning in data.context.contract.warn

_pack_warnings contains warning if some warning in data.context.required.warn

_pack_warnings contains warning if some warning in data.context.limits.warn

_pack_warnings contains warning if some warning in data.context.conflicts.warn

_pack_warnings contains warning if some warning in data.context.fields.warn

_pack_warnings contains warning if some warning in data.context.notices.warn

default _exception_permitted := false

_exception_permitted if {
	data.context.granting.permit
}

_exception_denials contains refusal if {
	not _exception_permitted
	some refusal in data.context.granting.deny
}

default _detokenize_permitted := false

_detokenize_permitted if {
	data.context.detokenization.permit
}

_detokenize_denials contains refusal if {
	not _detokenize_permitted
	some refusal in data.context.detokenization.deny
}

default _citation_permitted := false

_citation_permitted if {
	data.context.grounding.permit
}

_citation_denials contains refusal if {
	not _citation_permitted
	some refusal in data.context.grounding.deny
}

default _tool_permitted := false

_tool_permitted if {
	data.context.tools.permit
}

_tool_denials contains refusal if {
	not _tool_permitted
	some refusal in data.context.tools.deny
}

default _document_permitted := false

_document_permitted if {
	data.context.knowledge.permit
}

_document_denials contains refusal if {
	not _document_permitted
	some refusal in data.context.knowledge.deny
}

# End of what is written from areas/data.yaml.

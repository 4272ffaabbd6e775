# METADATA
# title: Context decisions
# description: |
#   The four documents the gateway asks for. Each is always defined: `allow` decides, `denials` explain, in a
#   stable order.
# organizations:
#   - AI Governance
package context

# METADATA
# title: May this request be made at all, and what may be looked for?
# entrypoint: true
# schemas:
#   - input: schema.scope_input
scope := {
	"allow": _scope_allowed,
	"denials": [refusal | some refusal in data.context.scoping.deny],
	"filters": _filters,
	"screening": {"detectors": [data.context.pii.profile, data.context.injection.detector]},
	"release_mode": data.context.scoping.release_mode,
}

default _scope_allowed := false

_scope_allowed if {
	data.context.scoping.permit
}

default _filters := {}

_filters := data.context.scoping.filters if {
	data.context.scoping.permit
}

# METADATA
# title: May this item be considered, by its labels alone?
# entrypoint: true
# schemas:
#   - input: schema.admit_input
admit := {
	"allow": _admitted,
	"denials": [refusal | some refusal in _admit_denials],
	"trust_class": data.context.trust.trust_class,
	"authority_tier": data.context.trust.authority_tier,
	"screen": array.concat([data.context.pii.profile, data.context.injection.detector], data.context.injection.guards),
	"obligations": [obligation | some obligation in _label_obligations],
	"exceptions": [id | some id in data.context.exceptions.in_use],
}

default _admitted := false

_admitted if {
	data.context.entitlement.permit
	data.context.jurisdiction.permit
	data.context.classification.permit
	data.context.exceptions.permit
	_section_permitted
	_result_structured
	data.context.exposure.permit
	_trust_permitted
	_freshness_permitted
}

_admit_denials contains refusal if {
	not _admitted
	some refusal in data.context.entitlement.deny
}

_admit_denials contains refusal if {
	not _admitted
	some refusal in data.context.jurisdiction.deny
}

_admit_denials contains refusal if {
	not _admitted
	some refusal in data.context.classification.deny
}

_admit_denials contains refusal if {
	not _admitted
	some refusal in data.context.exceptions.deny
}

_admit_denials contains refusal if {
	not _admitted
	some refusal in data.context.exposure.deny
}

_admit_denials contains refusal if {
	not _admitted
	some refusal in data.context.trust.deny
	not refusal.code in data.context.exceptions.waived
}

_admit_denials contains refusal if {
	not _admitted
	some refusal in data.context.freshness.deny
	not refusal.code in data.context.exceptions.waived
}

# METADATA
# title: Section forbidden
# description: The agent's contract forbids items in this section, or does not speak of it.
# related_resources:
#   - ref: https://controls.bank.example/CTX-005
# custom:
#   code: CTR-005
_admit_denials contains {"code": "CTR-005", "message": "The agent's contract does not allow items in this section."} if {
	not _section_permitted
}

# METADATA
# title: Raw result of another agent
# description: Between agents only structured results are passed on, never raw text or history.
# related_resources:
#   - ref: https://controls.bank.example/CTX-006
# custom:
#   code: CTR-006
_admit_denials contains {"code": "CTR-006", "message": "A result of another agent must be structured, never raw text."} if {
	not _result_structured
}

_section_permitted if {
	input.item.section in data.context.contract.terms.optional
	not _section_forbidden_to_agent
}

_section_forbidden_to_agent if input.item.section in data.context.contract.agents[input.agent.id].forbidden

_result_structured if {
	is_string(input.item.section)
	not input.item.section in data.context.contract.structured_sections
}

_result_structured if {
	input.item.section in data.context.contract.structured_sections
	input.item.media_type in data.context.contract.structured_media_types
}

_trust_permitted if data.context.trust.permit

_trust_permitted if _waived(data.context.trust.deny)

_freshness_permitted if data.context.freshness.permit

_freshness_permitted if _waived(data.context.freshness.deny)

# Refusals there are, and each of them is waived by an exception in force.
_waived(refusals) if {
	count(refusals) > 0
	every refusal in refusals {
		refusal.code in data.context.exceptions.waived
	}
}

_label_obligations contains obligation if some obligation in data.context.trust.obligations

_label_obligations contains obligation if some obligation in data.context.freshness.obligations

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
	"exceptions": [id | some id in data.context.exceptions.in_use],
}

default _releasable := false

_releasable if {
	_admitted
	data.context.pii.permit
	data.context.injection.permit
}

default _outcome := "denied"

_outcome := "quarantined" if {
	_releasable
	_set_aside
}

_outcome := "redacted" if {
	_releasable
	not _set_aside
	_redaction_due
}

_outcome := "released" if {
	_releasable
	not _set_aside
	not _redaction_due
}

_set_aside if count(data.context.injection.set_aside) > 0

_redaction_due if count(data.context.pii.obligations) > 0

_redaction_due if count(data.context.exposure.obligations) > 0

_release_denials contains refusal if some refusal in _admit_denials

_release_denials contains refusal if some refusal in data.context.pii.deny

_release_denials contains refusal if some refusal in data.context.injection.deny

_release_denials contains refusal if {
	_releasable
	some refusal in data.context.injection.set_aside
}

_release_obligations contains obligation if some obligation in _label_obligations

_release_obligations contains obligation if some obligation in data.context.pii.obligations

_release_obligations contains obligation if some obligation in data.context.exposure.obligations

# METADATA
# title: Do these items together make a pack for this agent?
# entrypoint: true
# schemas:
#   - input: schema.pack_input
pack := {
	"allow": _pack_allowed,
	"denials": [refusal | some refusal in data.context.contract.deny],
	"missing": [name | some name in data.context.contract.missing],
	"drop": [loss | some loss in data.context.contract.drop],
	"yields": [one | some one in data.context.contract.yields],
	"warnings": [warning | some warning in data.context.contract.warn],
}

default _pack_allowed := false

_pack_allowed if {
	data.context.contract.permit
}

# METADATA
# title: May the requester learn what a token stands for?
# entrypoint: true
# schemas:
#   - input: schema.detokenize_input
detokenize := {
	"allow": _detokenizable,
	"denials": [refusal | some refusal in data.context.detokenization.deny],
}

default _detokenizable := false

_detokenizable if {
	data.context.detokenization.permit
}

# METADATA
# title: Is a claim grounded in what it cites?
# entrypoint: true
# schemas:
#   - input: schema.citation_input
citation := {
	"allow": _claim_grounded,
	"denials": [refusal | some refusal in data.context.grounding.deny],
}

default _claim_grounded := false

_claim_grounded if {
	data.context.grounding.permit
}

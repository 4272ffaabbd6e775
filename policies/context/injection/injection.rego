# METADATA
# title: Injected instructions
# description: Content that looks like instructions to the model is set aside, or refused when it is certain.
# organizations:
#   - AI Governance
# schemas:
#   - input: schema.release_input
package context.injection

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	screened
	below_refusal
	authority_claims_permitted
	passed_review_if_any
}

# METADATA
# title: Not screened
# description: The item was not screened for injected instructions, so it cannot be released.
# related_resources:
#   - ref: https://controls.bank.example/AIG-010
# custom:
#   code: INJ-001
deny contains {"code": "INJ-001", "message": "The item was not screened for injected instructions."} if {
	not screened
}

# METADATA
# title: Certain injection
# description: The item holds instructions to the model with a score at which its source is refused.
# related_resources:
#   - ref: https://controls.bank.example/AIG-011
# custom:
#   code: INJ-002
deny contains {"code": "INJ-002", "message": "The item holds instructions to the model."} if {
	not below_refusal
}

# METADATA
# title: Claims to be policy
# description: The item claims to be policy or to replace it, and comes from a source that may not.
# related_resources:
#   - ref: https://controls.bank.example/AIG-013
# custom:
#   code: INJ-004
deny contains {"code": "INJ-004", "message": "The item claims to be policy, which its source may not."} if {
	not authority_claims_permitted
}

# METADATA
# title: Refused on review
# description: Two reviewers looked at this content when it was set aside, and refused it.
# related_resources:
#   - ref: https://controls.bank.example/AIG-014
# custom:
#   code: INJ-005
deny contains {"code": "INJ-005", "message": "The content was refused on review."} if {
	not passed_review_if_any
}

screened if {
	is_array(input.findings)
	data.context.injection.detector in input.screened
}

below_refusal if {
	is_array(input.findings)
	is_number(_limits.deny)
	not _certain
}

_certain if {
	is_array(input.findings)
	some finding in input.findings
	finding.kind == "injection"
	not _below(finding, _limits.deny)
}

# METADATA
# title: Suspected injection
# description: The item looks like instructions to the model, so it is set aside for review.
# related_resources:
#   - ref: https://controls.bank.example/AIG-012
# custom:
#   code: INJ-003
set_aside contains {"code": "INJ-003", "message": "The item looks like instructions to the model."} if {
	not below_suspicion
}

below_suspicion if {
	is_array(input.findings)
	is_number(_limits.quarantine)
	not _suspected
}

below_suspicion if data.context.exceptions.released_on_review

authority_claims_permitted if {
	is_array(input.findings)
	not _poses_as_policy
}

_poses_as_policy if {
	is_array(input.findings)
	some finding in input.findings
	finding.kind == "injection"
	finding.type in data.context.injection.refused_signs[data.context.trust.trust_class]
}

passed_review_if_any if {
	is_array(input.reviews)
	not _refused_on_review
}

_refused_on_review if {
	is_array(input.reviews)
	some review in input.reviews
	review.verdict == "denied"
}

_suspected if {
	is_array(input.findings)
	some finding in input.findings
	finding.kind == "injection"
	not _below(finding, _limits.quarantine)
}

# A score we cannot read is not below anything.
_below(finding, limit) if {
	is_number(finding.score)
	finding.score < limit
}

_limits := data.context.injection.by_source_type[data.context.attestation.labelled_as]

_limits := data.context.injection.thresholds[data.context.trust.trust_class] if {
	not _has_own_limits
}

_has_own_limits if data.context.injection.by_source_type[data.context.attestation.labelled_as]

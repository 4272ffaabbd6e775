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

screened if {
	is_array(input.findings)
	data.context.injection.detector in input.screened
}

below_refusal if {
	is_array(input.findings)
	not certain
}

certain if {
	is_array(input.findings)
	some finding in input.findings
	finding.kind == "injection"
	not below(finding, limits.deny)
}

# METADATA
# title: Suspected injection
# description: The item looks like instructions to the model, so it is set aside for review.
# related_resources:
#   - ref: https://controls.bank.example/AIG-012
# custom:
#   code: INJ-003
set_aside contains {"code": "INJ-003", "message": "The item looks like instructions to the model."} if {
	not unsuspected
}

unsuspected if {
	is_array(input.findings)
	not suspected
}

suspected if {
	is_array(input.findings)
	some finding in input.findings
	finding.kind == "injection"
	not below(finding, limits.quarantine)
}

# A score we cannot read is not below anything.
below(finding, limit) if {
	is_number(finding.score)
	finding.score < limit
}

limits := data.context.injection.thresholds[data.context.trust.trust_class]

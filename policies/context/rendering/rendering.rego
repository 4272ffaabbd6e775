# METADATA
# title: Rendering
# description: |
#   A text does nothing where it is rendered: it speaks to no chat template, and what nobody trusts fetches and links
#   nothing, neither in a prompt nor where an answer repeats it.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.release_input
package context.rendering

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	screened
}

# METADATA
# title: Rendering not looked at
# description: Nobody looked at what the item would do where it is rendered, so it cannot be released.
# related_resources:
#   - ref: https://controls.bank.example/AIG-022
# custom:
#   code: RND-001
deny contains {"code": "RND-001", "message": "The item was not looked at for what it does where it is rendered."} if {
	not screened
}

screened if {
	is_array(input.findings)
	data.context.rendering.screening in input.screened
}

# METADATA
# description: What must be done to the text, with the kinds that were found and may not stay.
obligations contains {"type": "neutralise", "entities": _due} if {
	count(_due) > 0
}

_due := [kind | some kind in _found]

_found contains finding.type if {
	is_array(input.findings)
	some finding in input.findings
	finding.kind == "rendering"
	finding.type in data.context.rendering.neutralised[data.context.trust.trust_class]
}

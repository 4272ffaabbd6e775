# METADATA
# title: Governed exceptions
# description: |
#   A refusal may be waived only by an exception on record, with an owner, a scope, an expiry and a rollback
#   trigger, and only for refusals that can be waived at all. An expired exception refuses.
# organizations:
#   - Group Compliance
# schemas:
#   - input: schema.release_input
package context.exceptions

# METADATA
# description: No exception that was made for this item has run out.
permit if exceptions_current

# METADATA
# title: Exception expired
# description: The exception that let this item pass has expired and has not been renewed.
# related_resources:
#   - ref: https://controls.bank.example/GCO-001
# custom:
#   code: EXC-001
deny contains {"code": "EXC-001", "message": "The exception granted for this item has expired."} if {
	not exceptions_current
}

exceptions_current if not _lapsed

# METADATA
# description: The codes waived for this item by exceptions in force.
waived contains code if {
	some exception in _in_force
	some code in exception.codes
	code in data.context.exceptions.waivable
}

# METADATA
# description: The exceptions in force for this item.
in_use contains exception.id if some exception in _in_force

in_use contains review.id if some review in _releases

# METADATA
# description: Two reviewers released this content, for this agent, purpose and source, and their release is in force.
released_on_review if count(_releases) > 0

_releases contains review if {
	some review in _agreed
	review.verdict in {"released", "validated"}
}

# METADATA
# description: The acts in force by which two officers validated this content, for this agent, purpose and source.
validations contains review.id if {
	some review in _agreed
	review.verdict == "validated"
}

_agreed contains review if {
	is_array(input.reviews)
	is_string(input.now)
	some review in input.reviews
	review.scope.agent == input.agent.id
	review.scope.purpose == input.request.purpose
	review.scope.source_id == input.item.source_id
	is_string(review.expires)
	review.expires > input.now
}

_lapsed if {
	some exception in _for_this_item
	not exception in _in_force
	not _renewed
}

_renewed if count(in_use) > 0

_in_force contains exception if {
	is_string(input.now)
	some exception in _for_this_item
	is_string(exception.expires)
	exception.expires > input.now
}

_for_this_item contains exception if {
	some exception in data.context.exceptions.granted
	exception.scope.agent == input.agent.id
	exception.scope.purpose == input.request.purpose
	exception.scope.source_id == input.item.source_id
}

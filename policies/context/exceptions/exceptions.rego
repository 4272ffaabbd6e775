# METADATA
# title: Governed exceptions
# description: |
#   A refusal may be waived only by an exception on record, with an owner, a scope, an expiry and a rollback
#   trigger, and only for refusals that can be waived at all. An expired exception of the table refuses; one that two
#   officers approved while the bundle decides waives nothing any more.
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

waived contains code if {
	some exception in approved
	some code in exception.codes
}

# METADATA
# description: The exceptions that two officers approved on request and that hold now, for this item.
approved contains exception if {
	is_array(input.exceptions)
	some exception in input.exceptions
	waivable_on_request(exception)
	short_enough(exception)
	narrow_enough(exception)
	entitled(exception, exception.approved_by)
	_holds(exception)
	_applies(exception)
}

# METADATA
# description: Whether the table lets officers waive every code that an exception names.
waivable_on_request(exception) if {
	is_array(exception.codes)
	count(exception.codes) > 0
	not _names_another(exception)
}

_names_another(exception) if {
	some code in exception.codes
	not _on_request(code)
}

_on_request(code) if data.context.exceptions.on_request[code]

# METADATA
# description: Whether an exception ends within the days that the table allows for each of its codes.
short_enough(exception) if {
	is_number(exception.lasts_seconds)
	exception.lasts_seconds > 0
	not _too_long(exception)
}

_too_long(exception) if {
	some code in exception.codes
	not _within(exception.lasts_seconds, code)
}

_within(seconds, code) if seconds <= data.context.exceptions.on_request[code].days * 86400

# METADATA
# description: Whether an exception names what the table wants named for each of its codes.
narrow_enough(exception) if {
	is_object(exception.scope)
	not _too_wide(exception)
}

_too_wide(exception) if {
	some code in exception.codes
	not _names_one(exception.scope, code)
}

_too_wide(exception) if {
	some code in exception.codes
	some member in data.context.exceptions.on_request[code].must_name
	not _names(exception.scope, member)
}

_names_one(scope, code) if {
	some member in data.context.exceptions.on_request[code].one_of
	_names(scope, member)
}

_names(scope, member) if is_string(scope[member])

# METADATA
# description: Whether an officer may approve an exception for each of its codes, by role and department.
entitled(exception, officer) if {
	is_string(officer.role)
	not _beyond(exception, officer)
}

_beyond(exception, officer) if {
	some code in exception.codes
	not _approves(officer, code)
}

_approves(officer, code) if {
	officer.role in data.context.exceptions.on_request[code].roles
	officer.department in data.context.exceptions.on_request[code].departments
}

_holds(exception) if {
	_before(input.now, exception.expires)
	_not_ended(exception)
	exception.used_up == false
	exception.while_bundle_decides in {null, true}
	exception.names_requester in {null, true}
}

_not_ended(exception) if exception.until == null

_not_ended(exception) if _before(input.now, exception.until)

# Whatever an exception names must be so: what the item is called counts only where somebody vouches for it.
_applies(exception) if {
	is_string(data.context.attestation.by)
	_same(exception.scope.agent, input.agent.id)
	_same(exception.scope.purpose, input.request.purpose)
	_same(exception.scope.role, input.subject.role)
	_same(exception.scope.department, input.subject.department)
	_same(exception.scope.source_id, input.item.source_id)
	_same(exception.scope.source_type, data.context.attestation.source_type)
	_same(exception.scope.domain, input.item.domain)
	_same(exception.scope.entity_id, input.item.entity_id)
	_same(exception.scope.jurisdiction, input.item.jurisdiction)
	_same(exception.scope.classification, input.item.data_classification)
}

_same(wanted, _) if wanted == null

_same(wanted, found) if {
	is_string(wanted)
	wanted == found
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
	some review in input.reviews
	review.scope.agent == input.agent.id
	review.scope.purpose == input.request.purpose
	review.scope.source_id == input.item.source_id
	_before(input.now, review.expires)
}

_lapsed if {
	some exception in _for_this_item
	not exception in _in_force
	not _renewed
}

_renewed if count(in_use) > 0

_in_force contains exception if {
	some exception in _for_this_item
	_before(input.now, exception.expires)
}

# A time that is written in another way compares as a text and would never come: it has passed.
_before(now, end) if {
	_readable(now)
	_readable(end)
	trim_suffix(now, "Z") < trim_suffix(end, "Z")
}

_readable(time) if {
	is_string(time)
	regex.match(
		`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?Z)?$`,
		time,
	)
}

_for_this_item contains exception if {
	some exception in data.context.exceptions.granted
	exception.scope.agent == input.agent.id
	exception.scope.purpose == input.request.purpose
	exception.scope.source_id == input.item.source_id
}

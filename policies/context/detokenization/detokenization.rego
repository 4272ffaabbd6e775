# METADATA
# title: Detokenization
# description: |
#   Who may learn what a token stands for: for the purpose it was made for, where the requester's own bearer token
#   says that purpose or a registered case covers it, and only what the request that it was made for would have been
#   open to them for.
# organizations:
#   - Group Data Protection Office
# schemas:
#   - input: schema.detokenize_input
package context.detokenization

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	same_purpose
	kind_open_to_role
	purpose_of_caller
	jurisdictions_held
	domain_open
	same_session
	original_open_to_role
}

# METADATA
# title: Another purpose
# description: The token was made for another purpose than the one it is asked for.
# related_resources:
#   - ref: https://controls.bank.example/GDP-020
# custom:
#   code: DTK-001
deny contains {"code": "DTK-001", "message": "The token was made for another purpose."} if {
	not same_purpose
}

# METADATA
# title: Not open to the role
# description: The requester's role may not learn values of this kind.
# related_resources:
#   - ref: https://controls.bank.example/GDP-021
# custom:
#   code: DTK-002
deny contains {"code": "DTK-002", "message": "The requester's role may not learn values of this kind."} if {
	not kind_open_to_role
}

# METADATA
# title: Purpose not the requester's
# description: |
#   The requester's bearer token does not say the purpose that is asked for, and no registered case that is named
#   covers that purpose, the domain and every jurisdiction that the token was made for, at this time.
# related_resources:
#   - ref: https://controls.bank.example/GDP-023
# custom:
#   code: DTK-003
deny contains {"code": "DTK-003", "message": "Neither the requester's token nor a registered case is for it."} if {
	not purpose_of_caller
}

# METADATA
# title: Jurisdiction not held
# description: The token was made for a jurisdiction that the requester does not hold.
# related_resources:
#   - ref: https://controls.bank.example/DPO-015
# custom:
#   code: DTK-004
deny contains {
	"code": "DTK-004",
	"message": "The requester does not hold every jurisdiction that the token was made for.",
} if {
	not jurisdictions_held
}

# METADATA
# title: Domain not open
# description: The token was made in a domain that is not open to the requester's department, claims and entitlements.
# related_resources:
#   - ref: https://controls.bank.example/IAM-002
# custom:
#   code: DTK-005
deny contains {"code": "DTK-005", "message": "The domain that the token was made in is not open to the requester."} if {
	not domain_open
}

# METADATA
# title: Another session
# description: The token was made in another session than the one the requester's bearer token names.
# related_resources:
#   - ref: https://controls.bank.example/GDP-024
# custom:
#   code: DTK-006
deny contains {"code": "DTK-006", "message": "The token was made in another session."} if {
	not same_session
}

# METADATA
# title: Made for a role not open
# description: The token was made for a person whose role's contexts are not open to the requester's role.
# related_resources:
#   - ref: https://controls.bank.example/GDP-025
# custom:
#   code: DTK-007
deny contains {
	"code": "DTK-007",
	"message": "The token was made for a role whose contexts are not open to the requester.",
} if {
	not original_open_to_role
}

same_purpose if input.token.purpose == input.request.purpose

kind_open_to_role if input.token.type in data.context.detokenization.open_to[input.subject.role]

purpose_of_caller if input.request.purpose in input.caller.purposes

purpose_of_caller if {
	some case in [data.context.detokenization.cases[input.request.case]]
	case.purpose == input.request.purpose
	_before(input.now, case.until)
	input.token.origin.domain in case.domains
	is_array(input.token.origin.jurisdictions)
	every jurisdiction in input.token.origin.jurisdictions {
		jurisdiction in case.jurisdictions
	}
}

jurisdictions_held if {
	is_array(input.token.origin.jurisdictions)
	count(input.token.origin.jurisdictions) > 0
	every jurisdiction in input.token.origin.jurisdictions {
		jurisdiction in _held
	}
}

_held contains jurisdiction if some jurisdiction in input.subject.jurisdictions

_held contains data.context.jurisdiction.group_wide

domain_open if {
	input.token.origin.domain in data.context.entitlement.department_domains[input.subject.department]
	_domain_within_claims
	_entitlement_held
}

_domain_within_claims if input.subject.domains == null

_domain_within_claims if input.token.origin.domain in input.subject.domains

_entitlement_held if input.subject.entitlements == null

_entitlement_held if {
	data.context.entitlement.domain_entitlements[input.token.origin.domain] in input.subject.entitlements
}

same_session if {
	is_string(input.caller.session)
	input.token.origin.session == input.caller.session
}

same_session if {
	is_string(input.token.origin.session)
	input.subject.role in data.context.detokenization.across_sessions
}

original_open_to_role if {
	input.token.origin.role in data.context.detokenization.made_for[input.subject.role]
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

# METADATA
# title: Independent review
# description: A reviewer gets the result of one agent, the one under review, and knows who vouches for it.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.pack_input
package context.review

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	one_author
	results_vouched_for
}

# METADATA
# title: Results of several agents
# description: A reviewer gets the result under review alone, never other agents' results beside it.
# related_resources:
#   - ref: https://controls.bank.example/AGT-025
# custom:
#   code: CTR-010
deny contains {"code": "CTR-010", "message": "The reviewer would get results of more than one agent."} if {
	not one_author
}

# METADATA
# title: Result without provenance
# description: Nobody vouches for a result that a reviewer would get, so that it is not known whose it is.
# related_resources:
#   - ref: https://controls.bank.example/AGT-026
# custom:
#   code: CTR-011
deny contains {"code": "CTR-011", "message": "Nobody vouches for a result that is to be reviewed."} if {
	not results_vouched_for
}

one_author if _no_reviewer

one_author if {
	is_string(input.agent.archetype)
	is_array(input.items)
	count(_authors) <= 1
}

_authors contains item.source_id if {
	some item in input.items
	_result(item)
}

_result(item) if item.section in data.context.results.sections

results_vouched_for if _no_reviewer

results_vouched_for if {
	is_string(input.agent.archetype)
	is_array(input.items)
	every item in input.items {
		_vouched_for(item)
	}
}

_vouched_for(item) if not _result(item)

_vouched_for(item) if is_string(item.attested_by)

_no_reviewer if {
	is_string(input.agent.archetype)
	not input.agent.archetype in data.context.review.independent
}

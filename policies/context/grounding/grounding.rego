# METADATA
# title: Grounding
# description: |
#   A claim is grounded if it cites what claims of its kind must cite, the cited sources exist, say it, are current and have
#   enough authority.
# organizations:
#   - AI Governance
# schemas:
#   - input: schema.citation_input
package context.grounding

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	cited_as_required
	all_sources_found
	a_source_says_it
	all_sources_current
	authority_enough
}

# METADATA
# title: Ungrounded
# description: The claim has no citation although claims of its kind need one, or its citation lacks a part that is required.
# related_resources:
#   - ref: https://controls.bank.example/CIT-001
# custom:
#   code: UNGROUNDED
deny contains {"code": "UNGROUNDED", "message": "The claim has no citation, or not one with all that claims of its kind need."} if {
	not cited_as_required
}

# METADATA
# title: Phantom citation
# description: A cited source is not in the pack.
# related_resources:
#   - ref: https://controls.bank.example/CIT-002
# custom:
#   code: PHANTOM_CITATION
deny contains {"code": "PHANTOM_CITATION", "message": "A cited source is not in the pack."} if {
	not all_sources_found
}

# METADATA
# title: Misattribution
# description: None of the cited sources that are in the pack says what the claim says.
# related_resources:
#   - ref: https://controls.bank.example/CIT-003
# custom:
#   code: MISATTRIBUTION
deny contains {"code": "MISATTRIBUTION", "message": "No cited source says what the claim says."} if {
	not a_source_says_it
}

# METADATA
# title: Stale source
# description: A cited source has expired, is older than its time to live, or was cited in another version than the pack holds.
# related_resources:
#   - ref: https://controls.bank.example/CIT-004
# custom:
#   code: STALE_SOURCE
deny contains {"code": "STALE_SOURCE", "message": "A cited source is no longer current, or was cited in another version."} if {
	not all_sources_current
}

# METADATA
# title: Authority mismatch
# description: No cited source has the authority that claims of this kind need, or one is cited that never supports a decision.
# related_resources:
#   - ref: https://controls.bank.example/CIT-005
# custom:
#   code: AUTHORITY_MISMATCH
deny contains {"code": "AUTHORITY_MISMATCH", "message": "The cited sources have not the authority that this kind of claim needs."} if {
	not authority_enough
}

needs := data.context.grounding.claims[input.claim.type]

nothing_cited if input.sources == []

cited_as_required if {
	needs.cite == false
}

cited_as_required if {
	needs.cite == true
	is_array(input.sources)
	some source in input.sources
	every part in needs.parts {
		part in source.parts
	}
}

all_sources_found if {
	is_array(input.sources)
	every source in input.sources {
		source.found == true
	}
}

# What cites nothing is not misattributed: whether it may cite nothing is said above.
a_source_says_it if nothing_cited

a_source_says_it if {
	is_array(input.sources)
	some source in input.sources
	source.found == true
	source.support >= data.context.grounding.supported_from
}

# A source that does not exist is not stale.
a_source_says_it if no_source_found

no_source_found if {
	is_array(input.sources)
	every source in input.sources {
		source.found == false
	}
}

all_sources_current if {
	is_array(input.sources)
	is_string(input.now)
	not some_source_stale
}

some_source_stale if {
	is_array(input.sources)
	some source in input.sources
	source.found == true
	not current(source)
}

current(source) if {
	source.version_matches == true
	not expired(source)
	not outlived(source)
}

expired(source) if {
	is_string(source.expiry_date)
	is_string(input.now)
	substring(input.now, 0, 10) >= source.expiry_date
}

outlived(source) if {
	is_number(source.ttl_seconds)
	source.age_seconds > source.ttl_seconds
}

authority_enough if nothing_cited

authority_enough if no_source_found

authority_enough if {
	is_array(input.sources)
	some source in input.sources
	source.found == true
	source.authority_tier <= needs.max_tier
	type_fits(source)
	not weakest_for_a_decision
}

type_fits(_) if count(needs.sources) == 0

type_fits(source) if source.source_type in needs.sources

weakest_for_a_decision if {
	needs.decides == true
	some source in input.sources
	source.found == true
	source.authority_tier >= data.context.grounding.never_for_decisions
}

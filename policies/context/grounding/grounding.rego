# METADATA
# title: Grounding
# description: |
#   A claim is grounded if it cites what claims of its kind must cite, the cited sources exist, say it, are current and
#   have enough authority.
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
# description: The claim has no citation although claims of its kind need one, or its citation lacks a required part.
# related_resources:
#   - ref: https://controls.bank.example/CIT-001
# custom:
#   code: UNGROUNDED
deny contains {
	"code": "UNGROUNDED",
	"message": "The claim has no citation, or not one with all that claims of its kind need.",
} if {
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
# description: A cited source has expired, outlived its time to live, or was cited in another version than the pack's.
# related_resources:
#   - ref: https://controls.bank.example/CIT-004
# custom:
#   code: STALE_SOURCE
deny contains {
	"code": "STALE_SOURCE",
	"message": "A cited source is no longer current, or was cited in another version.",
} if {
	not all_sources_current
}

# METADATA
# title: Authority mismatch
# description: No cited source has the authority that such claims need, or one is cited that never supports a decision.
# related_resources:
#   - ref: https://controls.bank.example/CIT-005
# custom:
#   code: AUTHORITY_MISMATCH
deny contains {
	"code": "AUTHORITY_MISMATCH",
	"message": "The cited sources have not the authority that this kind of claim needs.",
} if {
	not authority_enough
}

_needs := data.context.grounding.claims[input.claim.type]

_nothing_cited if input.sources == []

cited_as_required if {
	_needs.cite == false
	is_array(data.registry.domains[input.domain].grounding_must_cite)
	not _domain_must_cite
}

cited_as_required if {
	_needs
	is_array(input.sources)
	some source in input.sources
	every part in _needs.parts {
		part in source.parts
	}
	_of_the_domain(source)
}

_domain_must_cite if input.claim.type in data.registry.domains[input.domain].grounding_must_cite

# What a domain must cite it cites from its own sources, or from those of all domains.
_of_the_domain(_) if {
	is_array(data.registry.domains[input.domain].grounding_must_cite)
	not _domain_must_cite
}

_of_the_domain(source) if source.domain in {input.domain, data.context.entitlement.shared_domain}

# That it does not exist is said below.
_of_the_domain(source) if source.found == false

all_sources_found if {
	is_array(input.sources)
	every source in input.sources {
		source.found == true
	}
}

# What cites nothing is not misattributed: whether it may cite nothing is said above.
a_source_says_it if _nothing_cited

a_source_says_it if {
	is_array(input.sources)
	some source in input.sources
	source.found == true
	is_number(source.support)
	source.support >= data.context.grounding.supported_from
}

# A source that does not exist is not stale.
a_source_says_it if _no_source_found

_no_source_found if {
	is_array(input.sources)
	every source in input.sources {
		source.found == false
	}
}

all_sources_current if {
	is_array(input.sources)
	is_string(input.now)
	not _some_source_stale
}

_some_source_stale if {
	is_array(input.sources)
	is_string(input.now)
	some source in input.sources
	source.found == true
	not _current(source, input.now)
}

_current(source, now) if {
	source.version_matches == true
	not _expired(source, now)
	not _outlived(source)
}

_expired(source, now) if {
	is_string(source.expiry_date)
	substring(now, 0, 10) >= source.expiry_date
}

# An end that is neither a text nor null cannot be read, and has come.
_expired(source, _) if {
	source.expiry_date != null
	not is_string(source.expiry_date)
}

_outlived(source) if {
	source.ttl_seconds != null
	not _within_ttl(source)
}

_within_ttl(source) if {
	is_number(source.age_seconds)
	is_number(source.ttl_seconds)
	source.age_seconds <= source.ttl_seconds
}

authority_enough if _nothing_cited

authority_enough if _no_source_found

authority_enough if {
	is_array(input.sources)
	some source in input.sources
	source.found == true
	is_number(source.authority_tier)
	source.authority_tier <= _needs.max_tier
	_type_fits(source, _needs.sources)
	not _weakest_for_a_decision
}

_type_fits(_, []) := true

_type_fits(source, types) if source.source_type in types

_weakest_for_a_decision if {
	_needs.decides == true
	some source in input.sources
	source.found == true
	not _strong_enough(source)
}

_strong_enough(source) if {
	is_number(source.authority_tier)
	source.authority_tier < data.context.grounding.never_for_decisions
}

# METADATA
# title: Attestation
# description: |
#   Labels are evidence, not claims: whoever owns an item vouches for its labels, within what that owner may say, and
#   the gateway verified it. What nobody vouches for is what its channel makes of it, and never more.
# organizations:
#   - AI Governance
# schemas:
#   - input: schema.release_input
package context.attestation

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	signature_holds
	key_in_force
	signed_in_the_past
	recent_enough
	within_grant
	prompt_listed
}

# METADATA
# title: Attestation does not verify
# description: The item brings a signature that does not fit its labels and content, or by a key that is not on record.
# related_resources:
#   - ref: https://controls.bank.example/AIG-013
# custom:
#   code: ATT-001
deny contains {"code": "ATT-001", "message": "The item's attestation does not fit its labels and content."} if {
	not signature_holds
}

# METADATA
# title: Key not in force
# description: The key that signed was revoked, or was not in use at that time.
# related_resources:
#   - ref: https://controls.bank.example/AIG-014
# custom:
#   code: ATT-002
deny contains {"code": "ATT-002", "message": "The key that attests the item is revoked, or was not in use then."} if {
	not key_in_force
}

# METADATA
# title: Signed in the future
# description: The attestation states a time that has not come, by more than clocks may differ.
# related_resources:
#   - ref: https://controls.bank.example/AIG-015
# custom:
#   code: ATT-003
deny contains {"code": "ATT-003", "message": "The item's attestation is dated in the future."} if {
	not signed_in_the_past
}

# METADATA
# title: Beyond the grant
# description: Whoever vouches for the item may not say what its labels say.
# related_resources:
#   - ref: https://controls.bank.example/AIG-016
# custom:
#   code: ATT-004
deny contains {"code": "ATT-004", "message": "Whoever attests the item has no grant for a label that it carries."} if {
	not within_grant
}

# METADATA
# title: Not in the prompt library
# description: |
#   A text in a section that instructs the model is not one that the prompt library lists for the agent and section.
# related_resources:
#   - ref: https://controls.bank.example/AIG-017
# custom:
#   code: ATT-005
deny contains {"code": "ATT-005", "message": "The text is not in the prompt library for this agent and section."} if {
	not prompt_listed
}

# METADATA
# title: Attestation too old
# description: What vouches for the item does so only for a time, such as the receipt of a pack, and that time is over.
# related_resources:
#   - ref: https://controls.bank.example/AIG-018
# custom:
#   code: ATT-006
deny contains {"code": "ATT-006", "message": "What attests the item is older than its kind may be."} if {
	not recent_enough
}

signature_holds if input.item.attestation == null

signature_holds if input.item.attestation.verified == true

key_in_force if input.item.attestation == null

key_in_force if _key_believed(input.item.attestation)

signed_in_the_past if input.item.attestation == null

signed_in_the_past if _time_has_come(input.item.attestation)

recent_enough if input.item.attestation == null

recent_enough if _recent(input.item.attestation)

within_grant if input.item.attestation == null

within_grant if _granted(input.item, input.item.attestation)

prompt_listed if {
	is_string(input.item.section)
	not input.item.section in data.context.trust.instructing_sections
}

prompt_listed if in_library

# What tells of tools may also say what the registry says of them (../signatures).
prompt_listed if input.item.section == data.registry.offering.section

# METADATA
# description: Whether the prompt library lists the item's text for the agent and the section.
in_library if {
	some prompt in data.registry.prompts.prompts
	prompt.id == input.item.prompt
	input.item.section in prompt.sections
	some agent in prompt.agents
	agent in {input.agent.id, "*"}
}

# Whether somebody who may say so vouches for the labels of an item.
_attested(item) if {
	item.attestation.verified == true
	_key_believed(item.attestation)
	_time_has_come(item.attestation)
	_recent(item.attestation)
	_granted(item, item.attestation)
}

# METADATA
# description: |
#   The source type that an item counts as: what its labels make of it, or what two officers make of it who validated
#   its very content for this agent, purpose and source. Acts are looked up after `admit`, so that only `release` knows
#   of them.
source_type := labelled_as if not _validated

source_type := data.context.attestation.validated_as[labelled_as] if _validated

# METADATA
# description: What the labels alone make of it, by which it is screened; the same at `admit` and at `release`.
labelled_as := source_type_of(input.item)

# METADATA
# description: Whether officers may validate items of this source type, so that it is worth looking up whether they did.
default validatable := false

validatable if is_string(data.context.attestation.validated_as[labelled_as])

_validated if {
	validatable
	count(data.context.exceptions.validations) > 0
}

# METADATA
# description: |
#   The source type that labels make of an item: the one it claims where that needs nobody to vouch for it, or somebody
#   does; otherwise what its channel makes of it. Also asked of the record of the request's entity.
source_type_of(item) := item.source_type if {
	is_array(_needed_for)
	not item.source_type in _needed_for
}

source_type_of(item) := item.source_type if {
	item.source_type in _needed_for
	_attested(item)
}

source_type_of(item) := data.context.attestation.channel_source_types[item.channel] if {
	item.source_type in _needed_for
	not _attested(item)
}

# METADATA
# description: Who vouches for the item; null where nobody does.
default by := null

by := input.item.attestation.issuer if _attested(input.item)

_needed_for := data.context.attestation.tenants[input.subject.tenant].needed_for

_needed_for := data.context.attestation.needed_for if not _has_own_list

# Named, so that both engines take a tenant that is not told for one without a list.
_has_own_list if data.context.attestation.tenants[input.subject.tenant]

# A key of a source is believed as long as it is on record and was in use; revoked, it never was.
_key_believed(attestation) if {
	is_string(attestation.method)
	attestation.method != "signature"
}

_key_believed(attestation) if {
	some key in data.registry.sources[attestation.issuer].keys
	key.kid == attestation.key
	is_string(attestation.signed_at)
	is_string(input.now)
	key.valid_from <= attestation.signed_at
	not _over(key, "retired_at", attestation.signed_at)
	not _over(key, "revoked_at", input.now)
}

_over(key, end, moment) if {
	is_string(key[end])
	key[end] <= moment
}

_time_has_come(attestation) if {
	is_string(attestation.method)
	not attestation.method in data.context.attestation.dated_methods
}

_time_has_come(attestation) if {
	is_number(attestation.age_seconds)
	attestation.age_seconds >= 0 - data.context.attestation.clock_skew_seconds
}

_recent(attestation) if {
	is_string(attestation.method)
	not data.context.attestation.longest_seconds[attestation.method]
}

# What is no number is below or above every number, so that an age that nobody knows would be one or the other.
_recent(attestation) if {
	is_number(attestation.age_seconds)
	attestation.age_seconds <= data.context.attestation.longest_seconds[attestation.method]
}

# Development keys are believed only where the gateway is set up with them, and may say anything.
_granted(_, attestation) if attestation.method in data.context.attestation.unlimited_methods

_granted(item, attestation) if {
	attestation.method in {"signature", "fetch"}
	some issuer, source in data.registry.sources
	issuer == attestation.issuer
	_within(item, source.grant)
}

_granted(item, attestation) if {
	attestation.method == "library"
	_within(item, data.registry.prompts.grant)
}

# A receipt says which agent was given a pack, so it vouches for that agent's output alone.
_granted(item, attestation) if {
	attestation.method == "receipt"
	item.source_type == data.context.attestation.receipts.source_type
	is_string(attestation.issuer)
	item.source_id == concat("", [data.context.attestation.receipts.source_id_prefix, attestation.issuer])
}

# Its own words in a conversation are the agent's output as well, though they are named for the session.
_granted(item, attestation) if {
	attestation.method == "receipt"
	item.source_type == data.context.attestation.receipts.source_type
	item.section == data.context.attestation.receipts.turns.section
	is_string(item.source_id)
	startswith(item.source_id, data.context.attestation.receipts.turns.source_id_prefix)
	attestation.issuer == input.agent.id
}

_within(item, grant) if {
	_named(item.source_id, grant.source_ids)
	item.source_type in grant.source_types
	_nothing_or_in(item.corpus, grant.corpora)
	_nothing_or_in(item.domain, grant.domains)
	_nothing_or_in(item.jurisdiction, grant.jurisdictions)
	_nothing_or_in(item.data_classification, grant.data_classifications)
	_labels_in(item.labels, grant)
}

_labels_in(labels, grant) if {
	every name, _ in labels {
		name in grant.labels
	}
}

# A label that is not there is refused elsewhere, where it is needed.
_nothing_or_in(value, _) if value == null

_nothing_or_in(value, granted) if value in granted

_named(name, granted) if name in granted

_named(name, granted) if {
	some pattern in granted
	endswith(pattern, "*")
	is_string(name)
	startswith(name, trim_suffix(pattern, "*"))
}

# METADATA
# title: Freshness
# description: An item is used only while it is current, in force and, for a system of record, live.
# organizations:
#   - Group Data Office
# schemas:
#   - input: schema.admit_input
package context.freshness

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	fetch_time_known
	within_ttl
	in_effect
	before_expiry
	live_where_needed
	young_enough
}

# METADATA
# title: Fetch time not known
# description: The item does not say when it was fetched, or says a time that has not come.
# related_resources:
#   - ref: https://controls.bank.example/GDO-001
# custom:
#   code: FRS-001
deny contains {"code": "FRS-001", "message": "It is not known when the item was fetched."} if {
	not fetch_time_known
}

# METADATA
# title: Past its TTL
# description: The item was fetched longer ago than its time to live, or has none.
# related_resources:
#   - ref: https://controls.bank.example/GDO-002
# custom:
#   code: FRS-002
deny contains {"code": "FRS-002", "message": "The item is past its time to live."} if {
	not within_ttl
}

# METADATA
# title: Not yet in effect
# description: The item's effective date has not come.
# related_resources:
#   - ref: https://controls.bank.example/GDO-003
# custom:
#   code: FRS-003
deny contains {"code": "FRS-003", "message": "The item is not in effect yet."} if {
	not in_effect
}

# METADATA
# title: Expired
# description: The item's expiry date has come. It is not used from the start of that day (UTC).
# related_resources:
#   - ref: https://controls.bank.example/GDO-004
# custom:
#   code: FRS-004
deny contains {"code": "FRS-004", "message": "The item has expired."} if {
	not before_expiry
}

# METADATA
# title: Not live
# description: An item of a system of record must be read live, not from an old copy.
# related_resources:
#   - ref: https://controls.bank.example/GDO-005
# custom:
#   code: FRS-005
deny contains {"code": "FRS-005", "message": "The system-of-record item was not read live."} if {
	not live_where_needed
}

# METADATA
# title: Older than its kind may be
# description: The item has been in effect for longer than its kind may be used, or does not say since when.
# related_resources:
#   - ref: https://controls.bank.example/GDO-007
# custom:
#   code: FRS-006
deny contains {"code": "FRS-006", "message": "The item is older than documents of its kind may be."} if {
	not young_enough
}

fetch_time_known if {
	is_number(input.item.age_seconds)
	input.item.age_seconds >= 0
}

within_ttl if {
	is_number(input.item.age_seconds)
	is_number(input.item.ttl_seconds)
	input.item.age_seconds <= input.item.ttl_seconds
}

within_ttl if {
	input.item.ttl_seconds == null
	data.context.attestation.source_type in data.context.freshness.without_ttl
}

in_effect if input.item.effective_date == null

in_effect if {
	is_string(input.item.effective_date)
	is_string(input.now)
	input.item.effective_date <= input.now
}

before_expiry if input.item.expiry_date == null

before_expiry if {
	is_string(input.item.expiry_date)
	is_string(input.now)
	input.item.expiry_date > input.now
}

live_where_needed if {
	is_string(data.context.attestation.source_type)
	not data.context.freshness.live_within_seconds[data.context.attestation.source_type]
}

live_where_needed if {
	is_number(input.item.age_seconds)
	input.item.age_seconds <= data.context.freshness.live_within_seconds[data.context.attestation.source_type]
}

# The longest time of each row that the item falls under binds, so that the shortest of them decides.
young_enough if {
	is_string(data.context.attestation.source_type)
	is_object(input.item.labels)
	count(_too_old) == 0
}

_longest_days contains days if {
	some type, days in data.context.freshness.longest_days.by_source_type
	type == data.context.attestation.source_type
}

_longest_days contains days if {
	some name, value in input.item.labels
	some said, days in data.context.freshness.longest_days.by_label[name]
	said == value
}

_too_old contains days if {
	some days in _longest_days
	not _younger(days)
}

_younger(days) if {
	is_number(input.item.age_days)
	input.item.age_days <= days
}

# METADATA
# description: What must be done to the item because of its age.
obligations contains {"type": "warn_stale"} if near_end(input.item)

# METADATA
# description: Whether an item, by its age and its time to live, is near the end of that time or past it.
near_end(item) if {
	is_number(item.ttl_seconds)
	is_number(item.age_seconds)
	item.age_seconds * 100 > item.ttl_seconds * data.context.freshness.warn_after_percent
}

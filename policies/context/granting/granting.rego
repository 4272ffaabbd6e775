# METADATA
# title: Exceptions on request
# description: |
#   An exception that officers ask for while a bundle decides waives only what the table lets them waive, for a bounded
#   time and a bounded scope, and is approved by whom the table names.
# organizations:
#   - Group Compliance
# schemas:
#   - input: schema.exception_input
package context.granting

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	may_be_waived
	ends_in_time
	scope_is_narrow
	officer_may_approve
}

# METADATA
# title: Not waived on request
# description: The exception names a refusal that officers cannot waive on request, or none.
# related_resources:
#   - ref: https://controls.bank.example/GCO-002
# custom:
#   code: EXC-002
deny contains {"code": "EXC-002", "message": "One of these refusals is never waived on request."} if {
	not may_be_waived
}

# METADATA
# title: Lasts too long
# description: The exception has no end in the future, or a later one than the table allows for what it waives.
# related_resources:
#   - ref: https://controls.bank.example/GCO-003
# custom:
#   code: EXC-003
deny contains {"code": "EXC-003", "message": "The exception does not end within the time that is allowed for it."} if {
	not ends_in_time
}

# METADATA
# title: Scope too wide
# description: The exception does not name what an exception from these refusals must name.
# related_resources:
#   - ref: https://controls.bank.example/GCO-004
# custom:
#   code: EXC-004
deny contains {"code": "EXC-004", "message": "The exception does not name all that it must be limited to."} if {
	not scope_is_narrow
}

# METADATA
# title: Officer may not approve
# description: The officer's role or department is not one that approves exceptions from these refusals.
# related_resources:
#   - ref: https://controls.bank.example/GCO-005
# custom:
#   code: EXC-005
deny contains {"code": "EXC-005", "message": "The officer's role or department does not approve this exception."} if {
	not officer_may_approve
}

may_be_waived if data.context.exceptions.waivable_on_request(input.exception)

ends_in_time if data.context.exceptions.short_enough(input.exception)

scope_is_narrow if data.context.exceptions.narrow_enough(input.exception)

# Whoever asks does not approve.
officer_may_approve if input.step == "ask"

officer_may_approve if data.context.exceptions.entitled(input.exception, input.officer)

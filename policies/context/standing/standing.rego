# METADATA
# title: Standing of the contract
# description: The contract of the agent is in force, or in draft and the requester tests it.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.scope_input
package context.standing

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	contract_in_force
	open_to_requester
}

# METADATA
# title: Contract not in force
# description: The contract of the agent is retired or not on record, so that the agent answers nobody.
# related_resources:
#   - ref: https://controls.bank.example/AGT-020
# custom:
#   code: CTR-008
deny contains {"code": "CTR-008", "message": "The agent's contract is not in force."} if {
	not contract_in_force
}

# METADATA
# title: Contract in draft
# description: The contract of the agent is in draft, so that the agent answers its testers only.
# related_resources:
#   - ref: https://controls.bank.example/AGT-021
# custom:
#   code: CTR-009
deny contains {"code": "CTR-009", "message": "The agent's contract is in draft and open to its testers only."} if {
	not open_to_requester
}

contract_in_force if _status in data.context.standing.answering

open_to_requester if {
	is_string(input.subject.role)
	not _kept_from_requester
}

_kept_from_requester if {
	_status in data.context.standing.tested
	not _tester
}

_tester if input.subject.role in data.context.standing.testers.roles

_tester if {
	some entitlement in input.subject.entitlements
	entitlement in data.context.standing.testers.entitlements
}

_status := data.registry.contracts[data.registry.agents[input.agent.id].contract].status

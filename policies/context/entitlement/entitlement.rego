# METADATA
# title: Entitlement
# description: The person and the agent are both entitled to the domain of the item.
# organizations:
#   - Group Data Protection Office
# schemas:
#   - input: schema.admit_input
package context.entitlement

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	role_known
	domain_open_to_department
	domain_within_claims
	entitlement_held
	agent_works_in_domain
	agent_named_where_needed
	agent_of_token
}

# METADATA
# title: Role not known
# description: The requester's role has no clearance on record.
# related_resources:
#   - ref: https://controls.bank.example/IAM-001
# custom:
#   code: ENT-001
deny contains {"code": "ENT-001", "message": "The requester's role has no clearance on record."} if {
	not role_known
}

# METADATA
# title: Domain not open to department
# description: The requester's department has no access to the domain of the item.
# related_resources:
#   - ref: https://controls.bank.example/IAM-002
# custom:
#   code: ENT-002
deny contains {"code": "ENT-002", "message": "The requester's department has no access to the item's domain."} if {
	not domain_open_to_department
}

# METADATA
# title: Domain outside the token
# description: The requester's token is narrowed to other domains.
# related_resources:
#   - ref: https://controls.bank.example/IAM-003
# custom:
#   code: ENT-003
deny contains {"code": "ENT-003", "message": "The requester's token does not cover the item's domain."} if {
	not domain_within_claims
}

# METADATA
# title: Entitlement not held
# description: The requester's token lists entitlements, and the one for this domain is not among them.
# related_resources:
#   - ref: https://controls.bank.example/IAM-004
# custom:
#   code: ENT-004
deny contains {"code": "ENT-004", "message": "The requester does not hold the entitlement for the item's domain."} if {
	not entitlement_held
}

# METADATA
# title: Agent outside its domain
# description: |
#   A worker reads items of its own domains only, whatever their classification; an agent of another archetype so reads
#   those of the higher classifications.
# related_resources:
#   - ref: https://controls.bank.example/AGT-001
# custom:
#   code: ENT-005
deny contains {"code": "ENT-005", "message": "The agent does not work in the item's domain."} if {
	not agent_works_in_domain
}

# METADATA
# title: Agent not named
# description: Items of the highest classification go to named agents only.
# related_resources:
#   - ref: https://controls.bank.example/AGT-002
# custom:
#   code: ENT-006
deny contains {"code": "ENT-006", "message": "The agent is not named for items of this classification."} if {
	not agent_named_where_needed
}

# METADATA
# title: Agent not the token's
# description: The item is for an agent for which the requester's token does not speak.
# related_resources:
#   - ref: https://controls.bank.example/IAM-007
# custom:
#   code: ENT-007
deny contains {"code": "ENT-007", "message": "The requester's token does not speak for this agent."} if {
	not agent_of_token
}

role_known if data.context.entitlement.clearance[input.subject.role]

domain_open_to_department if {
	input.item.domain in data.context.entitlement.department_domains[input.subject.department]
}

domain_open_to_department if {
	_shared
	data.context.entitlement.department_domains[input.subject.department]
}

domain_within_claims if input.subject.domains == null

domain_within_claims if input.item.domain in input.subject.domains

domain_within_claims if _shared

entitlement_held if input.subject.entitlements == null

entitlement_held if {
	data.context.entitlement.domain_entitlements[input.item.domain] in input.subject.entitlements
}

entitlement_held if _shared

agent_works_in_domain if input.item.domain in input.agent.domains

agent_works_in_domain if _shared

agent_works_in_domain if {
	input.agent.archetype in data.context.entitlement.cross_domain_archetypes
	is_string(input.item.data_classification)
	not input.item.data_classification in data.context.entitlement.domain_scoped_classifications
}

agent_named_where_needed if input.agent.id in data.context.entitlement.named_agents

agent_named_where_needed if {
	is_string(input.item.data_classification)
	not input.item.data_classification in data.context.entitlement.named_agent_classifications
}

agent_of_token if data.context.scoping.agent_of_token

_shared if input.item.domain == data.context.entitlement.shared_domain

# METADATA
# title: Scope
# description: The requester may ask this agent for this purpose, entity and jurisdictions at all.
# organizations:
#   - AI Governance
# schemas:
#   - input: schema.scope_input
package context.scoping

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	role_known
	purpose_fits_agent
	jurisdictions_held
	domain_open
	entity_fits_domain
	agent_of_token
	history_open
}

# METADATA
# title: Role not known
# description: The requester's role has no clearance on record.
# related_resources:
#   - ref: https://controls.bank.example/IAM-001
# custom:
#   code: SCP-001
deny contains {"code": "SCP-001", "message": "The requester's role has no clearance on record."} if {
	not role_known
}

# METADATA
# title: Purpose does not fit the agent
# description: Agents of this archetype are not asked for this purpose.
# related_resources:
#   - ref: https://controls.bank.example/AGT-010
# custom:
#   code: SCP-002
deny contains {"code": "SCP-002", "message": "The agent may not be asked for this purpose."} if {
	not purpose_fits_agent
}

# METADATA
# title: Jurisdictions not held
# description: The request names no jurisdiction, or one that the requester does not hold.
# related_resources:
#   - ref: https://controls.bank.example/DPO-015
# custom:
#   code: SCP-003
deny contains {"code": "SCP-003", "message": "The requester does not hold every jurisdiction of the request."} if {
	not jurisdictions_held
}

# METADATA
# title: Domain not open
# description: The requester's department has no access to the domain of the request.
# related_resources:
#   - ref: https://controls.bank.example/IAM-002
# custom:
#   code: SCP-004
deny contains {"code": "SCP-004", "message": "The requester's department has no access to the request's domain."} if {
	not domain_open
}

# METADATA
# title: Entity does not fit the domain
# description: The request is about an entity that its domain does not deal with.
# related_resources:
#   - ref: https://controls.bank.example/AGT-011
# custom:
#   code: SCP-005
deny contains {"code": "SCP-005", "message": "The domain of the request does not deal with this kind of entity."} if {
	not entity_fits_domain
}

# METADATA
# title: Agent not the token's
# description: The request names an agent for which the requester's token does not speak.
# related_resources:
#   - ref: https://controls.bank.example/IAM-007
# custom:
#   code: SCP-006
deny contains {"code": "SCP-006", "message": "The requester's token does not speak for this agent."} if {
	not agent_of_token
}

# METADATA
# title: History not open
# description: |
#   The request asks for the state of an earlier moment, which is for some roles and purposes alone, and not for all.
# related_resources:
#   - ref: https://controls.bank.example/GDO-014
# custom:
#   code: SCP-007
deny contains {
	"code": "SCP-007",
	"message": "The requester may not ask for the state of an earlier moment for this purpose.",
} if {
	not history_open
}

role_known if data.context.entitlement.clearance[input.subject.role]

purpose_fits_agent if {
	input.request.purpose in data.context.scoping.archetype_purposes[input.agent.archetype]
}

jurisdictions_held if {
	is_array(input.request.jurisdictions)
	count(input.request.jurisdictions) > 0
	every jurisdiction in input.request.jurisdictions {
		jurisdiction in _held
	}
}

_held contains jurisdiction if some jurisdiction in input.subject.jurisdictions

_held contains data.context.jurisdiction.group_wide

domain_open if {
	input.request.domain in data.context.entitlement.department_domains[input.subject.department]
}

entity_fits_domain if input.request.entity == null

entity_fits_domain if {
	input.request.entity.type in data.context.scoping.domain_entity_types[input.request.domain]
}

# METADATA
# description: |
#   The token speaks for the agent, letter for letter; null stands for a gateway that is set to believe the request, and
#   facts without the member for nothing. Entitlement asks for this too, so that no item is admitted for another agent.
agent_of_token if input.agent.id in input.subject.agents

agent_of_token if input.subject.agents == null

history_open if input.request.historical == false

history_open if {
	input.request.historical == true
	input.subject.role in data.context.scoping.history.roles
	input.request.purpose in data.context.scoping.history.purposes
}

# METADATA
# description: How sure the ledger must be before a pack of this purpose is handed over.
release_mode := "witnessed" if {
	input.request.purpose in data.context.scoping.release_modes.witnessed
} else := "sequenced" if {
	input.request.purpose in data.context.scoping.release_modes.sequenced
} else := "durable"

# METADATA
# description: What retrieval may look for. Arrays, sorted.
filters := {
	"entity": input.request.entity,
	"domain": input.request.domain,
	"jurisdictions": [jurisdiction | some jurisdiction in _reachable_jurisdictions],
	"corpora": [corpus | some corpus in data.context.jurisdiction.corpora],
	"classifications": [level | some level in data.context.classification.readable],
}

_reachable_jurisdictions contains jurisdiction if some jurisdiction in input.request.jurisdictions

_reachable_jurisdictions contains data.context.jurisdiction.group_wide

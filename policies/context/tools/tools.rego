# METADATA
# title: Tools for agents
# description: |
#   An agent is shown a tool only where its work, its domain and the purpose call for it, and where the tool's source
#   can be asked.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.tool_input
package context.tools

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	domain_open
	safe_for_agent
	purpose_open
	source_available
	agent_of_token
}

# METADATA
# title: Tool of another domain
# description: |
#   The tool belongs to no domain that the agent works in and that the requester's department and token open.
# related_resources:
#   - ref: https://controls.bank.example/AGT-040
# custom:
#   code: TOL-001
deny contains {"code": "TOL-001", "message": "The tool belongs to no domain that is open to agent and requester."} if {
	not domain_open
}

# METADATA
# title: Tool not safe for the agent
# description: |
#   What the tool may do, such as writing or giving personal data, is not for agents of this kind, or is not on record.
# related_resources:
#   - ref: https://controls.bank.example/AGT-041
# custom:
#   code: TOL-002
deny contains {"code": "TOL-002", "message": "What the tool may do is not for this agent."} if {
	not safe_for_agent
}

# METADATA
# title: Tool not for the purpose
# description: What the tool may do is only for purposes that the request does not have.
# related_resources:
#   - ref: https://controls.bank.example/AGT-042
# custom:
#   code: TOL-003
deny contains {"code": "TOL-003", "message": "What the tool may do is not for the request's purpose."} if {
	not purpose_open
}

# METADATA
# title: Source of the tool unavailable
# description: The source of the tool is off, or did not answer in this request.
# related_resources:
#   - ref: https://controls.bank.example/AGT-043
# custom:
#   code: TOL-004
deny contains {"code": "TOL-004", "message": "The source of the tool cannot be asked."} if {
	not source_available
}

# METADATA
# title: Tool for an agent of another token
# description: The tool would be shown to an agent for which the requester's token does not speak.
# related_resources:
#   - ref: https://controls.bank.example/IAM-007
# custom:
#   code: TOL-005
deny contains {"code": "TOL-005", "message": "The requester's token does not speak for the agent."} if {
	not agent_of_token
}

domain_open if open_domain(input.tool)

safe_for_agent if safe(input.tool)

purpose_open if for_purpose(input.tool)

source_available if input.tool.available == true

agent_of_token if data.context.scoping.agent_of_token

# METADATA
# description: |
#   Whether a tool belongs to a domain that is open to both agent and requester.
#   Also asked of tools that a request brings.
open_domain(tool) if {
	some domain in tool.domains
	domain in _open
}

# METADATA
# description: Whether each of a tool's safety tags is for the agent. A tool without one is of unknown safety.
safe(tool) if {
	is_array(tool.safety)
	count(tool.safety) > 0
	every tag in tool.safety {
		_shown(tag)
	}
}

# METADATA
# description: Whether each of a tool's safety tags is for the purpose of the request.
for_purpose(tool) if {
	is_array(tool.safety)
	every tag in tool.safety {
		_in_purpose(tag)
	}
}

_open contains domain if {
	some domain in data.context.entitlement.department_domains[input.subject.department]
	domain in input.agent.domains
	_claimed(domain)
	_entitled(domain)
}

_claimed(_) if input.subject.domains == null

_claimed(domain) if domain in input.subject.domains

_entitled(_) if input.subject.entitlements == null

_entitled(domain) if data.context.entitlement.domain_entitlements[domain] in input.subject.entitlements

_shown(tag) if input.agent.archetype in data.context.tools.shown_to[tag].archetypes

_shown(tag) if input.agent.id in data.context.tools.shown_to[tag].agents

_in_purpose(tag) if input.request.purpose in data.context.tools.only_for_purposes[tag]

# Named, so that both engines take a tag without a list for one that is open to every purpose.
_in_purpose(tag) if {
	is_string(tag)
	not _has_purposes(tag)
}

_has_purposes(tag) if data.context.tools.only_for_purposes[tag]

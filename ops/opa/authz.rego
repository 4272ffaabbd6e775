# METADATA
# title: Who may ask the policy server
# description: Whoever holds the gateway's token may ask for decisions, and nothing else; anybody may ask whether it is alive.
package system.authz

default allow := false

allow if input.path == ["health"]

allow if {
	input.method == "POST"
	array.slice(input.path, 0, 3) == ["v1", "data", "context"]
	is_string(input.identity)
	crypto.sha256(input.identity) == data.system.callers.gateway
}

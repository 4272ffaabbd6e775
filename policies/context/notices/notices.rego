# METADATA
# title: Notices
# description: |
#   What the reader of a pack, and the model, should know of it beside the items: what policy finds in the set, and what
#   only the gateway can tell once it has set items aside or cut to the budget.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.pack_input
package context.notices

# METADATA
# title: Near the end of its time to live
# description: Items will soon be past their time to live, so that an answer kept for later may rest on old facts.
# related_resources:
#   - ref: https://controls.bank.example/GDO-006
# custom:
#   code: STALE-SOON
warn contains {
	"code": "STALE-SOON",
	"message": "These items are near the end of their time to live.",
	"items": _ageing,
} if {
	count(_ageing) > 0
}

# In the order of the set, without those that lose a conflict.
_ageing := [id |
	some item in input.items
	data.context.freshness.near_end(item)
	some id in [item.id]
	not id in _lost
]

_lost contains loss.item if some loss in data.context.conflicts.drop

_lost contains loss.item if some loss in data.context.limits.drop

# METADATA
# title: Source down
# description: |
#   A source that the gateway asked did not answer in time. It is not critical, so that there is a pack, and what it
#   would have said is not known.
# related_resources:
#   - ref: https://controls.bank.example/CTX-015
# custom:
#   code: SRC-DOWN
warn contains {
	"code": "SRC-DOWN",
	"message": concat("", ["These sources did not answer: ", concat(", ", _down), ". What they hold is not known."]),
	"items": [],
} if {
	count(_down) > 0
}

_down contains source.id if {
	some source in input.asked
	source.status == "unavailable"
	is_string(source.id)
}

# METADATA
# title: Tool without an answer
# description: |
#   A tool that the agent's contract wants gave nothing that can be used: its source is down or off, answered with an
#   error, with something else than an officer accepted, or with another entity's record. The contract does not need it,
#   so that there is a pack.
# related_resources:
#   - ref: https://controls.bank.example/CTX-016
# custom:
#   code: TOOL-FAILED
warn contains {
	"code": "TOOL-FAILED",
	"message": concat("", [
		"These tools gave nothing that can be used: ",
		concat(", ", _failed),
		". What their sources hold is not known.",
	]),
	"items": [],
} if {
	count(_failed) > 0
}

_failed contains sprintf("%s (%s)", [call.tool, call.status]) if {
	some call in input.calls
	not call.status in {"answered", "empty"}
}

# METADATA
# title: State of an earlier moment
# description: The request asks what systems of record held at an earlier moment; what is true now may differ.
# related_resources:
#   - ref: https://controls.bank.example/GDO-014
# custom:
#   code: HISTORICAL
warn contains {
	"code": "HISTORICAL",
	"message": "Records show the state of an earlier moment, as the request asks; the present may differ.",
	"items": [],
} if {
	input.request.historical == true
}

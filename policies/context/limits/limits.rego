# METADATA
# title: Limits of the contract
# description: How much of a kind the agent gets. What is beyond stands in the drop report.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.pack_input
package context.limits

# METADATA
# description: The turns before the newest of the contract, and the examples beyond the most.
drop contains {"item": id, "reason": "contract", "in_favour_of": null} if {
	some id in array.slice(_turns, 0, count(_turns) - _most_turns)
}

drop contains {"item": id, "reason": "contract", "in_favour_of": null} if {
	some place, id in _examples
	place >= data.context.limits.examples.most
}

# METADATA
# title: Too few examples
# description: One example alone is copied rather than learned from.
# related_resources:
#   - ref: https://controls.bank.example/CTX-014
# custom:
#   code: FEW-SHOTS
warn contains {
	"code": "FEW-SHOTS",
	"message": "There are fewer examples than the contract asks for; a model copies a single one.",
	"items": _examples,
} if {
	count(_examples) > 0
	count(_examples) < data.context.limits.examples.least
}

_most_turns := data.registry.contracts[data.registry.agents[input.agent.id].contract].max_turns

# In the order spoken.
_turns := [id |
	some item in _limited
	item.section == data.context.limits.turns_section
	some id in [item.id]
]

# The preferred kinds first, and otherwise in the order of the set.
_examples := array.concat(
	[id |
		some kind in data.context.limits.examples.prefer
		some item in _all_examples
		item.doc_section == kind
		some id in [item.id]
	],
	[id |
		some item in _all_examples
		not _preferred(item)
		some id in [item.id]
	],
)

_all_examples := [item |
	some item in _limited
	item.section == data.context.limits.examples.section
]

# Of many items few are turns or examples: the set is gone through once.
_limited := [item |
	some item in input.items
	item.section in {data.context.limits.turns_section, data.context.limits.examples.section}
]

_preferred(item) if item.doc_section in data.context.limits.examples.prefer

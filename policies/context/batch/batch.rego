# METADATA
# title: Many decisions in one answer
# description: |
#   The same documents for a list of inputs, so that a request asks a policy server once. The embedded engine does
#   not use this. What the inputs have in common comes once, in `shared`.
# organizations:
#   - AI Platform Engineering
package context.batch

# METADATA
# title: The scope document of every part
# entrypoint: true
scope := [document |
	some part in input.parts
	document := data.context.scope with input as object.union(input.shared, part)
]

# METADATA
# title: The admit document of every part
# entrypoint: true
admit := [document |
	some part in input.parts
	document := data.context.admit with input as object.union(input.shared, part)
]

# METADATA
# title: The reach document of every part
# entrypoint: true
reach := [document |
	some part in input.parts
	document := data.context.reach with input as object.union(input.shared, part)
]

# METADATA
# title: The release document of every part
# entrypoint: true
release := [document |
	some part in input.parts
	document := data.context.release with input as object.union(input.shared, part)
]

# METADATA
# title: The pack document of every part
# entrypoint: true
pack := [document |
	some part in input.parts
	document := data.context.pack with input as object.union(input.shared, part)
]

# METADATA
# title: The detokenize document of every part
# entrypoint: true
detokenize := [document |
	some part in input.parts
	document := data.context.detokenize with input as object.union(input.shared, part)
]

# METADATA
# title: The citation document of every part
# entrypoint: true
citation := [document |
	some part in input.parts
	document := data.context.citation with input as object.union(input.shared, part)
]

# METADATA
# title: The exception document of every part
# entrypoint: true
exception := [document |
	some part in input.parts
	document := data.context.exception with input as object.union(input.shared, part)
]

# METADATA
# title: The tool document of every part
# entrypoint: true
tool := [document |
	some part in input.parts
	document := data.context.tool with input as object.union(input.shared, part)
]

# METADATA
# title: The document document of every part
# entrypoint: true
document := [answer |
	some part in input.parts
	answer := data.context.document with input as object.union(input.shared, part)
]

# METADATA
# title: Conflicts between fields
# description: |
#   Two items on one entity give one field different values: of the fields that the table names, the value of the item
#   that prevails stands, and the other item goes without the field, or a person must look.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.pack_input
package context.fields

# METADATA
# title: Field gave way
# description: Two items gave one field different values, and a rule told which one stands.
# related_resources:
#   - ref: https://controls.bank.example/CTX-009
# custom:
#   code: FIELD-CONFLICT
warn contains {
	"code": "FIELD-CONFLICT",
	"message": "A field was left out of an item since another item with more authority gives it another value.",
	"items": [input.items[one.left].id, input.items[one.right].id],
} if {
	some one in _contradictions
	_one_prevails(input.items[one.left], input.items[one.right])
}

# METADATA
# title: Fields conflict
# description: Two items give one field different values and no rule tells which one stands.
# related_resources:
#   - ref: https://controls.bank.example/CTX-010
# custom:
#   code: FIELD-UNDECIDED
warn contains {
	"code": "FIELD-UNDECIDED",
	"message": "Two items give one field different values and no rule decides between them. A person must review this.",
	"items": [input.items[one.left].id, input.items[one.right].id],
} if {
	some one in _contradictions
	not _one_prevails(input.items[one.left], input.items[one.right])
}

# METADATA
# description: Fields that give way to the same field of another item.
yields contains {
	"item": input.items[one.right].id,
	"field": one.field,
	"in_favour_of": input.items[one.left].id,
} if {
	some one in _contradictions
	data.context.conflicts.prevails(input.items[one.left], input.items[one.right])
}

yields contains {
	"item": input.items[one.left].id,
	"field": one.field,
	"in_favour_of": input.items[one.right].id,
} if {
	some one in _contradictions
	data.context.conflicts.prevails(input.items[one.right], input.items[one.left])
}

_contradictions contains one if {
	some one in input.contradictions
	one.field in data.context.fields.compared_fields
	is_string(input.items[one.left].id)
	is_string(input.items[one.right].id)
}

_one_prevails(left, right) if data.context.conflicts.prevails(left, right)

_one_prevails(left, right) if data.context.conflicts.prevails(right, left)

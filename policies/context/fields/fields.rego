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
# description: Items gave one field different values, and a rule told which one stands.
# related_resources:
#   - ref: https://controls.bank.example/CTX-009
# custom:
#   code: FIELD-CONFLICT
warn contains {
	"code": "FIELD-CONFLICT",
	"message": "A field was left out of an item since another item with more authority gives it another value.",
	"items": items,
} if {
	some one in _compared
	count(one.losses) > 0
	named := {name | some loss in one.losses; some name in [loss.item, loss.in_favour_of]}
	items := [id | some id in one.items; id in named]
}

# METADATA
# title: Fields conflict
# description: Items give one field different values and no rule tells which one stands.
# related_resources:
#   - ref: https://controls.bank.example/CTX-010
# custom:
#   code: FIELD-UNDECIDED
warn contains {
	"code": "FIELD-UNDECIDED",
	"message": "Two items give one field different values and no rule decides between them. A person must review this.",
	"items": items,
} if {
	some one in _compared
	count(one.undecided) > 0
	items := [id | some id in one.items; id in one.undecided]
}

# METADATA
# description: Fields that give way to the same field of another item.
yields contains {"item": loss.item, "field": one.field, "in_favour_of": loss.in_favour_of} if {
	some one in _compared
	some loss in one.losses
}

_compared := [found |
	some group in input.fields
	group.field in data.context.fields.compared_fields
	some settled in [data.context.conflicts.outcome(group)]
	found := {
		"field": group.field,
		"items": group.items,
		"losses": settled.losses,
		"undecided": settled.undecided,
	}
]

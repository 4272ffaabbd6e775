# METADATA
# title: Conflicts between sources
# description: |
#   Two items that speak of one thing and differ: which of them prevails, or that a person must look.
# organizations:
#   - AI Platform Engineering
# schemas:
#   - input: schema.pack_input
package context.conflicts

# METADATA
# title: Sources conflict
# description: Two sources differ about one subject and no rule decides, or they give different figures for one thing.
# related_resources:
#   - ref: https://controls.bank.example/CTX-008
# custom:
#   code: CONFLICT
warn contains {
	"code": "CONFLICT",
	"message": "Two sources differ. A person must review which of them holds.",
	"items": [input.items[pair[0]].id, input.items[pair[1]].id],
} if {
	some pair in _conflicts
}

_conflicts contains pair if {
	some pair in _rivals
	not prevails(input.items[pair[0]], input.items[pair[1]])
	not prevails(input.items[pair[1]], input.items[pair[0]])
}

# Even where one has more authority: a whole document does not fall for one of its sentences.
_conflicts contains [one.left, one.right] if {
	some one in _disputes
}

# The request names the pairs whose figures for one thing differ.
_disputes contains one if {
	some one in input.disputes
	is_string(input.items[one.left].id)
	is_string(input.items[one.right].id)
	_may_dispute(input.items[one.left], input.items[one.right])
	not _dropped(one)
}

_may_dispute(left, right) if {
	is_string(left.domain)
	left.domain == right.domain
	_vouched_for(left)
	_vouched_for(right)
	_live(left)
	_live(right)
	_one_place(left, right)
	not _of_two_entities(left, right)
}

# Otherwise whoever brings a text could raise doubt about a genuine one.
_vouched_for(item) if {
	data.context.trust.sources[item.source_type].trust_class == data.context.trust.unfenced_trust_class
}

_live(item) if item.expiry_date == null

_live(item) if item.expiry_date > substring(input.now, 0, 10)

# What holds in one place says nothing against what holds in another; what holds group-wide does.
_one_place(left, right) if left.jurisdiction == right.jurisdiction

_one_place(left, _) if left.jurisdiction == data.context.jurisdiction.group_wide

_one_place(_, right) if right.jurisdiction == data.context.jurisdiction.group_wide

_of_two_entities(left, right) if {
	is_string(left.entity_id)
	is_string(right.entity_id)
	left.entity_id != right.entity_id
}

# What a rule has dropped cannot mislead.
_dropped(one) if {
	some loss in drop
	loss.item in {input.items[one.left].id, input.items[one.right].id}
}

# METADATA
# description: Items that lose a conflict, and to which one. Where several prevail, each is named.
drop contains {"item": input.items[pair[1]].id, "reason": "conflict", "in_favour_of": input.items[pair[0]].id} if {
	some pair in _rivals
	prevails(input.items[pair[0]], input.items[pair[1]])
}

drop contains {"item": input.items[pair[0]].id, "reason": "conflict", "in_favour_of": input.items[pair[1]].id} if {
	some pair in _rivals
	prevails(input.items[pair[1]], input.items[pair[0]])
}

# The request names the pairs that speak of one section of one source, or of one section on one entity.
_rivals contains pair if {
	some pair in input.rivals
	is_string(input.items[pair[0]].id)
	is_string(input.items[pair[1]].id)
	_differ(input.items[pair[0]], input.items[pair[1]])
}

_differ(left, right) if left.version != right.version

_differ(left, right) if left.effective_date != right.effective_date

_differ(left, right) if left.source_id != right.source_id

_differ(left, right) if left.doc_section != right.doc_section

_differ(left, right) if left.jurisdiction != right.jurisdiction

# METADATA
# description: |
#   Whether one item prevails over another: the system of record over everything else; between two SOPs the newer
#   effective date; where neither decides, group policy over local policy of the same kind.
prevails(winner, loser) if {
	winner.source_type == data.context.conflicts.prevailing_source
	not loser.source_type == data.context.conflicts.prevailing_source
}

prevails(winner, loser) if {
	_both_versioned(winner, loser)
	winner.effective_date > loser.effective_date
}

prevails(winner, loser) if {
	winner.jurisdiction == data.context.jurisdiction.group_wide
	not loser.jurisdiction == data.context.jurisdiction.group_wide
	_same_kind(winner, loser)
	not _dated_apart(winner, loser)
}

_same_kind(left, right) if left.source_type == right.source_type

_dated_apart(left, right) if {
	_both_versioned(left, right)
	left.effective_date != right.effective_date
}

_both_versioned(left, right) if {
	left.source_type == data.context.conflicts.versioned_source
	right.source_type == data.context.conflicts.versioned_source
	is_string(left.effective_date)
	is_string(right.effective_date)
}

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
	"items": items,
} if {
	some group in _outcomes
	count(group.undecided) > 0
	items := [id | some id in group.items; id in group.undecided]
}

# Even where one has more authority: a whole document does not fall for one of its sentences.
warn contains {
	"code": "CONFLICT",
	"message": "Two sources differ. A person must review which of them holds.",
	"items": [input.items[one.left].id, input.items[one.right].id],
} if {
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
_dropped(one) if input.items[one.left].id in _lost

_dropped(one) if input.items[one.right].id in _lost

_lost contains loss.item if some loss in drop

# METADATA
# description: Items that lose a conflict, and to which one. Where several prevail, the newest is named.
drop contains {"item": loss.item, "reason": "conflict", "in_favour_of": loss.in_favour_of} if {
	some group in _outcomes
	some loss in group.losses
}

_outcomes := [found |
	some group in input.groups
	some settled in [outcome(group)]
	found := {"items": group.items, "losses": settled.losses, "undecided": settled.undecided}
]

# METADATA
# description: |
#   Of a group, the items that lose and to which, and those that differ from another one so that neither prevails. Few
#   are held each against each; of many each is held against the leaders, which comes to the same and costs no more for
#   each.
outcome(group) := {"losses": _losses_of_few(wins), "undecided": _undecided_of_few(sides, pairs)} if {
	not _many(group)
	some sides in [_sides(group)]
	some wins in [_wins(sides)]
	pairs := {pair | some win in wins; some pair in [win.pair]}
}

outcome(group) := {"losses": _losses(group, kinds), "undecided": _undecided(group, kinds)} if {
	_many(group)
	some kinds in [_kinds(group)]
}

_sides(group) := [told |
	some lot in group.lots
	some told in _told(lot)
]

_many(group) if count(group.lots) > 3

_many(group) if {
	some lot in group.lots
	count(lot.sides) > 2
}

_wins(sides) := [win |
	some winner in sides
	some loser in sides
	winner.says != loser.says
	_prevails(winner, loser)
	win := {"pair": [winner.item, loser.item], "items": loser.items, "in_favour_of": winner.item}
]

_losses_of_few(wins) := {loss |
	some win in wins
	some item in win.items
	loss := {"item": item, "in_favour_of": win.in_favour_of}
}

_undecided_of_few(sides, pairs) := {item |
	some one in sides
	some other in sides
	one.says != other.says
	not [one.item, other.item] in pairs
	not [other.item, one.item] in pairs
	some item in one.items
}

# The system of record over everything else; between two SOPs the newer effective date; where neither decides, group
# policy over local policy of the same kind.
_prevails(winner, loser) if {
	_of_record(winner)
	not _of_record(loser)
}

_prevails(winner, loser) if {
	_dated(winner)
	_dated(loser)
	winner.effective_date > loser.effective_date
}

_prevails(winner, loser) if {
	_group_wide(winner)
	not _group_wide(loser)
	winner.source_type == loser.source_type
	not _dated_apart(winner, loser)
}

_dated_apart(left, right) if {
	_dated(left)
	_dated(right)
	left.effective_date != right.effective_date
}

_losses(group, kinds) := {loss |
	some kind in kinds
	some always in [_always(kind, kinds)]
	some lot in group.lots
	lot.source_type == kind.source_type
	some peers in [_peers(kind, lot)]
	some strong in [array.concat(always, _newer(kind, lot))]
	some side in lot.sides
	some winner in array.concat(strong, _wider(peers, side))
	winner.says != side.says
	some item in side.items
	loss := {"item": item, "in_favour_of": winner.item}
}

_undecided(group, kinds) := {item |
	some kind in kinds
	some others in [_others(kind, kinds)]
	some lot in group.lots
	lot.source_type == kind.source_type
	some peers in [_peers(kind, lot)]
	some side in lot.sides
	_differs(side, array.concat(others, _of_reach(peers, side)))
	some item in side.items
}

_differs(side, rivals) if {
	some rival in rivals
	rival.says != side.says
}

# The first two of each source type, of those that hold group-wide or locally, and of those without a date.
_kinds(group) := [kind |
	some source_type in _source_types(group)
	all := [told |
		some lot in group.lots
		lot.source_type == source_type
		some told in _told(lot)
	]
	undated := [told |
		some told in all
		told.effective_date == null
	]
	kind := {
		"source_type": source_type,
		"leaders": _first_two(all),
		"all": _by_reach(all),
		"undated": _by_reach(undated),
		"all_dated": count(undated) == 0,
	}
]

_source_types(group) := {name |
	some lot in group.lots
	some name in [lot.source_type]
}

_told(lot) := [told |
	some side in lot.sides
	told := {
		"item": side.items[0],
		"items": side.items,
		"says": side.says,
		"jurisdiction": side.jurisdiction,
		"source_type": lot.source_type,
		"effective_date": lot.effective_date,
	}
]

# Whatever is said, one of the two differs from it, if any does: so each item is held against two, and never all.
_first_two(told) := array.concat(array.slice(told, 0, 1), array.slice(_unlike_the_first(told), 0, 1))

_unlike_the_first(told) := [other |
	some first in array.slice(told, 0, 1)
	some other in told
	other.says != first.says
]

_by_reach(told) := {"wide": _first_two(_wide(told)), "local": _first_two(_local(told))}

_wide(told) := [one |
	some one in told
	_group_wide(one)
]

_local(told) := [one |
	some one in told
	not _group_wide(one)
]

_group_wide(told) if told.jurisdiction == data.context.jurisdiction.group_wide

# Those of the same kind that no date sets apart.
_peers(kind, lot) := kind.all if {
	not _dated(lot)
} else := {"wide": [], "local": []} if {
	_alone(kind, lot)
} else := {
	"wide": _first_two(array.concat(here.wide, kind.undated.wide)),
	"local": _first_two(array.concat(here.local, kind.undated.local)),
} if {
	some here in [_by_reach(_told(lot))]
}

# As most versions of a section are: the only ones of their date, and none is without one.
_alone(kind, lot) if {
	count(lot.sides) == 1
	kind.all_dated
}

_dated(lot) if {
	lot.source_type == data.context.conflicts.versioned_source
	is_string(lot.effective_date)
}

_of_reach(peers, side) := peers.wide if _group_wide(side)

_of_reach(peers, side) := peers.local if not _group_wide(side)

_always(kind, kinds) := [winner |
	not _of_record(kind)
	some other in kinds
	_of_record(other)
	some winner in other.leaders
]

_of_record(kind) if kind.source_type == data.context.conflicts.prevailing_source

# Neither of two kinds prevails, unless one is the system of record.
_others(kind, kinds) := [leader |
	not _of_record(kind)
	some other in kinds
	other.source_type != kind.source_type
	not _of_record(other)
	some leader in other.leaders
]

_newer(kind, lot) := [winner |
	_dated(lot)
	some winner in kind.leaders
	is_string(winner.effective_date)
	winner.effective_date > lot.effective_date
]

_wider(peers, side) := [winner |
	not _group_wide(side)
	some winner in peers.wide
]

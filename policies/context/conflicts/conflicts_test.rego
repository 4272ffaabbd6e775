package context.conflicts_test

import data.context.conflicts

_lot(source_type, says, jurisdiction) := {
	"source_type": source_type,
	"effective_date": null,
	"sides": [{"says": says, "jurisdiction": jurisdiction, "items": [source_type]}],
}

# Group policy prevails over local policy of the same kind alone, also where many are held against leaders.
test_of_many_kinds_none_gives_way_to_the_group_policy_of_another[first] if {
	some first in {"agent_output", "bank_sop", "user_input"}
	others := {"agent_output", "bank_sop", "external_official", "reference_data", "user_input"} - {first}
	lots := array.concat([_lot(first, 1, "GLOBAL")], [lot | some other in others; some lot in [_lot(other, 0, "SG")]])
	outcome := conflicts.outcome({"items": [], "lots": lots})
	outcome.losses == set()
	outcome.undecided == others | {first}
}

# However many there are, the record of the system stands, and what is said of two dates is decided by the newer.
test_of_many_kinds_all_give_way_to_the_record if {
	others := {"agent_output", "external_official", "reference_data", "user_input"}
	lots := [lot | some other in others; some lot in [_lot(other, 0, "SG")]]
	all := array.concat(lots, [_lot("system_of_record", 1, "SG")])
	outcome := conflicts.outcome({"items": [], "lots": all})
	outcome.losses == {loss | some other in others; some loss in [{"item": other, "in_favour_of": "system_of_record"}]}
	outcome.undecided == set()
}

# A version without a date is held against all of its kind, also where some of them have one.
test_of_many_versions_one_without_a_date_is_held_against_all if {
	versions := {"2026-01-01": 1, "2025-01-01": 2, "2024-01-01": 3}
	dated := [lot |
		some date, says in versions
		side := {"says": says, "jurisdiction": "SG", "items": [date]}
		lot := {"source_type": "bank_sop", "effective_date": date, "sides": [side]}
	]
	lots := array.concat(dated, [_lot("bank_sop", 4, "SG")])
	outcome := conflicts.outcome({"items": [], "lots": lots})
	outcome.undecided == {"2026-01-01", "2025-01-01", "2024-01-01", "bank_sop"}
}

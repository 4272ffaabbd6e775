package context.batch_test

import data.context.batch
import data.context.cases_test

parts := [
	{"item": cases_test.good.item, "findings": [], "screened": ["pii/patterns", "injection", "rendering"]},
	{"item": object.union(cases_test.good.item, {"domain": "ORM"}), "findings": [], "screened": []},
]

test_one_answer_for_each_part_in_order if {
	given := {"shared": cases_test.good, "parts": parts}
	[answer.allow | some answer in batch.admit] == [true, false] with input as given
	[answer.allow | some answer in batch.reach] == [true, false] with input as given
	[answer.allow | some answer in batch.scope] == [true, true] with input as given
	[answer.allow | some answer in batch.pack] == [false, false] with input as given
	[answer.outcome | some answer in batch.release] == ["released", "denied"] with input as given
	[answer.allow | some answer in batch.detokenize] == [false, false] with input as given
	[answer.allow | some answer in batch.citation] == [true, true] with input as given
	[answer.allow | some answer in batch.exception] == [true, true] with input as given
	[answer.allow | some answer in batch.tool] == [true, true] with input as given
	[answer.outcome | some answer in batch.document] == ["denied", "denied"] with input as given
}

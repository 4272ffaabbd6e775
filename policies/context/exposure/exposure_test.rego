package context.exposure_test

import data.context.exposure
import data.context.samples_test

orchestrator(item) := object.union(samples_test.good, {"agent": {"archetype": "orchestrator"}, "item": item})

test_an_orchestrator_sees_a_summary if {
	facts := orchestrator({"section": "entity", "media_type": "application/json"})
	exposure.permit with input as facts
	found := exposure.obligations with input as facts
	some obligation in found
	"status" in obligation.fields
	not "notional_usd" in obligation.fields
}

test_text_cannot_be_listed if {
	facts := orchestrator({"section": "entity", "media_type": "text/plain"})
	not exposure.permit with input as facts
	codes := {refusal.code | some refusal in exposure.deny} with input as facts
	codes == {"EXP-001"}
}

test_others_see_all[note] if {
	some note, facts in {
		"a worker": object.union(samples_test.good, {"item": {"section": "entity"}}),
		"an orchestrator and a task": orchestrator({"section": "task"}),
	}
	exposure.permit with input as facts
	count(exposure.obligations) == 0 with input as facts
}

test_nothing_known_is_refused if {
	not exposure.permit with input as {}
	codes := {refusal.code | some refusal in exposure.deny} with input as {}
	codes == {"EXP-001"}
}

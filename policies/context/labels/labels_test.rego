package context.labels_test

import data.context.cases_test
import data.context.labels

# What is no list was not read: it refuses, and is gone through by nobody.
test_findings_that_are_no_list_are_not_read if {
	finding := {"kind": "injection", "type": "override", "label": "source_id", "score": 1}
	facts := object.union(cases_test.good, {"item": {"label_findings": {"first": finding}}})
	codes := {refusal.code | some refusal in labels.deny} with input as facts
	codes == {"LAB-001", "LAB-002", "LAB-004"}
	count(labels.set_aside) == 0 with input as facts
}

test_a_score_that_is_none_is_below_nothing if {
	finding := {"kind": "injection", "type": "override", "label": "source_id", "score": null}
	facts := object.union(cases_test.good, {"item": {"label_findings": [finding]}})
	{refusal.code | some refusal in labels.set_aside} == {"LAB-003"} with input as facts
}

package context.rendering_test

import data.context.cases_test
import data.context.rendering

# What is no list was not looked at: it refuses, and is gone through by nobody.
test_findings_that_are_no_list_are_not_looked_at if {
	facts := object.union(cases_test.good, {"findings": {"first": {"kind": "rendering", "type": "chat_token"}}})
	not rendering.permit with input as facts
	count(rendering.obligations) == 0 with input as facts
}

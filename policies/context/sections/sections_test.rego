package context.sections_test

import data.context.cases_test
import data.context.sections

# Which sections carry results is what the table says, whatever else is said of them.
test_the_table_says_which_sections_are_structured if {
	facts := object.union(cases_test.good, {"item": {"section": "entity", "media_type": "application/json"}})
	raw := object.union(facts, {"item": {"media_type": "text/plain"}})
	sections.permit with input as facts with data.context.sections.structured as ["entity"]
	sections.permit with input as raw
	not sections.permit with input as raw with data.context.sections.structured as ["entity"]
}

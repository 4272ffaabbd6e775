# METADATA
# title: $title
# description: $title
# organizations:
#   - $owner
# schemas:
#   - input: schema.admit_input
package context.$area

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	$condition
}

$refusal

# METADATA
# title: $title
# description: $description
# related_resources:
#   - ref: $control
# custom:
#   code: $code
deny contains {
	"code": "$code",
	"message": $message,
} if {
	not $condition
}

$condition if $holds_if

# METADATA
# title: Detokenization
# description: |
#   Who may learn what a token stands for. Only for the purpose the token was made for, and only for kinds on record.
# organizations:
#   - Group Data Protection Office
# schemas:
#   - input: schema.detokenize_input
package context.detokenization

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	same_purpose
	kind_open_to_role
}

# METADATA
# title: Another purpose
# description: The token was made for another purpose than the one it is asked for.
# related_resources:
#   - ref: https://controls.bank.example/GDP-020
# custom:
#   code: DTK-001
deny contains {"code": "DTK-001", "message": "The token was made for another purpose."} if {
	not same_purpose
}

# METADATA
# title: Not open to the role
# description: The requester's role may not learn values of this kind.
# related_resources:
#   - ref: https://controls.bank.example/GDP-021
# custom:
#   code: DTK-002
deny contains {"code": "DTK-002", "message": "The requester's role may not learn values of this kind."} if {
	not kind_open_to_role
}

same_purpose if input.token.purpose == input.request.purpose

kind_open_to_role if input.token.type in data.context.detokenization.open_to[input.subject.role]

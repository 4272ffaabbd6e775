# METADATA
# title: Classification
# description: The requester is cleared for the classification of the item.
# organizations:
#   - Group Data Protection Office
# schemas:
#   - input: schema.admit_input
package context.classification

# METADATA
# description: |
#   Every condition below holds. A condition we cannot check does not hold; a classification that is not known
#   is within nobody's clearance.
permit if {
	within_clearance
}

# METADATA
# title: Above clearance
# description: The item is classified higher than the requester's role may read.
# related_resources:
#   - ref: https://controls.bank.example/DPO-001
# custom:
#   code: CLS-001
deny contains {"code": "CLS-001", "message": "The item is classified above the requester's clearance."} if {
	not within_clearance
}

# METADATA
# title: Classification not known
# description: The item carries no classification, or one that is not in the taxonomy.
# related_resources:
#   - ref: https://controls.bank.example/DPO-002
# custom:
#   code: CLS-002
deny contains {"code": "CLS-002", "message": "The item carries no known classification."} if {
	not classification_known
}

classification_known if data.context.classification.levels[input.item.data_classification] >= 0

within_clearance if data.context.classification.levels[input.item.data_classification] <= _highest

# METADATA
# description: How high the requester's role may read.
_highest := data.context.classification.levels[data.context.entitlement.clearance[input.subject.role]]

# METADATA
# description: The classifications the requester may read, for the filters of retrieval.
readable contains level if {
	some level, rank in data.context.classification.levels
	rank <= _highest
}

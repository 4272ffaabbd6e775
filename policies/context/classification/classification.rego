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
	domain_within_clearance
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

# METADATA
# title: Domain above clearance
# description: |
#   The item belongs to an entity of a domain that is more sensitive than the requester's role may read, whatever its
#   own
#   label says.
# related_resources:
#   - ref: https://controls.bank.example/DPO-003
# custom:
#   code: CLS-003
deny contains {
	"code": "CLS-003",
	"message": "The item belongs to an entity of a domain above the requester's clearance.",
} if {
	not domain_within_clearance
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

# What belongs to no entity is as sensitive as its label says; of an entity's the domain is the floor, so that a label
# which
# is too low does not open it.
domain_within_clearance if input.item.entity_id == null

domain_within_clearance if data.context.classification.levels[_sensitivity_of(input.item.domain)] <= _highest

domain_within_clearance if {
	input.item.domain == data.context.entitlement.shared_domain
	data.context.classification.levels[request_sensitivity] <= _highest
}

_sensitivity_of(domain) := data.registry.domains[domain].sensitivity

# METADATA
# description: How sensitive what the request is about is, by its domain; null where the domain is not on record.
default request_sensitivity := null

request_sensitivity := _sensitivity_of(input.request.domain)

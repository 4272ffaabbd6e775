# METADATA
# title: Jurisdiction
# description: |
#   Items stay in the jurisdictions of the request and of the requester. A request for several
#   jurisdictions admits the items of each, and the strictest requirement of them applies.
# organizations:
#   - Regional Compliance
# schemas:
#   - input: schema.admit_input
package context.jurisdiction

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	jurisdiction_known
	within_request
	within_requester
	corpus_open
	corpus_named
	corpus_in_use
}

# METADATA
# title: Outside the request
# description: The item belongs to a jurisdiction that the request is not about.
# related_resources:
#   - ref: https://controls.bank.example/DPO-014
# custom:
#   code: JUR-001
deny contains {"code": "JUR-001", "message": "The item's jurisdiction is not one of the request's."} if {
	not within_request
}

# METADATA
# title: Outside the requester's jurisdictions
# description: The requester may not read data of the item's jurisdiction.
# related_resources:
#   - ref: https://controls.bank.example/DPO-015
# custom:
#   code: JUR-002
deny contains {"code": "JUR-002", "message": "The requester has no access to the item's jurisdiction."} if {
	not within_requester
}

# METADATA
# title: Jurisdiction not known
# description: The item carries no jurisdiction, or one that is not on record.
# related_resources:
#   - ref: https://controls.bank.example/DPO-016
# custom:
#   code: JUR-003
deny contains {"code": "JUR-003", "message": "The item carries no known jurisdiction."} if {
	not jurisdiction_known
}

# METADATA
# title: Corpus not open
# description: The item was taken from a corpus that is not active in the request's jurisdictions and domain.
# related_resources:
#   - ref: https://controls.bank.example/DPO-017
# custom:
#   code: JUR-004
deny contains {
	"code": "JUR-004",
	"message": "The item's corpus is not open in the request's jurisdictions and domain.",
} if {
	not corpus_open
}

# METADATA
# title: Corpus not named
# description: The item does not say from which corpus it was taken, as items of its source type must.
# related_resources:
#   - ref: https://controls.bank.example/DPO-018
# custom:
#   code: JUR-005
deny contains {"code": "JUR-005", "message": "The item does not name the corpus that it was taken from."} if {
	not corpus_named
}

# METADATA
# title: Corpus not in use
# description: The item was taken from a corpus that is staged or retired.
# related_resources:
#   - ref: https://controls.bank.example/KNW-012
# custom:
#   code: JUR-006
deny contains {"code": "JUR-006", "message": "The item's corpus is not in use."} if {
	not corpus_in_use
}

jurisdiction_known if data.context.jurisdiction.jurisdictions[input.item.jurisdiction]

jurisdiction_known if _applies_everywhere

within_request if input.item.jurisdiction in input.request.jurisdictions

within_request if _applies_everywhere

within_requester if input.item.jurisdiction in input.subject.jurisdictions

within_requester if _applies_everywhere

corpus_open if input.item.corpus == null

corpus_open if input.item.corpus in corpora

corpus_named if is_string(input.item.corpus)

corpus_named if {
	is_string(data.context.attestation.source_type)
	not data.context.attestation.source_type in data.context.jurisdiction.must_name_a_corpus
}

# Whether a corpus is in use, its line in the registry says; one without a line is held by the rules above alone.
corpus_in_use if data.registry.corpora[input.item.corpus].status in data.context.knowledge.used_statuses

corpus_in_use if not _corpus_listed

_corpus_listed if data.registry.corpora[input.item.corpus]

_applies_everywhere if input.item.jurisdiction == data.context.jurisdiction.group_wide

# METADATA
# description: The jurisdictions whose requirements bind this item, the strictest of which applies.
applicable contains jurisdiction if some jurisdiction in input.request.jurisdictions

applicable contains input.item.jurisdiction

# METADATA
# description: The corpora open to the request, the union over its jurisdictions and its domain.
corpora contains corpus if {
	some jurisdiction in input.request.jurisdictions
	some corpus in data.context.jurisdiction.jurisdictions[jurisdiction].corpora
}

corpora contains corpus if {
	some corpus in data.context.jurisdiction.domain_corpora[input.request.domain]
}

# METADATA
# title: Documents taken in
# description: |
#   A document is taken into a corpus only where it says of itself what the corpus wants to know, belongs there, is in
#   force in the right order, and was screened; what looks like instructions is set aside for an officer.
# organizations:
#   - Group Data Office
# schemas:
#   - input: schema.document_input
package context.knowledge

# METADATA
# description: Every condition below holds. A condition we cannot check does not hold.
permit if {
	corpus_takes
	metadata_complete
	labels_complete
	kind_of_corpus
	jurisdiction_of_corpus
	domain_of_corpus
	dates_in_order
	newer_than_replaced
	officer_may
	content_screened
}

# METADATA
# title: Corpus takes no documents
# description: The corpus is retired, or its status is not on record.
# related_resources:
#   - ref: https://controls.bank.example/KNW-001
# custom:
#   code: KNW-001
deny contains {"code": "KNW-001", "message": "The corpus takes no documents."} if {
	not corpus_takes
}

# METADATA
# title: Metadata missing
# description: The document does not say all that documents of its corpus must say.
# related_resources:
#   - ref: https://controls.bank.example/KNW-002
# custom:
#   code: KNW-002
deny contains {"code": "KNW-002", "message": "The document lacks what the corpus wants each document to say."} if {
	not metadata_complete
}

# METADATA
# title: Labels missing
# description: The document lacks a label that each of its parts needs to be used, or says one that is not declared.
# related_resources:
#   - ref: https://controls.bank.example/KNW-003
# custom:
#   code: KNW-003
deny contains {"code": "KNW-003", "message": "The document lacks a label, or has one that is not declared."} if {
	not labels_complete
}

# METADATA
# title: Not of the corpus's kind
# description: The document's source type, classification or document type is not one of the corpus.
# related_resources:
#   - ref: https://controls.bank.example/KNW-004
# custom:
#   code: KNW-004
deny contains {"code": "KNW-004", "message": "The document is not of the kinds that the corpus holds."} if {
	not kind_of_corpus
}

# METADATA
# title: Jurisdiction not of the corpus
# description: The document's jurisdiction is not one of the corpus.
# related_resources:
#   - ref: https://controls.bank.example/KNW-005
# custom:
#   code: KNW-005
deny contains {"code": "KNW-005", "message": "The document's jurisdiction is not one of the corpus."} if {
	not jurisdiction_of_corpus
}

# METADATA
# title: Domain not of the corpus
# description: The document's domain is not one of the corpus.
# related_resources:
#   - ref: https://controls.bank.example/KNW-006
# custom:
#   code: KNW-006
deny contains {"code": "KNW-006", "message": "The document's domain is not one of the corpus."} if {
	not domain_of_corpus
}

# METADATA
# title: Dates out of order
# description: The document ends before it begins, or has ended already.
# related_resources:
#   - ref: https://controls.bank.example/KNW-007
# custom:
#   code: KNW-007
deny contains {"code": "KNW-007", "message": "The document's dates are out of order, or it has expired."} if {
	not dates_in_order
}

# METADATA
# title: Not newer than what it replaces
# description: The document is not of a later version than the one that it would replace, or is not in force yet.
# related_resources:
#   - ref: https://controls.bank.example/KNW-008
# custom:
#   code: KNW-008
deny contains {"code": "KNW-008", "message": "The version is not newer than the one in use, or not in force yet."} if {
	not newer_than_replaced
}

# METADATA
# title: Not for this officer
# description: The officer's role takes no documents in, or may not read documents of this classification.
# related_resources:
#   - ref: https://controls.bank.example/KNW-009
# custom:
#   code: KNW-009
deny contains {"code": "KNW-009", "message": "The officer may not take this document in."} if {
	not officer_may
}

# METADATA
# title: Document not screened
# description: The document's labels and text were not looked at for all that they must be looked at for.
# related_resources:
#   - ref: https://controls.bank.example/KNW-010
# custom:
#   code: KNW-010
deny contains {"code": "KNW-010", "message": "The document was not screened."} if {
	not content_screened
}

# METADATA
# title: Suspicious document
# description: The document or its labels look like instructions to a model, so it is set aside for an officer.
# related_resources:
#   - ref: https://controls.bank.example/KNW-011
# custom:
#   code: KNW-011
set_aside contains {"code": "KNW-011", "message": "The document looks like instructions to a model."} if {
	not below_suspicion
}

# METADATA
# description: What every document is looked at for, with the guards of the bank's own.
screenings := array.concat(data.context.knowledge.screened_for, data.context.injection.guards)

corpus_takes if input.corpus.status in data.context.knowledge.taking_statuses

metadata_complete if {
	is_array(input.corpus.mandatory)
	count(input.corpus.mandatory) > 0
	every name in input.corpus.mandatory {
		_said(name)
	}
}

_said(name) if name in input.document.metadata

_said(name) if _says(input.document[name])

_said(name) if _says(input.document.labels[name])

_says(value) if is_string(value)

_says(value) if is_number(value)

_says(value) if is_boolean(value)

labels_complete if {
	input.document.labels_declared == true
	every name in data.context.knowledge.required_labels {
		_labelled(name)
	}
}

_labelled(name) if _says(input.document[name])

kind_of_corpus if {
	input.document.corpus == input.corpus.id
	input.document.source_type == input.corpus.source_type
	input.document.data_classification in input.corpus.data_classifications
	_type_of_corpus
}

_type_of_corpus if input.corpus.document_types == []

_type_of_corpus if input.document.labels.document_type in input.corpus.document_types

jurisdiction_of_corpus if input.document.jurisdiction in input.corpus.jurisdictions

domain_of_corpus if input.document.domain in input.corpus.domains

dates_in_order if {
	_begins_before_its_end
	_not_over
}

_begins_before_its_end if input.document.expiry_date == null

# No first day comes before every day.
_begins_before_its_end if input.document.effective_date < input.document.expiry_date

_not_over if input.document.expiry_date == null

_not_over if _today < input.document.expiry_date

_today := substring(input.now, 0, 10) if is_string(input.now)

newer_than_replaced if input.document.replaces == null

newer_than_replaced if {
	_in_force
	_later
}

_in_force if input.document.effective_date <= _today

_later if _numbers(input.document.version) > _numbers(input.document.replaces.version)

# Versions that are no numbers with dots have no order of their own: their dates have.
_later if {
	not _numbered
	input.document.effective_date > input.document.replaces.effective_date
}

_numbered if {
	count(_numbers(input.document.version)) > 0
	count(_numbers(input.document.replaces.version)) > 0
}

_numbers(version) := [number |
	some part in split(version, ".")
	some number in [to_number(part)]
] if {
	is_string(version)
	regex.match(`^(0|[1-9][0-9]{0,8})([.](0|[1-9][0-9]{0,8}))*$`, version)
}

officer_may if {
	input.officer.role in data.context.knowledge.taken_in_by
	_rank(input.document.data_classification) <= _rank(data.context.entitlement.clearance[input.officer.role])
}

_rank(classification) := data.context.classification.levels[classification]

# Whether a document is worth being screened is asked by its labels alone.
content_screened if input.stage == "labels"

content_screened if {
	input.stage == "content"
	is_array(input.findings)
	every screening in screenings {
		screening in input.screened
	}
}

below_suspicion if {
	is_array(input.findings)
	not _suspected
}

_suspected if {
	some finding in input.findings
	finding.kind == "injection"
	not _below(finding)
}

# A score we cannot read is not below anything.
_below(finding) if {
	is_number(finding.score)
	finding.score < data.context.knowledge.set_aside_from
}

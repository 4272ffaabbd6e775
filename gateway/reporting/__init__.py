"""
Reports that a committee or an examiner can read: what the ledger and the bundles say, as a page, as a PDF or as JSON.

A report is made of facts first (`document`); each of its forms (`page`, `pdf`, `document.as_document`) says the same.
"""

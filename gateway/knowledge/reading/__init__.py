"""What decides whether a document may be found, read from the syntax trees of the officers' rules."""

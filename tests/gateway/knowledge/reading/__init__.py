"""What decides whether a document may be found."""

"""What is kept of documents, in SQLite; folders and repositories that they come from."""

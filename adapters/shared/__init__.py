"""What adapters of several ports share: the pool of PostgreSQL connections, and files with secrets."""

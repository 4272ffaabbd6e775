"""A bank to run against: made-up systems of record, the servers that offer them, and what was planted in them."""

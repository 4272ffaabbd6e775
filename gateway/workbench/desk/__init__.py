"""What a second officer is shown of a candidate before it may decide, and what must be acknowledged."""

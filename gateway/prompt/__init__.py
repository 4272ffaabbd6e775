"""What a model reads, and what it costs."""

"""What the gateway knows of documents: what is read of them, the chunks that they are cut into, and what is kept of each version."""

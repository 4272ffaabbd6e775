"""Indexes of knowledge on servers: PostgreSQL with pgvector, and Qdrant."""

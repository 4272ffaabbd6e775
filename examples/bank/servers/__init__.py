"""Three MCP servers over the bank's database: NPA, ORM, and the desk's with that of digital clients."""

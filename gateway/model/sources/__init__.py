"""Where items come from: the sources of record, what each may say, the tools and the named queries that they are asked with."""

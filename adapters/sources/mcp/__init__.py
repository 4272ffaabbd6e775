"""
Servers of the Model Context Protocol as sources of record, by the SDK of the protocol (`mcp`).

`toolbox` is the port; `held` keeps one session open, `session` is what is said in it, `sieve` what of a server's words gets in,
`program` and `over_http` are the two ways to a server, `launch` is what becomes a server's process.
"""

"""
The officer's workbench: check, test, explain, compare, simulate and activate policies; review quarantined content.

Nothing here is on the way of a request.
"""
